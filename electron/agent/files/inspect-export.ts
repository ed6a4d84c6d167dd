import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BigIntStats } from './plain-fs.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { isIgnoredFileName, isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import type { ExportRef, FileSeen } from '../core/settle/file-seen.ts';
import {
  fileFailureNamed,
  fileIsLink,
  fileNotRegular,
  folderCycle,
  folderDenied,
  folderUnreadable,
  inRoot,
  folderTooDeep,
  nameUnreadable,
  createProblemList,
  type EntryProblem,
  type ProblemList,
} from './file-failures.ts';
import type { EntryStats } from './entry-stats.ts';
import { findRootFailureBehind } from './judge-file-failure.ts';
import { fileSeenOf, readEntries, statOf, statsOf, type Entry } from './read-entries.ts';
import type { RootGate } from './root-gate.ts';
import { troubleOf } from '../core/failures/system-trouble.ts';
import { systemErrorName } from '../system-errors.ts';

/** Most levels of folders below an export; deeper ones are a loop or a mistake. */
const MOST_LEVELS = 32;
/** Entries handled together, after which the event loop gets a turn. */
const ENTRIES_PER_GROUP = 64;
/** Groups inspected at a time: as many as the gate admits. */
const GROUPS_IN_FLIGHT = 2;
/**
 * A folder that changed this recently may change again without its time changing, milliseconds: FAT counts in
 * steps of two seconds, and network shares keep times for about as long.
 */
const FRESH_FOLDER_MS = 5_000;
/** State of a folder when it was listed: an equal stamp later means that no name was added or removed. */
export interface FolderStamp {
  readonly path: string;
  readonly text: string;
}

/** What an inspection saw of an export folder. */
export interface InspectedExport {
  readonly ref: ExportRef;
  readonly inode: string;
  /** Everything except folders, including links and devices, which are never opened. */
  readonly files: readonly FileSeen[];
  /** Paths of hidden files and by-products of the system, which are not inspected. */
  readonly litter: readonly string[];
  readonly problems: readonly EntryProblem[];
  /** What could not be read; folders end with a slash, the export itself is ``: its contents are unknown, not gone. */
  readonly unseen: readonly string[];
  /** All folders with their times, milliseconds since 1970; the path of the export itself is empty. */
  readonly folders: ReadonlyMap<string, { readonly birthMs: number; readonly mtimeMs: number }>;
  /** Stamps of all folders; undefined when one is too fresh to be trusted. */
  readonly stamps: readonly FolderStamp[] | undefined;
  /** `isEnough` ended the inspection early: the folder contains more. */
  readonly isCut?: true;
}

/**
 * Result of one inspection. `gone`: the folder does not exist. `unchanged`: all stamps are equal. `unreadable`: it
 * exists and its root can be listed, but nothing else is known.
 */
export type Inspection =
  | { readonly kind: 'seen'; readonly seen: InspectedExport }
  | { readonly kind: 'unchanged'; readonly exportPath: string }
  | { readonly kind: 'gone'; readonly exportPath: string }
  | { readonly kind: 'unreadable'; readonly exportPath: string; readonly failure: Failure }
  | { readonly kind: 'root-failed'; readonly failure: Failure };

