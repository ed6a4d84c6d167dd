import { lstat, readdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { isIgnoredFileName, isIgnoredFolderName } from '../../agent/core/naming/file-kinds.ts';
import { recogniseExport } from '../../agent/core/naming/recognise-export.ts';
import { unrecognisedWords } from '../../agent/core/settle/describe-seen.ts';
import { extraFileRules, isExtraFile } from '../../agent/core/naming/account-files.ts';
import type { ExtraFileRules } from '../../agent/core/naming/described-export.ts';
import { checkPushed, isWithin } from '../../agent/core/settings/check-roots.ts';
import { asEvidence, type FileSeen } from '../../agent/core/settle/file-seen.ts';
import { systemCode } from '../../agent/settings/file-advice.ts';
import type { PushRequest } from '../../agent/index.ts';
import { runSession } from '../agent-session.ts';
import { defineCommand, parseQueueOptions, queueOptions, UsageError, parseTime } from '../command.ts';
import { agentConfig, dataDirOf, type Deps, loadConfig, portsFor } from '../deps.ts';
import { exitCodes } from '../exit-codes.ts';
import { counted } from '../output.ts';
import { reportFailures } from '../report-failure.ts';

/** Uploads each folder as one incident, waits, and exits. */
export const push = defineCommand({
  name: 'push',
  usage: [
    'push FOLDER... [--title T] [--description D]',
    '    [--incident-at TIME] [--as-evidence] [--program FILE]... [--json]',
  ],
  purpose: 'Uploads each folder as one incident, waits until all are done, and exits.',
  options: {
    ...queueOptions,
    title: { value: 'T', help: 'title of the incident; with one folder only' },
    description: { value: 'D', help: 'description of the incidents' },
    'incident-at': { value: 'TIME', help: 'time of the incidents, with an offset: 2026-05-01T19:30:05Z' },
    'as-evidence': { help: 'also sends files of unknown types and all parts of projects' },
    program: {
      value: 'FILE',
      help: 'also sends this self-playing video program, if the settings allow it; can be repeated',
      repeatable: true,
    },
    json: { help: 'one JSON object per line on stdout, ending with a summary' },
  },
  parse(line) {
    const { operands: folders } = line;
    if (folders.length === 0) throw new UsageError('push needs at least one folder.');
    if (folders.includes('')) throw new UsageError('A folder name is empty.');
    if (line.has('title') && folders.length > 1)
      throw new UsageError('--title can be used with one folder only; push the others separately.');
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
      // A missing folder is a mistake on the command line, whatever its own code means elsewhere
      return exitCodes.usage;
    }
    const loaded = await loadConfig(input, deps);
    if (!loaded.ok) return reportFailures(loaded.error, reporting);
    const { watch } = loaded.value.settings;
    const refusals = await placeProblems(folders.value, watch, dataDirOf(input, deps), deps);
    if (refusals.length > 0) {
      reportFailures(refusals, reporting);
      return exitCodes.usage;
    }
    const ports = portsFor(loaded.value, deps, { ...input, logLevel: 'warn', json });
    // Only these folders are uploaded, so no watched folder of the settings is watched
    const config = { ...agentConfig(loaded.value, input, deps), watchFolders: false };
    const details = knownFields<Omit<PushRequest, 'folder'>>({
      ...{ title, description, incidentAt, programs },
      asEvidence: input.asEvidence,
    });
    const extraFilesIn = (folder: string): ExtraFileRules => {
      const settings = watch.find(({ path }) => isWithin(folder, path, platformOf(places)));
      return extraFileRules({ kinds: new Set(settings?.alsoSend) }, details);
    };
    const looks = await Promise.all(folders.value.map((folder) => lookInside(folder, extraFilesIn(folder))));
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
    throw new UsageError(`${option} can have at most ${LONGEST[option]} characters.`);
  const isTitle = option === '--title';
  if ((isTitle ? /\p{Cc}/u : /[^\P{Cc}\n\r\t]/u).test(trimmed))
    throw new UsageError(
      `${option} contains control characters${isTitle ? ', such as tabs or line breaks' : ' other than tabs and line breaks'}. Remove them.`,
    );
  return trimmed;
}

/** Absolute real paths of the folders, without duplicates; or all problems with them. */
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
    if (facts.isSymbolicLink())
      return err(failure('ROOT_LINK', path, 'is a link; links are not followed', NAME_TARGET));
    if (!facts.isDirectory()) return err(failure('ROOT_NOT_FOLDER', path, 'is not a folder'));
    return ok(await realpath(path));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return err(failure('ROOT_MISSING', path, 'does not exist'));
    return err(failure('FOLDER_NO_ACCESS', path, `cannot be read (${code})`, GIVE_ACCESS));
  }
}

