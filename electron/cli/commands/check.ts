import { constants } from 'node:fs';
import { access, lstat, readdir, realpath, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FailureError, type Failure, type FailureCode } from '../../../shared/domain/failure.ts';
import { commandChecks, type CheckLine } from '../../../shared/domain/health.ts';
import { formatBytes, formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { systemCode } from '../../agent/settings/file-advice.ts';
import type { Policy } from '../../agent/settings/policy/policy.ts';
import { checkRoots, type RootFacts } from '../../agent/core/settings/check-roots.ts';
import { keyMissing, notSetUp } from '../../agent/core/settings/check-connection.ts';
import type { Ports } from '../../agent/index.ts';
import { defineCommand, parseQueueOptions, queueOptions, refuseOperands } from '../command.ts';
import {
  agentConfig,
  dataDirOf,
  loadConfig,
  NOTHING_WATCHED,
  portsFor,
  type ConfigOptions,
  type Deps,
  type LoadedConfig,
} from '../deps.ts';
import { exitCodeFor, exitCodes, type ExitCode } from '../exit-codes.ts';
import { counted, jsonText } from '../output.ts';

/** Free space below which the queue is at risk, bytes: it grows by about 1 KB per clip. */
const LEAST_FREE_BYTES = 100_000_000;
/** Time without a response after which a folder's share counts as hung, milliseconds. */
const FOLDER_DEADLINE_MS = 5000;

/** Runs all checks every time, one line each. */
export const check = defineCommand({
  name: 'check',
  usage: ['check [--json]'],
  purpose: `Checks the configuration, policy, data directory, key, address, certificate,
service, permission, clock and folders, and prints the results.`,
  options: { ...queueOptions, json: { help: 'one JSON list of the results on stdout' } },
  parse(line) {
    refuseOperands(line);
    return { ...parseQueueOptions(line), json: line.has('json') };
  },
  async run(input, deps) {
    const lines = await collect(input, deps);
    if (input.json) deps.output.line(jsonText(lines.map(lineJson), 2));
    else for (const line of lines) deps.output.line(lineText(line));
    return exitFor(lines);
  },
});

interface CheckInput extends ConfigOptions {
  readonly json: boolean;
}

async function collect(input: CheckInput, deps: Deps): Promise<readonly CheckLine[]> {
  const data = await checkDataDir(dataDirOf(input, deps), deps);
  const loaded = await loadConfig(input, deps, 'configuration');
  if (!loaded.ok) return inOrder([...loaded.error.map(configFailure), data]);
  const { settings, configPath, policy } = loaded.value;
  const config =
    settings.baseUrl === undefined
      ? failed('config', notSetUp)
      : passed(
          'config',
          `The configuration ${configPath}${policy.places.length > 0 ? ', together with the policy,' : ''} is complete.`,
        );
  const folders = await checkFolders(loaded.value, dataDirOf(input, deps), deps);
  const online = await checkOnline(loaded.value, input, deps);
  return inOrder([config, policyLine(policy, deps.clock.now()), data, ...online, ...folders]);
}

const configFailure = (failure: Failure): CheckLine =>
  failed(failure.code === 'POLICY_INVALID' ? 'policy' : 'config', failure);

function policyLine({ places, count, signed }: Policy, nowMs: number): CheckLine {
  if (places.length === 0 && signed === undefined) return passed('policy', 'No policy applies.');
  // A signed policy may set nothing
  const from = places.length === 0 ? '' : ` from ${places.join(' and ')}`;
  const text = `${counted(count, 'setting')}${from}`;
  if (signed === undefined) return passed('policy', `${text}.`);
  const age = formatDuration(Math.max(0, nowMs - Date.parse(signed.checkedAt)));
  return passed('policy', `${text}; sequence ${signed.sequence}, last confirmed ${age} ago.`);
}

async function checkOnline(
  loaded: LoadedConfig,
  input: CheckInput,
  deps: Deps,
): Promise<readonly CheckLine[]> {
  const ports = portsFor(loaded, deps, { ...input, logLevel: 'error' });
  const key = await checkKey(ports, loaded.settings.baseUrl);
  return key.state === 'ok' && loaded.settings.baseUrl !== undefined
    ? [key, ...(await deps.checkConnection(agentConfig(loaded, input, deps), ports))]
    : [key];
}

async function checkKey({ secrets }: Ports, baseUrl: string | undefined): Promise<CheckLine> {
  try {
    const key = await secrets.apiKey();
    if (key === undefined) return failed('key', keyMissing);
    const elsewhere =
      baseUrl === undefined ? undefined : await secrets.origins?.check(key, new URL(baseUrl).origin);
    if (elsewhere !== undefined) return failed('key', elsewhere);
    return passed('key', `The API key was read (${key.length} characters).`);
  } catch (error) {
    if (error instanceof FailureError) return failed('key', error.failure);
    throw error;
  }
}

/** Checks whether the data directory can be used or created. Nothing is created or locked. */
async function checkDataDir(dataDir: string, { refuseDataDir }: Deps): Promise<CheckLine> {
  const advice = 'Use --data-dir to choose a folder on a local disk that this account can write to.';
  const problem = (message: string): CheckLine =>
    failed('data', { code: 'DATA_FOLDER', message, advice, retryable: false });
  try {
    const place = await nearestExisting(dataDir);
    if (!(await stat(place)).isDirectory())
      return problem(`The data directory ${dataDir} cannot be used: ${place} is not a folder.`);
    const refusal = await refuseDataDir(dataDir);
    if (refusal !== undefined) return failed('data', refusal);
    await access(place, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(place);
    const free = formatBytes(bavail * bsize);
    if (bavail * bsize < LEAST_FREE_BYTES)
      return { ...failed('data', almostFull(dataDir, free)), state: 'warning' };
    const what = place === dataDir ? 'can be used' : 'does not exist yet and will be created';
    return passed('data', `The data directory ${dataDir} ${what} (${free} free).`);
  } catch (error) {
    return problem(`The data directory ${dataDir} cannot be used (${systemCode(error)}).`);
  }
}

const almostFull = (dataDir: string, free: string): Failure => ({
  code: 'DISK_FULL',
  message: `The disk with the data directory ${dataDir} has only ${free} free.`,
  advice: 'Free some space on that disk, or use --data-dir to choose a folder on another local disk.',
  retryable: true,
});

async function nearestExisting(folder: string): Promise<string> {
  try {
    await access(folder);
    return folder;
  } catch (error) {
    const parent = dirname(folder);
    if (systemCode(error) !== 'ENOENT' || parent === folder) throw error;
    return nearestExisting(parent);
  }
}

/**
 * Checks the watched folders: they must exist, be readable, be allowed, and not contain each other. One line per
 * problem.
 */
async function checkFolders(
  { settings }: LoadedConfig,
  dataDir: string,
  { clock, places }: Deps,
): Promise<readonly CheckLine[]> {
  if (settings.watch.length === 0) return [{ ...passed('folders', NOTHING_WATCHED), state: 'warning' }];
  const roots = await Promise.all(settings.watch.map(({ path }) => inspectInTime(path, clock)));
  const found = roots.flatMap((root) => (root.ok ? [root.value] : []));
  const platform = places.platform === 'win32' ? 'win32' : 'posix';
  const rules = checkRoots(found, { platform, dataDir, homeDir: places.homeDir });
  const problems = [...roots, ...rules].flatMap((each) => (each.ok ? [] : [failed('folders', each.error)]));
  if (problems.length > 0) return problems;
  const names = settings.watch.map(({ path }) => visibleName(path)).join(', ');
  return [passed('folders', `Ready to watch: ${names}.`)];
}

async function inspectInTime(path: string, clock: Deps['clock']): Promise<Result<RootFacts, Failure>> {
  const ended = new AbortController();
  const seconds = FOLDER_DEADLINE_MS / 1000;
  const hung = err(rootFailure('ROOT_HUNG', path, `did not respond within ${seconds} s`, CHECK_SHARE));
  const late = clock.sleep(FOLDER_DEADLINE_MS, ended.signal).then(
    () => hung,
    () => hung,
  );
  try {
    return await Promise.race([inspect(path), late]);
  } finally {
    ended.abort();
  }
}

async function inspect(path: string): Promise<Result<RootFacts, Failure>> {
  try {
    const facts = await lstat(path);
    const isLink = facts.isSymbolicLink();
    if (!isLink && !facts.isDirectory())
      return err(rootFailure('ROOT_NOT_FOLDER', path, 'is not a folder', CORRECT_PATH));
    if (!isLink) await readdir(path);
    return ok({ path, isLink, realPath: await realpath(path) });
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return err(rootFailure('ROOT_MISSING', path, 'does not exist', FIND_PATH));
    if (code === 'EACCES' || code === 'EPERM')
      return err(
        rootFailure(
          'FOLDER_NO_ACCESS',
          path,
          'cannot be read by this account',
          'Give this account permission to read the folder.',
        ),
      );
    return err(rootFailure('ROOT_OFFLINE', path, `cannot be reached (${code})`, CHECK_SHARE));
  }
}

const CHECK_SHARE = 'Check the disk or share, then run this check again.';
const FIND_PATH = 'Connect its disk or share, create the folder, or correct the path in the configuration.';
const CORRECT_PATH = 'Correct the path in the configuration.';

const rootFailure = (code: FailureCode, path: string, what: string, advice: string): Failure => ({
  code,
  message: `The watched folder ${visibleName(path)} ${what}.`,
  advice,
  retryable: true,
});

const passed = (name: CheckLine['name'], text: string): CheckLine => ({ name, state: 'ok', text });

const failed = (name: CheckLine['name'], failure: Failure): CheckLine => ({
  name,
  state: 'failed',
  text: failure.message,
  failure,
});

/** Every check at least once: skipped ones say so. */
function inOrder(lines: readonly CheckLine[]): readonly CheckLine[] {
  return commandChecks.flatMap((name) => {
    const found = lines.filter((line) => line.name === name);
    if (found.length > 0) return found;
    const skipped: CheckLine = { name, state: 'skipped', text: 'Not checked because another check failed.' };
    return [skipped];
  });
}

function exitFor(lines: readonly CheckLine[]): ExitCode {
  const first = lines.find(({ state }) => state === 'failed');
  if (first === undefined) return exitCodes.ok;
  return first.failure === undefined ? exitCodes.fault : exitCodeFor(first.failure.code);
}

const stateWords: Readonly<Record<CheckLine['state'], string>> = {
  ok: '✓ OK',
  warning: '! Warning',
  failed: '✕ Failed',
  skipped: '○ Skipped',
};

function lineText({ name, state, text, failure }: CheckLine): string {
  const reason = failure === undefined ? text : `${failure.code}: ${text} ${failure.advice}`;
  return `${stateWords[state].padEnd(9)}  ${name.padEnd(10)}  ${reason}`;
}

function lineJson({ name, state, text, failure }: CheckLine) {
  return { name, state, text, ...(failure && { code: failure.code, advice: failure.advice }) };
}
