import type { WatchUnit } from '../../../../shared/domain/settings.ts';
import type { MediaFacts } from '../naming/file-content.ts';
import type { FileContent } from '../naming/file-content.ts';
import { EARLIEST_PLAUSIBLE_MS } from '../times/zoned-time.ts';

/** A file as seen in one look at its folder. Paths are relative to the export folder, with `/` between names. */
export interface FileSeen {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'directory' | 'other';
  readonly sizeBytes: number;
  /** Modification time, nanoseconds since 1970 as decimal text: exact, and comparable as it is. */
  readonly mtimeNs: string;
  /** Change time, in the form of `mtimeNs`: no program can set it back. Missing if it was not requested. */
  readonly ctimeNs?: string;
  readonly inode: string;
  readonly device: string;
  /** Number of hard links. */
  readonly links: number;
  /** What its first bytes say it is, if they were read; this takes precedence over its name. */
  readonly content?: FileContent;
  /**
   * It is a clip regardless of name and bytes: the settings of its folder or a person said so, or it is in the queue.
   */
  readonly isEvidence?: true;
  /**
   * All that can be known of its recording, if the look that let it settle found that; the file is not opened again for
   * it.
   */
  readonly facts?: MediaFacts;
}

/** Identifies the bytes of a file at one moment: equal versions count as equal bytes until hashes say otherwise. */
export interface FileVersion {
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  readonly inode: string;
  readonly device: string;
}

/** A version with its change time, if that is known. */
export interface NotedVersion extends FileVersion {
  readonly ctimeNs?: string | null | undefined;
}

/** A file that was queued before: its version, and where it is in the queue. */
export interface KnownFile extends NotedVersion {
  /** The incident that it is in, unless that folder was seen to be gone; `birthMs` as in `ExportRef`. */
  readonly owner?: { readonly exportPath: string; readonly folder: string; readonly birthMs: number };
  /** When it was recorded, milliseconds since 1970. */
  readonly startMs?: number;
  readonly endMs?: number;
  /** Only its vendor's player can play it. */
  readonly isNative?: true;
}

/** Marks a file that is in the queue as a clip, which its name and bytes may not show. */
export const asEvidence = <T extends FileSeen>(file: T, isNative: boolean): T => ({
  ...file,
  isEvidence: true,
  ...(isNative && { content: 'native' as const }),
});

/** An export folder: one incident. */
export interface ExportRef {
  readonly rootId: string;
  /** Absolute path of the watched root. */
  readonly rootPath: string;
  /** Path of the export inside the root; a single name for a child folder. */
  readonly exportPath: string;
  /**
   * Folder inside the root that its paths are relative to, if not `exportPath`: for a loose clip and for clips of
   * several folders.
   */
  readonly folder?: string;
  /** What makes up one incident in its root; missing: a folder. */
  readonly unit?: WatchUnit;
  /** Birth time of the export folder, milliseconds since 1970 (0 where the file system knows none). */
  readonly birthMs: number;
  /** Modification time of the export folder, milliseconds since 1970. */
  readonly mtimeMs: number;
}

/** The folder inside its root that the paths of an export are relative to. */
export const folderOfExport = ({ folder, exportPath }: Pick<ExportRef, 'folder' | 'exportPath'>): string =>
  folder ?? exportPath;

/** A file that may be queued. */
export interface SettledFile extends FileSeen {
  /** Set on a file that was accepted although its container ends early, because nothing had written to it for hours. */
  readonly incomplete?: true;
  /** Wall-clock time of the first look that saw it, milliseconds since 1970; known when it has just settled. */
  readonly seenAtMs?: number;
}

/** The current state of an export. It is always delivered whole, so that the receiver compares instead of adding up. */
export interface ExportSnapshot {
  readonly ref: ExportRef;
  /** All settled files, including those delivered earlier. */
  readonly settled: readonly SettledFile[];
  /** How many files are still changing. At 0 nothing more is expected. */
  readonly unsettledCount: number;
  /** How many items are held back: empty files, containers that end early, unfinished copies, unreadable ones. */
  readonly heldCount: number;
  /** Everything in the folder except folders, including held and unsettled files, links and temporary files. */
  readonly all: readonly FileSeen[];
  /** In addition, hidden files and by-products of the system; missing if only part of the folder was looked at. */
  readonly litter?: readonly string[];
  /** The folder itself is gone or has been replaced by another one. */
  readonly removedExport?: true;
}

/** Whether size and modification time, which change with the bytes, are equal. */
export function isSameVersion(
  row: Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>,
  file: Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>,
): boolean {
  return row.sizeBytes === file.sizeBytes && row.mtimeNs === file.mtimeNs;
}

/**
 * Whether a file of the same size and time may have different bytes: another file replaced it, or its time means
 * nothing, as on a recorder without a clock, whose blocks all have the same size and a date in 1980. The change time
 * shows it. A different inode counts only on the same device: a disk or share that is mounted again may renumber its
 * files.
 */
export function isRewritten(before: NotedVersion, now: NotedVersion): boolean {
  if (before.ctimeNs == null || now.ctimeNs == null || before.ctimeNs === now.ctimeNs) return false;
  const isTimeless = Number(now.mtimeNs) / 1e6 < EARLIEST_PLAUSIBLE_MS;
  return isTimeless || (before.device === now.device && before.inode !== now.inode);
}

/** Whether a file is still the same, as far as can be told without reading it. */
export const isSameFile = (before: NotedVersion, now: FileSeen): boolean =>
  isSameVersion(before, now) && !isRewritten(before, now);
