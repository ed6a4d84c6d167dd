import { join } from 'node:path';
import type { BigIntStats } from '../files/plain-fs.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { WatchUnit } from '../../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileSeen, ExportRef } from '../core/settle/file-seen.ts';
import { isIgnoredFileName, isIgnoredFolderName, markerOf } from '../core/naming/file-kinds.ts';
import {
  fileIsLink,
  fileNotRegular,
  looseFile,
  nameUnreadable,
  createProblemList,
  type EntryProblem,
  type ProblemList,
} from '../files/file-failures.ts';
import { inspectExport, type FolderStamp, type Inspection } from '../files/inspect-export.ts';
import { readEntries, statOf, type Entry } from '../files/read-entries.ts';
import { isLooseTree, takesLoose, treesOf } from '../core/settle/split-units.ts';
import * as failures from '../files/root-failures.ts';
import type { RootGate } from '../files/root-gate.ts';

/** Remembered exports to compare when the identity of a root differs: enough to be sure, few enough to be cheap. */
const MOST_COMPARED = 16;

/** Distinguishes folders of different disks at the same path. */
export interface RootIdentity {
  readonly device: string;
  readonly inode: string;
}

/** An export as it is remembered. */
export interface ExportIdentity {
  readonly inode: string;
  readonly birthMs: number;
}

/**
 * What is at a root's path now. `recreated`: a new folder on the same disk. `remounted`: device numbers changed
 * but the exports are the known ones. `other-disk`: neither.
 */
type RootStanding = 'same' | 'recreated' | 'remounted' | 'other-disk';

/** What earlier scans remember of a root. */
export interface RootMemory {
  readonly identity: RootIdentity | undefined;
  readonly exports: ReadonlyMap<string, ExportIdentity>;
}

/** One scan of a root. Exports are handed over one at a time, so that memory holds one, not ten thousand. */
export interface ScanRequest {
  readonly gate: RootGate;
  readonly rootId: string;
  readonly rootPath: string;
  /** The only folder to scan, for a pushed export; undefined: every folder of the root. */
  readonly onlyExport?: string | undefined;
  /** The unit of an incident; missing: each folder. */
  readonly unit?: WatchUnit | undefined;
  /** Whether a loose file is in the queue already. */
  readonly isTaken?: ((name: string) => boolean) | undefined;
  readonly memory: RootMemory;
  readonly now: () => number;
  readonly stampsOf?: (exportPath: string) => readonly FolderStamp[] | undefined;
  readonly settledOf?: (exportPath: string) => ((path: string) => FileSeen | undefined) | undefined;
  /** The root is the remembered one, or one that may take its place; its exports are inspected next. */
  readonly onListed?: (standing: RootStanding, names: readonly string[]) => void;
  /** Awaited before the next export is inspected. */
  readonly onExport: (answer: Exclude<Inspection, { kind: 'root-failed' }>) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** What a scan found besides the exports themselves. */
export interface RootScan {
  readonly identity: RootIdentity;
  readonly standing: RootStanding;
  /** `empty`: nothing in it at all, which never counts as a deletion unless the folder is surely the same. */
  readonly rootState: 'filled' | 'empty';
  /** Names of the export folders that are there. */
  readonly present: ReadonlySet<string>;
  /** All names of loose files and links, and those that cannot be read. */
  readonly loose: readonly string[];
  /** The problems of the first of them. */
  readonly problems: readonly EntryProblem[];
}

/** Scans a root and all its exports through the gate. A failure says nothing about the root's contents. */
export async function scanRoot(request: ScanRequest): Promise<Result<RootScan, Failure>> {
  try {
    return await scan(request);
  } catch (error) {
    request.signal?.throwIfAborted();
    const failure = failures.rootFailureOf(error, request.rootPath);
    if (failure === undefined) throw error;
    return err(failure);
  }
}

async function scan(request: ScanRequest): Promise<Result<RootScan, Failure>> {
  const before = await rootStats(request);
  if (!before.ok) return before;
  const listed = await listExports(request, before.value);
  const identity = identityOf(before.value);
  const standing = judgeRoot(request.memory.identity, identity, await compareExports(request, identity));
  if (standing === 'other-disk') return err(failures.otherDisk(request.rootPath));
  request.onListed?.(standing, listed.names);
  const present = new Set<string>();
  for (const exportPath of listed.names) {
    const answer = await inspectExport(exportRequest(request, exportPath));
    if (answer.kind === 'root-failed') return err(answer.failure);
    if (answer.kind !== 'gone') present.add(exportPath);
    await request.onExport(answer);
  }
  // An unmount in the middle of the scan leaves an empty folder behind, and half a listing
  const after = await rootStats(request);
  if (!after.ok) return after;
  if (!isSameIdentity(identityOf(after.value), identity)) return err(failures.rootVanished(request.rootPath));
  const rootState = listed.isEmpty ? 'empty' : 'filled';
  return ok({ identity, standing, rootState, present, loose: listed.loose, problems: listed.problems });
}

function exportRequest(request: ScanRequest, exportPath: string): Parameters<typeof inspectExport>[0] {
  const { gate, rootId, rootPath, unit, signal } = request;
  return {
    gate,
    rootId,
    rootPath,
    exportPath,
    isShallow: isLooseTree(unit, exportPath),
    nowMs: request.now(),
    stamps: request.stampsOf?.(exportPath),
    settled: request.settledOf?.(exportPath),
    signal,
  };
}

async function rootStats(request: ScanRequest): Promise<Result<BigIntStats, Failure>> {
  const { gate, rootPath, memory, signal } = request;
  const stats = await statOf(gate, rootPath, signal);
  if (stats === undefined) {
    return err(memory.identity ? failures.rootVanished(rootPath) : failures.rootMissing(rootPath));
  }
  if (stats.isSymbolicLink()) return err(failures.rootLink(rootPath));
  return stats.isDirectory() ? ok(stats) : err(failures.rootNotFolder(rootPath));
}

interface Listing {
  readonly names: readonly string[];
  readonly isEmpty: boolean;
  readonly loose: readonly string[];
  readonly problems: readonly EntryProblem[];
}

async function listExports(request: ScanRequest, stats: BigIntStats): Promise<Listing> {
  const { gate, rootPath, onlyExport, unit, signal } = request;
  if (onlyExport !== undefined) return { names: [onlyExport], isEmpty: false, loose: [], problems: [] };
  const { entries, unreadable } = await readEntries(gate, rootPath, stats.size, signal);
  const problems = createProblemList();
  const loose: string[] = [];
  const refuse = (name: string, failure: Failure): void => {
    loose.push(name);
    problems.add(name, failure);
  };
  for (const hex of unreadable) refuse(`<${hex}>`, nameUnreadable('', hex));
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.kind === 'directory' && !isIgnoredFolderName(entry.name)) names.push(entry.name);
    else if (entry.kind !== 'directory' && !takesLoose(unit) && request.isTaken?.(entry.name) !== true)
      noteLooseEntry(entry, refuse);
  }
  return {
    names: treesOf(unit, names),
    isEmpty: entries.length + unreadable.length === 0,
    loose,
    problems: problems.list,
  };
}