/** Time limit per folder, milliseconds: a share that hangs must not block the other folders. */
const FOLDER_DEADLINE_MS = 5_000;

/** Problems with folders' locations: places that are never sent, whatever is in them. */
async function placeProblems(
  folders: readonly string[],
  watch: readonly { readonly path: string }[],
  dataDir: string,
  { clock, places }: Pick<Deps, 'clock' | 'places'>,
): Promise<readonly Failure[]> {
  const roots = await Promise.all(watch.map(({ path }) => realPathInTime(path, clock)));
  const forbidden = {
    platform: platformOf(places),
    dataDir,
    homeDir: places.homeDir,
  } as const;
  return folders.flatMap((folder, index) => {
    const beside = { others: folders.slice(0, index), roots };
    return checkPushed({ path: folder, realPath: folder }, beside, forbidden) ?? [];
  });
}

const platformOf = ({ platform }: Deps['places']): 'win32' | 'posix' =>
  platform === 'win32' ? 'win32' : 'posix';

/** The real path, or the given one if the folder does not exist or respond. */
async function realPathInTime(path: string, clock: Deps['clock']): Promise<string> {
  const answered = new AbortController();
  const given = (): string => path;
  const late = clock.sleep(FOLDER_DEADLINE_MS, answered.signal).then(given, given);
  const found = await Promise.race([realpath(path).catch(given), late]);
  answered.abort();
  return found;
}

/** Most files that are named as left out of one folder; the others are counted. */
const MOST_NAMED = 20;

/** What is left out of a folder, judged by its file names only; reported before anything is sent. */
interface Look {
  readonly folder: string;
  /** Set if the folder has no clip: nothing in it is sent. */
  readonly refusal: Failure | undefined;
  readonly leftOut: readonly string[];
}

async function lookInside(folder: string, extraFiles: ExtraFileRules): Promise<Look> {
  const { files, closed } = await namesIn(folder);
  const seen = files.map(seenByName);
  const { clips, skipped, temporary } = recogniseExport(
    seen.map((file) => (isExtraFile(file, extraFiles) ? asEvidence(file, true) : file)),
  );
  const messages = [...closed, ...skipped.map(({ message }) => message)];
  const leftOut = messages.slice(0, MOST_NAMED).map((message) => `${visibleName(folder)}: ${message}`);
  const more = messages.length - leftOut.length;
  if (more > 0) leftOut.push(`${visibleName(folder)}: ${counted(more, 'more item')} skipped.`);
  // A clip that is still being copied gets its final name later
  if (clips.length > 0 || temporary.length > 0) return { folder, refusal: undefined, leftOut };
  return { folder, leftOut: [], refusal: nothingToSend(folder, files, closed) };
}

function nothingToSend(folder: string, files: readonly string[], closed: readonly string[]): Failure {
  const notSent = `The folder ${visibleName(folder)} was not sent.`;
  const [first] = closed;
  if (first !== undefined)
    return {
      code: 'FOLDER_NO_ACCESS',
      message: `${notSent} ${first}`,
      advice: GIVE_ACCESS,
      retryable: false,
    };
  const named = files.slice(0, MOST_NAMED).map((path) => ({ path }));
  const words =
    files.length === 0
      ? {
          message: 'It contains no clips.',
          advice: 'Choose a folder that contains the clips of one incident.',
        }
      : unrecognisedWords({ files: files.length, named });
  return {
    code: 'EXPORT_NOT_RECOGNISED',
    ...words,
    message: `${notSent} ${words.message}`,
    retryable: false,
  };
}

/**
 * Paths of the files in a folder and its subfolders, except those of the operating system; and a sentence about each
 * folder that could not be listed and may contain clips.
 */
async function namesIn(folder: string): Promise<{ readonly files: string[]; readonly closed: string[] }> {
  const files: string[] = [];
  const closed: string[] = [];
  const waiting = [''];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    try {
      for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
        const path = inner === '' ? entry.name : `${inner}/${entry.name}`;
        if (!entry.isDirectory()) {
          if (!isIgnoredFileName(entry.name)) files.push(path);
        } else if (!isIgnoredFolderName(entry.name)) waiting.push(path);
      }
    } catch (error) {
      const what = inner === '' ? 'It' : `The folder ${visibleName(inner)}`;
      closed.push(`${what} cannot be read (${systemCode(error)}).`);
    }
  }
  return { files: files.toSorted(), closed };
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

const NAME_FOLDER = 'Choose an existing folder that contains the clips of one incident.';
const NAME_TARGET = 'Use the folder that the link points to.';
const GIVE_ACCESS = 'Check the disk or share, or give this account permission to read the folder.';

const failure = (code: FailureCode, path: string, what: string, advice = NAME_FOLDER): Failure => ({
  code,
  message: `The path ${visibleName(path)} ${what}.`,
  advice,
  retryable: false,
});
