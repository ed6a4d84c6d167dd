import type { Failure } from '../../../shared/domain/failure.ts';
import type { ExportRef, FileSeen, ExportSnapshot, SettledFile } from '../core/settle/file-seen.ts';
import type { Observation } from '../core/settle/settle-rule.ts';
import type { FolderStamp } from '../files/look-at-export.ts';
import type { EntryProblem } from '../files/problem-list.ts';

/** How far one file has settled. */
export type FileState =
  | {
      readonly kind: 'changing';
      readonly seen: FileSeen;
      readonly observation: Observation;
      /** Temporary by name: it is waited for, and left out once it is quiet. */
      readonly isTemporary: boolean;
      /** Wall-clock time of the look that found it first, or changed after it had settled; milliseconds since 1970. */
      readonly seenAtMs: number;
    }
  | { readonly kind: 'held'; readonly seen: FileSeen; readonly failure: Failure; readonly sinceMs: number }
  | { readonly kind: 'left-out'; readonly seen: FileSeen }
  | { readonly kind: 'settled'; readonly seen: SettledFile };

/** What is remembered of one export folder. */
export interface ExportRecord {
  ref: ExportRef;
  readonly inode: string;
  readonly files: Map<string, FileState>;
  /** Links, pipes and devices. */
  others: readonly FileSeen[];
  problems: readonly EntryProblem[];
  stamps: readonly FolderStamp[] | undefined;
  changing: number;
  held: number;
  /** The set of settled files differs from what was handed over. */
  isDirty: boolean;
  /** Unsettled files that the last hand-over spoke of. */
  toldUnsettled: number;
  /** Whether the one who takes exports knows of this one. */
  isTold: boolean;
  /** Monotonic time before which hints about it are put off, milliseconds. */
  hintsFromMs: number;
  /** Whole scans in a row that did not find the folder. */
  missedScans: number;
}

/** A record of an export that was not seen before. */
export function newRecord(ref: ExportRef, inode: string): ExportRecord {
  return {
    ref,
    inode,
    files: new Map(),
    others: [],
    problems: [],
    stamps: undefined,
    changing: 0,
    held: 0,
    isDirty: false,
    toldUnsettled: 0,
    isTold: false,
    hintsFromMs: 0,
    missedScans: 0,
  };
}

/** Whether the one who takes exports must be told: other settled files, or nothing left to wait for. */
export function needsReport(record: ExportRecord): boolean {
  return record.isDirty || (record.toldUnsettled > 0 && record.changing === 0);
}

/** The export as it is handed over. */
export function snapshotOf(record: ExportRecord): ExportSnapshot {
  const settled: SettledFile[] = [];
  const all: FileSeen[] = [...record.others];
  for (const state of record.files.values()) {
    all.push(state.seen);
    if (state.kind === 'settled') settled.push(state.seen);
  }
  const { ref, changing, held } = record;
  return { ref, settled, unsettledCount: changing, heldCount: held, all };
}

/** The last word about an export whose folder is gone. */
export function removedSnapshotOf(record: ExportRecord): ExportSnapshot {
  const { ref } = record;
  return { ref, settled: [], unsettledCount: 0, heldCount: 0, all: [], removedExport: true };
}

/** Counts anew what changes and what is held; a look has just passed over all files anyway. */
export function recount(record: ExportRecord): void {
  record.changing = 0;
  record.held = 0;
  for (const state of record.files.values()) {
    if (state.kind === 'changing') record.changing += 1;
    if (state.kind === 'held') record.held += 1;
  }
}

/** Answers settled files by path, for a look that need not look at them again. */
export function settledFileOf(
  record: ExportRecord | undefined,
): ((path: string) => FileSeen | undefined) | undefined {
  if (record === undefined) return undefined;
  return (path) => {
    const state = record.files.get(path);
    return state?.kind === 'settled' ? state.seen : undefined;
  };
}
