import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { isIgnoredFileName, isIgnoredFolderName } from '../../agent/core/naming/file-kinds.ts';
import { recogniseExport } from '../../agent/core/naming/recognise-export.ts';
import { unrecognisedWords } from '../../agent/core/settle/describe-seen.ts';
import { besidesOf, isSentBesides } from '../../agent/core/naming/account-files.ts';
import type { SentBesides } from '../../agent/core/naming/described-export.ts';
import { asEvidence, type FileSeen } from '../../agent/core/settle/file-seen.ts';
import type { PushRequest } from '../../agent/index.ts';
import { runSession } from '../agent-session.ts';
import { defineCommand, parseQueueOptions, queueOptions, UsageError, parseTime } from '../command.ts';
import { agentConfig, loadConfig, portsFor } from '../deps.ts';
import { exitCodes } from '../exit-codes.ts';
import { counted } from '../output.ts';
import { reportFailures } from '../report-failure.ts';

/** Uploads each folder as one incident, waits, and ends. */
export const push = defineCommand({
  name: 'push',
  usage: [
    'push FOLDER... [--title T] [--description D]',
    '    [--incident-at TIME] [--as-evidence] [--program FILE]... [--json]',
  ],
  purpose: 'Uploads each folder as one incident, waits until it is done, and exits.',
  options: {
    ...queueOptions,
    title: { value: 'T', help: 'title of the incident; for one folder only' },
    description: { value: 'D', help: 'description of the incidents' },
    'incident-at': { value: 'TIME', help: 'time with its offset: 2026-05-01T19:30:05Z' },
    'as-evidence': { help: 'also sends files of unknown types and all parts of projects' },
    program: {
      value: 'FILE',
      help: 'confirms a program that contains a video, if the settings allow it',
      repeatable: true,
    },
    json: { help: 'one JSON object per line on stdout, ending with a summary' },
  },
  parse(line) {
    const { operands: folders } = line;
    if (folders.length === 0) throw new UsageError('push needs at least one folder.');
    if (folders.includes('')) throw new UsageError('A folder name is empty.');
    if (line.has('title') && folders.length > 1)
      throw new UsageError('--title is for one folder; push the others separately.');
    const time = line.text('incident-at');
    const details = {
      title: parseText('--title', line.text('title')),
      description: parseText('--description', line.text('description')),
      incidentAt: time === undefined ? undefined : parseTime('--incident-at', time),
      ...(line.has('as-evidence') && { asEvidence: true }),
      ...(line.texts('program').length > 0 && { programs: line.texts('program') }),
    };
    return { ...parseQueueOptions(line), folders, json: line.has('json'), ...details };
  },
  async run(input, deps) {
    const { output, clock, places } = deps;
    const { json, title, description, incidentAt, programs } = input;
    const reporting = { output, clock, json };
    const folders = await resolveFolders(input.folders, places.workingDir);
    if (!folders.ok) {
      reportFailures(folders.error, reporting);
      // A folder that is not there is a mistake on the command line, whatever its own code means elsewhere
      return exitCodes.usage;
    }
    const loaded = await loadConfig(input, deps);
    if (!loaded.ok) return reportFailures(loaded.error, reporting);
    const ports = portsFor(loaded.value, deps, { logLevel: 'warn', json });
    // Only the folders are to be uploaded, so no root of the settings is watched
    const config = { ...agentConfig(loaded.value, input, deps), watchFolders: false };
    const details = knownFields<Omit<PushRequest, 'folder'>>({
      ...{ title, description, incidentAt, programs },
      asEvidence: input.asEvidence,
    });
    const { watch } = loaded.value.settings;
    const besidesIn = (folder: string): SentBesides => {
      const settings = watch.find(({ path }) => folder.startsWith(path));
      return besidesOf({ kinds: new Set(settings?.alsoSend) }, details);
    };
    const looks = await Promise.all(folders.value.map((folder) => lookInside(folder, besidesIn(folder))));
    const refused = looks.flatMap(({ refusal }) => refusal ?? []);
    if (refused.length > 0) reportFailures(refused, reporting);
    if (refused.length === looks.length) return exitCodes.someFailed;
    for (const text of looks.flatMap(({ leftOut }) => leftOut)) output.note(text);
    const requests = looks
      .filter(({ refusal }) => refusal === undefined)
      .map(({ folder }) => ({ folder, ...details }));
    const exit = await runSession({ config, ports, json, untilIdle: true, push: requests }, deps);
    return exit === exitCodes.ok && refused.length > 0 ? exitCodes.someFailed : exit;
  },
});

/** Longest title and description, characters. */
const LONGEST = { '--title': 200, '--description': 10_000 } as const;

function parseText(option: keyof typeof LONGEST, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (trimmed === '') throw new UsageError(`${option} is blank.`);
  if (trimmed.length > LONGEST[option])
    throw new UsageError(`${option} takes at most ${LONGEST[option]} characters.`);
  const forbidden = option === '--title' ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u;
  if (forbidden.test(trimmed)) throw new UsageError(`${option} contains control characters.`);
  return trimmed;
}

/** Absolute real paths of folders, each once; or everything that is wrong with them. */
async function resolveFolders(
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

/** Files that are named as left out of one folder; the rest is counted. */
const MOST_NAMED = 20;

/** What of a folder is not taken, by the names in it alone: said before anything is sent. */
interface Look {
  readonly folder: string;
  /** It holds no clip: nothing of it is sent. */
  readonly refusal: Failure | undefined;
  readonly leftOut: readonly string[];
}

async function lookInside(folder: string, besides: SentBesides): Promise<Look> {
  const files = await namesIn(folder);
  const seen = files.map(seenByName);
  const { clips, skipped, temporary } = recogniseExport(
    seen.map((file) => (isSentBesides(file, besides) ? asEvidence(file, true) : file)),
  );
  const leftOut = skipped.slice(0, MOST_NAMED).map(({ message }) => `${visibleName(folder)}: ${message}`);
  const more = skipped.length - leftOut.length;
  if (more > 0) leftOut.push(`${visibleName(folder)}: ${counted(more, 'more file')} skipped.`);
  // A clip that is still copied gets its own name later
  if (clips.length > 0 || temporary.length > 0) return { folder, refusal: undefined, leftOut };
  const named = files.slice(0, MOST_NAMED).map((path) => ({ path }));
  const words =
    files.length === 0
      ? { message: 'The folder is empty.', advice: 'Name a folder with the clips of one incident.' }
      : unrecognisedWords({ files: files.length, named });
  const message = `${visibleName(folder)} was not sent. ${words.message}`;
  return {
    folder,
    leftOut: [],
    refusal: { code: 'EXPORT_NOT_RECOGNISED', ...words, message, retryable: false },
  };
}

/** Paths of the files below a folder, without those of the operating system; none of what cannot be read. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isDirectory() && !isIgnoredFileName(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => !path.split('/').slice(0, -1).some(isIgnoredFolderName));
}

const seenByName = (path: string): FileSeen => ({
  path,
  kind: 'file',
  sizeBytes: 0,
  mtimeNs: '0',
  inode: '',
  device: '',
  links: 1,
});

const failure = (code: FailureCode, path: string, what: string): Failure => ({
  code,
  message: `${visibleName(path)} ${what}.`,
  advice: 'Name an existing folder with the clips of one incident.',
  retryable: false,
});
