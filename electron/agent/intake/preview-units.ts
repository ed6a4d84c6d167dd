import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import type { UnitPreview, UnitQuestion } from '../../../shared/ipc/calls/incidents.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import { readClipName } from '../core/naming/read-clip-name.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import { rootIdOf } from '../core/records/derived-ids.ts';
import { isSameVersion, type KnownFile } from '../core/settle/file-seen.ts';
import { splitUnits, takesLoose, type UnitFile, type UnitTerms } from '../core/settle/split-units.ts';
import { folderMissing, findFolder, throughGate } from '../files/find-folder.ts';
import { inspectExport } from '../files/inspect-export.ts';
import type { RootGates } from '../files/root-gate.ts';
import { fsPromises } from '../files/plain-fs.ts';
import { isLooseIn, rulesOf, type WatchedRoot } from '../files/watched-root.ts';
import type { Clock } from '../ports.ts';
import { knownFiles } from '../store/sent-rows.ts';
import type { Tables } from '../store/tables.ts';
import { homedir } from 'node:os';
import { checkPushed } from '../core/settings/check-roots.ts';
import type { BrowseGate } from '../files/find-folder.ts';

/** Most entries that are read, and for how long, milliseconds: what was seen by then is reported. */
const MOST_ENTRIES = 10_000;
const LOOK_MS = 8_000;
const MOST_EXAMPLES = 5;

interface Deps {
  readonly tables: Pick<Tables, 'clips' | 'sent'>;
  readonly clock: Clock;
  readonly gates: RootGates;
  readonly deskId: DeskId;
  readonly roots: readonly WatchedRoot[];
}

/**
 * How many incidents the files of a watched root would be with another unit, and how many they are with the current
 * one. Names and sizes are read; nothing is opened or stored. Errors: ROOT_MISSING for a folder that is not watched,
 * and those of a root that cannot be read.
 */
export async function previewUnits(
  deps: Deps,
  question: UnitQuestion,
  signal: AbortSignal,
): Promise<Result<UnitPreview, Failure>> {
  const root = deps.roots.find(({ settings }) => settings.path === question.path);
  if (root === undefined) return err(folderMissing(question.path));
  const { settings } = root;
  const rootId = rootIdOf(deps.deskId, settings.path);
  const untilMs = deps.clock.monotonic() + LOOK_MS;
  const answer = await inspectExport({
    gate: deps.gates.of(settings.path),
    rootId,
    rootPath: settings.path,
    exportPath: '',
    nowMs: deps.clock.now(),
    isEnough: (entryCount) => entryCount >= MOST_ENTRIES || deps.clock.monotonic() >= untilMs,
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    if (error instanceof FailureError) return { kind: 'root-failed', failure: error.failure } as const;
    throw error;
  });
  if (answer.kind !== 'seen')
    return err(answer.kind === 'root-failed' ? answer.failure : folderMissing(settings.path));
  const known = knownFiles(deps.tables, { rootId, exportPath: '' });
  const { watch } = rulesOf({ ...settings, ...question });
  const files = answer.seen.files.map((file): UnitFile => {
    const isClip = isClipFile(file);
    const before = isClip ? known.get(file.path) : undefined;
    const owner = before !== undefined && isSameVersion(before, file) ? before.owner : undefined;
    const span = isClip ? spanOf(file.path, before, watch) : undefined;
    return { path: file.path, isClip, span, owner };
  });
  const now = newIncidents(files, settings);
  const later = newIncidents(files, question);
  return ok({
    now: now.length,
    later: later.length,
    inQueue: new Set(files.flatMap(({ owner }) => owner?.exportPath ?? [])).size,
    looseLater: takesLoose(question.unit) ? 0 : looseClips(files),
    examples: later.slice(0, MOST_EXAMPLES).map((name) => visibleName(name)),
    ...(answer.seen.isCut === true && { isCut: true }),
  });
}

function spanOf(
  path: string,
  known: KnownFile | undefined,
  rules: Parameters<typeof readClipName>[1],
): UnitFile['span'] {
  const read = readClipName(path, rules);
  const startMs = known?.startMs ?? read?.startedAt?.value;
  return startMs === undefined
    ? undefined
    : { startMs, endMs: known?.endMs ?? read?.endedAt?.value ?? startMs };
}