function noteLooseEntry({ name, kind }: Entry, refuse: ProblemList['add']): void {
  if (isIgnoredFileName(name) || markerOf(name) !== undefined) return;
  if (kind === 'link') refuse(name, fileIsLink(name));
  else if (kind === 'other') refuse(name, fileNotRegular(name));
  else refuse(name, looseFile(name));
}

/** Compares remembered exports with those here now, but only if device numbers differ. */
async function compareExports(
  { gate, rootPath, memory, signal }: ScanRequest,
  now: RootIdentity,
): Promise<{ compared: number; matching: number }> {
  if (memory.identity === undefined || memory.identity.device === now.device)
    return { compared: 0, matching: 0 };
  const sample = [...memory.exports].slice(-MOST_COMPARED);
  let matching = 0;
  for (const [name, before] of sample) {
    const stats = await statOf(gate, join(rootPath, name), signal);
    if (stats === undefined) continue;
    if (isSameExport(before, { birthMs: Number(stats.birthtimeMs) }, String(stats.ino))) matching += 1;
  }
  return { compared: sample.length, matching };
}

function identityOf(stats: BigIntStats): RootIdentity {
  return { device: String(stats.dev), inode: String(stats.ino) };
}

function isSameIdentity(one: RootIdentity, other: RootIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}

/** Judges a root's identity; `matching` of `compared` remembered exports were found as they were. */
function judgeRoot(
  before: RootIdentity | undefined,
  now: RootIdentity,
  found: { readonly compared: number; readonly matching: number },
): RootStanding {
  if (before === undefined) return 'same';
  if (before.device === now.device) return before.inode === now.inode ? 'same' : 'recreated';
  // With nothing remembered, nothing can be mistaken for deleted
  if (found.compared === 0) return 'remounted';
  return found.matching * 2 >= found.compared ? 'remounted' : 'other-disk';
}

/**
 * Whether a folder of the same name is still the same export: by birth time, else by inode. Inode numbers change on
 * some shares and memory cards, and birth times are missing on others.
 */
export function isSameExport(
  before: ExportIdentity,
  ref: Pick<ExportRef, 'birthMs'>,
  inode: string,
): boolean {
  if (before.birthMs > 0 && ref.birthMs > 0) return before.birthMs === ref.birthMs;
  return before.inode === inode;
}