export interface ExportRequest {
  readonly gate: RootGate;
  readonly rootId: string;
  readonly rootPath: string;
  readonly exportPath: string;
  /** Skip subfolders. */
  readonly isShallow?: boolean | undefined;
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: number;
  /** Stamps of an export in which nothing is waiting: while they are equal, nothing else is read. */
  readonly stamps?: readonly FolderStamp[] | undefined;
  /** The file as it settled, if it did: it is then only listed, not inspected again. */
  readonly settled?: ((path: string) => FileSeen | undefined) | undefined;
  /** Called before each entry with the number of earlier ones; true ends the inspection with what it has seen. */
  readonly isEnough?: (entryCount: number) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Inspects an export folder through the gate. Never opens a file, never follows a link. */
export async function inspectExport(request: ExportRequest): Promise<Inspection> {
  const { exportPath, rootPath, signal } = request;
  const folder = join(rootPath, exportPath);
  try {
    const stats = await statOf(request.gate, folder, signal);
    if (stats === undefined || !stats.isDirectory()) return { kind: 'gone', exportPath };
    if (await hasEqualStamps(request, folder, stats)) return { kind: 'unchanged', exportPath };
    const seen = await walkExport(request, folder, stats);
    return { kind: 'seen', seen: { ref: toRef(request, stats), inode: String(stats.ino), ...seen } };
  } catch (error) {
    const failure = await findRootFailureBehind(error, request.gate, rootPath, signal);
    if (failure !== undefined) return { kind: 'root-failed', failure };
    return { kind: 'unreadable', exportPath, failure: folderProblem(folder, 'whole', error) };
  }
}

async function hasEqualStamps(request: ExportRequest, folder: string, stats: BigIntStats): Promise<boolean> {
  if (request.stamps === undefined) return false;
  for (const stamp of request.stamps) {
    const now =
      stamp.path === '' ? stats : await statOf(request.gate, join(folder, stamp.path), request.signal);
    if (now === undefined || stampOf(now) !== stamp.text) return false;
  }
  return true;
}

function toRef({ rootId, rootPath, exportPath }: ExportRequest, stats: BigIntStats): ExportRef {
  return {
    rootId,
    rootPath,
    exportPath,
    birthMs: Number(stats.birthtimeMs),
    mtimeMs: Number(stats.mtimeMs),
  };
}

interface Folder {
  /** Path inside the export with a closing slash; empty for the export itself. */
  readonly prefix: string;
  readonly level: number;
  /** Device and inode of the folders above this one. */
  readonly ancestors: readonly string[];
  readonly stats: Omit<EntryStats, 'kind'>;
}

interface Walk {
  readonly request: ExportRequest;
  readonly root: string;
  readonly files: FileSeen[];
  readonly litter: string[];
  readonly problems: ProblemList;
  readonly unseen: string[];
  readonly folders: Map<string, { birthMs: number; mtimeMs: number }>;
  readonly stamps: FolderStamp[];
  readonly pending: Folder[];
  isFresh: boolean;
  entryCount: number;
  isCut: boolean;
  /** The root could be listed after an error: it is not checked again for each entry that fails. */
  isRootFine: boolean;
}

function stampOf(stats: Folder['stats']): string {
  return `${stats.dev}:${stats.ino}:${stats.mtimeNs}:${stats.ctimeNs}`;
}

/** Walks everything below an export folder whose own `stats` are known. */
async function walkExport(
  request: ExportRequest,
  root: string,
  stats: BigIntStats,
): Promise<Omit<InspectedExport, 'ref' | 'inode'>> {
  const lists = { files: [], litter: [], unseen: [], stamps: [], folders: new Map<string, never>() };
  const pending: Folder[] = [{ prefix: '', level: 0, ancestors: [], stats }];
  const problems = createProblemList();
  const state = { isFresh: false, isCut: false, isRootFine: false, entryCount: 0 };
  const walk: Walk = { request, root, ...lists, pending, problems, ...state };
  for (let folder = pending.pop(); folder !== undefined && !walk.isCut; folder = pending.pop()) {
    await inspectFolder(walk, folder);
  }
  const { files, litter, unseen, folders, isFresh, isCut } = walk;
  const stamps = isFresh || isCut ? undefined : walk.stamps;
  const seen = { files, litter, problems: problems.list, unseen, folders, stamps };
  return isCut ? { ...seen, isCut } : seen;
}

async function inspectFolder(walk: Walk, folder: Folder): Promise<void> {
  const { gate, signal, nowMs } = walk.request;
  const { prefix, stats } = folder;
  const { birthtimeMs, mtimeMs } = stats;
  walk.folders.set(prefix.slice(0, -1), { birthMs: Number(birthtimeMs), mtimeMs: Number(mtimeMs) });
  try {
    const listed = await readEntries(gate, join(walk.root, prefix), stats.size, signal);
    walk.stamps.push({ path: prefix, text: stampOf(stats) });
    if (nowMs - Number(stats.mtimeMs) < FRESH_FOLDER_MS) walk.isFresh = true;
    for (const hex of listed.unreadable) {
      walk.problems.add(`${prefix}<${hex}>`, nameUnreadable(prefix, hex));
    }
    await inspectEntries(walk, folder, listed.entries);
  } catch (error) {
    await noteFolderError(walk, prefix, error);
  }
}

/** The system's name for an error of one entry. Rejects with failures of the root, and with bugs. */
async function entryErrorName(walk: Walk, error: unknown): Promise<string> {
  const { gate, rootPath, signal } = walk.request;
  const name = systemErrorName(error);
  const isAnswered = walk.isRootFine && name !== undefined && troubleOf(name).whom === 'root';
  const failure = isAnswered ? undefined : await findRootFailureBehind(error, gate, rootPath, signal);
  if (failure !== undefined) throw new FailureError(failure);
  walk.isRootFine = true;
  return name ?? '';
}

async function noteFolderError(walk: Walk, prefix: string, error: unknown): Promise<void> {
  const name = await entryErrorName(walk, error);
  walk.unseen.push(prefix);
  // A folder removed since its parent was listed is not a problem
  if (isGone(name)) return;
  const folder = join(walk.root, prefix.slice(0, -1));
  walk.problems.add(prefix, folderProblem(folder, prefix === '' ? 'whole' : 'part', error));
}

const isGone = (name: string): boolean => {
  const trouble = troubleOf(name);
  return trouble.whom === 'entry' && trouble.what === 'gone';
};

function folderProblem(folder: string, extent: 'whole' | 'part', error: unknown): Failure {
  const name = systemErrorName(error) ?? '';
  const trouble = troubleOf(name);
  const isDenied = trouble.whom === 'root' && trouble.what === 'denied';
  return isDenied ? folderDenied(folder, extent, name) : folderUnreadable(folder, extent, name);
}

async function inspectEntries(walk: Walk, folder: Folder, entries: readonly Entry[]): Promise<void> {
  const rest = entries.values();
  const next = (): readonly Entry[] | undefined => unknownOf(walk, folder, rest);
  const work = async (): Promise<void> => {
    for (let group = next(); group !== undefined; group = next()) {
      if (group.length === 0) await nextTurn();
      else await inspectGroup(walk, folder, group);
    }
  };
  // All must have ended before an error is thrown: a worker left behind would add to a walk that has ended
  const outcomes = await Promise.allSettled(Array.from({ length: GROUPS_IN_FLIGHT }, work));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** The next entries that need a look; those whose name is enough are handled here. Undefined: there are no more. */
function unknownOf(walk: Walk, folder: Folder, rest: Iterator<Entry>): readonly Entry[] | undefined {
  const group: Entry[] = [];
  for (let count = 0; count < ENTRIES_PER_GROUP; count += 1) {
    walk.isCut ||= walk.request.isEnough?.(walk.entryCount) ?? false;
    const next = walk.isCut ? undefined : rest.next();
    if (next === undefined || next.done === true) return group.length > 0 ? group : undefined;
    walk.entryCount += 1;
    if (!isTakenByName(walk, folder.prefix, next.value)) group.push(next.value);
  }
  return group;
}

function isTakenByName({ request, litter, files }: Walk, prefix: string, { name, kind }: Entry): boolean {
  if (kind === 'directory') return request.isShallow === true || isIgnoredFolderName(name);
  const path = prefix + name;
  if (isIgnoredFileName(name)) return litter.push(path) > 0;
  const known = kind === 'file' ? request.settled?.(path) : undefined;
  return known !== undefined && files.push(known) > 0;
}

async function inspectGroup(walk: Walk, folder: Folder, group: readonly Entry[]): Promise<void> {
  const { gate, signal } = walk.request;
  const inFolder = join(walk.root, folder.prefix);
  const paths = group.map(({ name }) => join(inFolder, name));
  for (const [index, outcome] of (await statsOf(gate, paths, signal)).entries()) {
    const { name = '', kind } = group[index] ?? {};
    const path = folder.prefix + name;
    if (!outcome.ok) await noteEntryError(walk, path, outcome.error);
    else if (outcome.value && (outcome.value.kind === 'directory') === (kind === 'directory'))
      take(walk, folder, path, outcome.value);
  }
}

function take(walk: Walk, folder: Folder, path: string, stats: EntryStats): void {
  if (stats.kind === 'directory') return noteSubfolder(walk, folder, path, stats);
  const file = fileSeenOf(path, stats);
  walk.files.push(file);
  if (file.kind === 'link') walk.problems.add(path, fileIsLink(path));
  if (file.kind === 'other') walk.problems.add(path, fileNotRegular(path));
}

function noteSubfolder(walk: Walk, parent: Folder, path: string, stats: EntryStats): void {
  const ancestors = [...parent.ancestors, identityOf(parent.stats)];
  const level = parent.level + 1;
  if (ancestors.includes(identityOf(stats))) walk.problems.add(path, folderCycle(path));
  else if (level > MOST_LEVELS) walk.problems.add(path, folderTooDeep(path, MOST_LEVELS));
  else walk.pending.push({ prefix: `${path}/`, level, ancestors, stats });
}

async function noteEntryError(walk: Walk, path: string, error: unknown): Promise<void> {
  const name = await entryErrorName(walk, error);
  walk.unseen.push(path);
  walk.problems.add(path, inRoot(fileFailureNamed(name, path), walk.request.rootPath));
}

const identityOf = (stats: Folder['stats']): string => `${stats.dev}:${stats.ino}`;
