import type { BigIntStats } from 'node:fs';
import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { ExportRef, FileSeen } from '../core/settle/file-seen.ts';
import type { EntryProblem } from './problem-list.ts';
import type { RootGate } from './root-gate.ts';
import { statOf } from './stat-entry.ts';
import { stampOf, walkExport } from './walk-export.ts';
import { rootFailureOf } from './watch-failures.ts';

/** How a folder stood when it was listed: an equal stamp later means that no name came or went. */
export interface FolderStamp {
  readonly path: string;
  readonly text: string;
}

/** What one look at an export folder saw. */
export interface ExportLook {
  readonly ref: ExportRef;
  readonly inode: string;
  /** Everything that is no folder: files, and links and devices too, which are never opened. */
  readonly files: readonly FileSeen[];
  readonly problems: readonly EntryProblem[];
  /** Folders that could not be listed, with a closing slash, `` for the export itself: what is inside is unknown, not gone. */
  readonly unseen: readonly string[];
  /** Stamps of all folders; undefined when one is too fresh to be trusted. */
  readonly stamps: readonly FolderStamp[] | undefined;
  /** Set when the look ended early because `isEnough` said so: there is more in the folder. */
  readonly isCut?: true;
}

/** Answer of one look. `gone`: no such folder now. `unchanged`: all stamps are as they were. */
export type ExportAnswer =
  | { readonly kind: 'seen'; readonly look: ExportLook }
  | { readonly kind: 'unchanged'; readonly exportPath: string }
  | { readonly kind: 'gone'; readonly exportPath: string }
  | { readonly kind: 'root-failed'; readonly failure: Failure };

/** What to look at, and what need not be looked at again. */
export interface ExportRequest {
  readonly gate: RootGate;
  readonly rootId: string;
  readonly rootPath: string;
  readonly exportPath: string;
  /** Wall clock, milliseconds since 1970. */
  readonly nowMs: number;
  /** Stamps of an export in which nothing is waiting: when they are equal, nothing else is looked at. */
  readonly stamps?: readonly FolderStamp[] | undefined;
  /** The file as it was when it settled; it is then not looked at again, only found present. */
  readonly settled?: ((path: string) => FileSeen | undefined) | undefined;
  /** Asked before each entry, with the number of those before it; true ends the look with what it has seen. */
  readonly isEnough?: (entryCount: number) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** One look at an export folder, through the gate. Never opens a file, never follows a link. */
export async function lookAtExport(request: ExportRequest): Promise<ExportAnswer> {
  const { exportPath, rootPath, signal } = request;
  const folder = join(rootPath, exportPath);
  try {
    const stats = await statOf(request.gate, folder, signal);
    if (stats === undefined || !stats.isDirectory()) return { kind: 'gone', exportPath };
    if (await hasEqualStamps(request, folder, stats)) return { kind: 'unchanged', exportPath };
    const seen = await walkExport(request, folder, stats);
    return { kind: 'seen', look: { ref: toRef(request, stats), inode: String(stats.ino), ...seen } };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = rootFailureOf(error, rootPath);
    if (failure === undefined) throw error;
    return { kind: 'root-failed', failure };
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
