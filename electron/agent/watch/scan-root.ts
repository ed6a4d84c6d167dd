import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { FileSeen } from '../core/settle/file-seen.ts';
import { isIgnoredFileName, isIgnoredFolderName } from '../core/naming/file-kinds.ts';
import { lookAtExport, type ExportAnswer, type FolderStamp } from '../files/look-at-export.ts';
import { createProblemList, type EntryProblem, type ProblemList } from '../files/problem-list.ts';
import { readEntries, type Entry } from '../files/read-entries.ts';
import type { RootGate } from '../files/root-gate.ts';
import {
  isSameExport,
  judgeRoot,
  MOST_COMPARED,
  type ExportIdentity,
  type RootIdentity,
  type RootStanding,
} from './root-identity.ts';
import { statOf } from '../files/stat-entry.ts';
import * as failures from '../files/watch-failures.ts';

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
  /** The one folder that is wanted, for a pushed export; undefined: every folder of the root. */
  readonly onlyExport?: string | undefined;
  readonly memory: RootMemory;
  readonly now: () => number;
  readonly stampsOf?: (exportPath: string) => readonly FolderStamp[] | undefined;
  readonly settledOf?: (exportPath: string) => ((path: string) => FileSeen | undefined) | undefined;
  /** Awaited before the next export is looked at. */
  readonly onExport: (answer: Exclude<ExportAnswer, { kind: 'root-failed' }>) => Promise<void>;
  readonly signal?: AbortSignal | undefined;
}

/** What a scan found besides the exports themselves. */
export interface RootScan {
  readonly identity: RootIdentity;
  readonly standing: RootStanding;
  /** `empty`: nothing in it at all, which is never taken for a deletion unless the folder is surely the same. */
  readonly rootState: 'filled' | 'empty';
  /** Names of the export folders that are there. */
  readonly present: ReadonlySet<string>;
  /** Loose files, links, unreadable names. */
  readonly problems: readonly EntryProblem[];
}

/** Looks at a root and all its exports through the gate. A failure says nothing about what is in it. */
export async function scanRoot(request: ScanRequest): Promise<Result<RootScan, Failure>> {
  try {
    return await scan(request);
  } catch (error) {
    request.signal?.throwIfAborted();
    const failure =
      failures.rootFailureOf(error, request.rootPath) ?? listingFailure(request.rootPath, error);
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
  const present = new Set<string>();
  for (const exportPath of listed.names) {
    const answer = await lookAtExport(exportRequest(request, exportPath));
    if (answer.kind === 'root-failed') return err(answer.failure);
    if (answer.kind !== 'gone') present.add(exportPath);
    await request.onExport(answer);
  }
  // an unmount in the middle of the scan leaves an empty folder behind, and half a listing
  const after = await rootStats(request);
  if (!after.ok) return after;
  if (!isSameIdentity(identityOf(after.value), identity)) return err(failures.rootVanished(request.rootPath));
  const rootState = listed.isEmpty ? 'empty' : 'filled';
  return ok({ identity, standing, rootState, present, problems: listed.problems });
}

function exportRequest(request: ScanRequest, exportPath: string): Parameters<typeof lookAtExport>[0] {
  const { gate, rootId, rootPath, signal } = request;
  return {
    gate,
    rootId,
    rootPath,
    exportPath,
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
  readonly problems: readonly EntryProblem[];
}

async function listExports(request: ScanRequest, stats: BigIntStats): Promise<Listing> {
  const { gate, rootPath, onlyExport, signal } = request;
  if (onlyExport !== undefined) return { names: [onlyExport], isEmpty: false, problems: [] };
  const { entries, unreadable } = await readEntries(gate, rootPath, stats.size, signal);
  const problems = createProblemList();
  for (const hex of unreadable) problems.add(`<${hex}>`, failures.nameUnreadable('', hex));
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.kind === 'directory' && !isIgnoredFolderName(entry.name)) names.push(entry.name);
    else if (entry.kind !== 'directory') noteLooseEntry(entry, problems);
  }
  return { names, isEmpty: entries.length + unreadable.length === 0, problems: problems.list };
}

function noteLooseEntry({ name, kind }: Entry, problems: ProblemList): void {
  if (isIgnoredFileName(name)) return;
  if (kind === 'link') problems.add(name, failures.fileLink(name));
  else if (kind === 'other') problems.add(name, failures.fileNotRegular(name));
  else problems.add(name, failures.looseFile(name));
}

/** Only when device numbers differ: are the exports that are remembered the ones that are here? */
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

function listingFailure(rootPath: string, error: unknown): Failure | undefined {
  const code = failures.errorCodeOf(error);
  if (code === 'EACCES' || code === 'EPERM') return failures.rootDenied(rootPath, code);
  if (code === 'ENOENT' || code === 'ENOTDIR') return failures.rootVanished(rootPath);
  return code === undefined ? undefined : failures.rootOffline(rootPath, code);
}

function identityOf(stats: BigIntStats): RootIdentity {
  return { device: String(stats.dev), inode: String(stats.ino) };
}

function isSameIdentity(one: RootIdentity, other: RootIdentity): boolean {
  return one.device === other.device && one.inode === other.inode;
}