const isLoose = ({ path }: UnitFile): boolean => !path.includes('/');

const looseClips = (files: readonly UnitFile[]): number =>
  files.filter((file) => file.isClip && file.owner === undefined && isLoose(file)).length;

/** Names of the incidents that would be new, in order; those in the queue stay what they are. */
function newIncidents(
  files: readonly UnitFile[],
  { unit, windowMinutes }: Pick<UnitTerms, 'unit' | 'windowMinutes'>,
): readonly string[] {
  const trees = Map.groupBy(files, (file) => (unit === 'window' || isLoose(file) ? '' : topOf(file.path)));
  const names: string[] = [];
  for (const [tree, own] of trees) {
    if (tree === '' && !takesLoose(unit)) continue;
    for (const { key, hasClips, files: parts } of splitUnits(own, { unit, windowMinutes, tree }))
      if (hasClips && parts.every(({ owner }) => owner === undefined)) names.push(key.exportPath);
  }
  return names.toSorted();
}

const topOf = (path: string): string => path.slice(0, path.indexOf('/'));

interface PushDeps {
  readonly gate: BrowseGate;
  readonly roots: readonly WatchedRoot[];
  readonly dataDir: string;
}

/**
 * The real paths of folders to send, each once and in order. The first unsuitable one refuses all, with its place in
 * the list as the field. `isLoose`: see `PushRequest.loose`. Errors: as `checkFolder`.
 */
export async function checkPush(
  deps: PushDeps,
  folders: readonly string[],
  signal: AbortSignal,
  isLoose = false,
): Promise<Result<readonly string[], Failure>> {
  const found: string[] = [];
  for (const [index, folder] of folders.entries()) {
    const result = isLoose
      ? await checkLoose(deps, folder, signal)
      : await checkFolder(deps, folder, signal, found);
    if (!result.ok) return err(atPlace(result.error, index));
    if (!found.includes(result.value)) found.push(result.value);
  }
  return ok(found);
}

/**
 * The real path of a watched folder whose loose files are to be sent, or the path of an incident in one without its own
 * folder. Errors: as `findFolder`, ROOT_MISSING for a folder that is not watched.
 */
async function checkLoose(
  { gate, roots }: PushDeps,
  folder: string,
  signal: AbortSignal,
): Promise<Result<string, Failure>> {
  if (roots.some((root) => isLooseIn(root, folder))) {
    const file = await throughGate(gate, folder, signal, () => fsPromises.lstat(folder));
    return file.ok ? ok(folder) : file;
  }
  const found = await findFolder(gate, folder, signal);
  if (!found.ok) return found;
  const isWatched = roots.some(({ realPath }) => realPath === found.value.realPath);
  return isWatched ? ok(found.value.realPath) : err(notWatched(folder));
}

const notWatched = (folder: string): Failure => ({
  code: 'ROOT_MISSING',
  message: `The folder ${visibleName(folder)} is not watched.`,
  advice: 'To send the files in it, add it to the watched folders first.',
  retryable: false,
});

/**
 * The real path of one folder to send, after those `before` it. Errors: as `findFolder`, ROOT_FORBIDDEN, ROOT_OVERLAP.
 */
export async function checkFolder(
  deps: PushDeps,
  folder: string,
  signal: AbortSignal,
  before: readonly string[] = [],
): Promise<Result<string, Failure>> {
  const found = await findFolder(deps.gate, folder, signal);
  if (!found.ok) return found;
  const { realPath } = found.value;
  const problem = checkPushed(
    { path: folder, realPath },
    { others: before, roots: deps.roots.map((root) => root.realPath) },
    {
      platform: process.platform === 'win32' ? 'win32' : 'posix',
      dataDir: deps.dataDir,
      homeDir: homedir(),
    },
  );
  return problem === undefined ? ok(realPath) : err(problem);
}

function atPlace(failure: Failure, index: number): Failure {
  return { ...failure, fields: [{ name: `folders.${index}`, text: failure.message }] };
}
