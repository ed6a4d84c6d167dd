import { lstat, realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { PushRequest } from '../../agent/index.ts';
import { runSession } from '../agent-session.ts';
import type { PushCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { agentConfig, loadConfig, portsFor, type Host } from '../deps.ts';
import { reportFailures } from '../report-failure.ts';

/** Uploads each folder as one incident, waits, and ends. */
export async function pushCommand(command: PushCommand, host: Host): Promise<ExitCode> {
  const { output, clock, places } = host;
  const { json } = command;
  const folders = await resolveFolders(command.folders, places.workingDir);
  if (!folders.ok) {
    reportFailures(folders.error, { output, clock, json });
    // A folder that is not there is a slip on the command line, whatever its own code means elsewhere
    return exitCodes.usage;
  }
  const loaded = await loadConfig(command, host);
  if (!loaded.ok) return reportFailures(loaded.error, { output, clock, json });
  const ports = portsFor(loaded.value, host, { logLevel: 'warn', json });
  // Nothing but the folders is to be uploaded, so no root of the settings is watched.
  const config = { ...agentConfig(loaded.value, command, host), watchFolders: false };
  const stop = host.listenForStop();
  try {
    const agent = host.createAgent(config, ports);
    const push = requests(command, folders.value);
    return await runSession({ agent, output, clock, stop, json, untilIdle: true, push });
  } finally {
    stop.dispose();
  }
}

function requests(
  { title, description, incidentAt }: PushCommand,
  folders: readonly string[],
): PushRequest[] {
  return folders.map((folder) => ({
    folder,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(incidentAt !== undefined && { incidentAt }),
  }));
}

/** Absolute real paths of folders, each once; or everything that is wrong with them. */
export async function resolveFolders(
  names: readonly string[],
  workingDir: string,
): Promise<Result<readonly string[], readonly Failure[]>> {
  const folders = new Set<string>();
  const failures: Failure[] = [];
  for (const name of names) {
    const folder = await resolveFolder(resolve(workingDir, name));
    if (folder.ok) folders.add(folder.value);
    else failures.push(folder.error);
  }
  return failures.length > 0 ? err(failures) : ok([...folders]);
}

async function resolveFolder(path: string): Promise<Result<string, Failure>> {
  try {
    const facts = await lstat(path);
    if (facts.isSymbolicLink()) return err(failure('ROOT_LINK', path, 'is a link; links are not followed'));
    if (!facts.isDirectory()) return err(failure('ROOT_NOT_FOLDER', path, 'is not a folder'));
    return ok(await realpath(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    if (code === 'ENOENT' || code === 'ENOTDIR') return err(failure('ROOT_MISSING', path, 'does not exist'));
    return err(failure('FOLDER_NO_ACCESS', path, `cannot be read (${code})`));
  }
}

const failure = (code: FailureCode, path: string, what: string): Failure => ({
  code,
  message: `${visibleName(path)} ${what}.`,
  advice: 'Name an existing folder with the clips of one incident.',
  retryable: false,
});
