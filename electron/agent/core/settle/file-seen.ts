import type { WatchUnit } from '../../../../shared/domain/settings.ts';
import type { MediaFacts } from '../naming/file-content.ts';
import type { FileContent } from '../naming/file-content.ts';
import { EARLIEST_PLAUSIBLE_MS } from '../times/zoned-time.ts';

/** A file as one look at its folder saw it. Paths are relative to the export folder with `/` between names. */
export interface FileSeen {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'directory' | 'other';
  readonly sizeBytes: number;
  /** Modification time, nanoseconds since 1970 as decimal text: exact, and comparable as it stands. */
  readonly mtimeNs: string;
  /** Change time, as `mtimeNs`: no program can set it back. Missing where it was not asked for. */
  readonly ctimeNs?: string;
  readonly inode: string;
  readonly device: string;
  /** Number of hard links. */
  readonly links: number;
  /** What its first bytes say that it is, where they were read: this counts before its name. */
  readonly content?: FileContent;
  /** It is a clip, whatever it seems to be: the settings of its folder or a person said so, or it is in the queue. */
  readonly isEvidence?: true;
  /** All that can be known of its recording, where the look that let it settle found that: it is not opened again for it. */
  readonly facts?: MediaFacts;
}

/** What identifies the bytes of a file at one moment: equal versions are taken for equal bytes until hashes say otherwise. */
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

/** A file that was taken before: its version, and where it is in the queue. */
export interface KnownFile extends NotedVersion {
  /** The incident that it is in, unless its folder was seen gone; `birthMs` as in `ExportRef`. */
  readonly owner?: { readonly exportPath: string; readonly folder: string; readonly birthMs: number };
  /** When it was recorded, milliseconds since 1970. */
  readonly startMs?: number;
  readonly endMs?: number;
  /** Only its vendor's player shows it. */
  readonly isNative?: true;
}

/** A file that is in the queue: its name and bytes may not say that it is a clip, and the queue does. */
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
  /** Path of the export inside the root; one name for a child folder. */
  readonly exportPath: string;
  /** Where its paths begin inside the root, when that is not `exportPath`: of a loose clip, and of clips of several folders. */
  readonly folder?: string;
  /** What one incident is in its root; missing: a folder. */
  readonly unit?: WatchUnit;
  /** Birth time of the export folder, milliseconds since 1970 (0 where the file system knows none). */
  readonly birthMs: number;
  /** Modification time of the export folder, milliseconds since 1970. */
  readonly mtimeMs: number;
}

/** Where the paths of an export begin, inside its root. */
export const folderOfExport = ({ folder, exportPath }: Pick<ExportRef, 'folder' | 'exportPath'>): string =>
  folder ?? exportPath;

/** A file that may be taken. */
export interface SettledFile extends FileSeen {
  /** Set on a file that was let through although its container ends early, because nothing wrote to it for hours. */
  readonly incomplete?: true;
  /** Wall-clock time of the first look that saw it, milliseconds since 1970; known when it has just settled. */
  readonly seenAtMs?: number;
}

/** An export as it stands: handed over whole each time, so that who takes it compares instead of adding up. */
export interface ExportSnapshot {
  readonly ref: ExportRef;
  /** All settled files, those handed over earlier too. */
  readonly settled: readonly SettledFile[];
  /** Files that still change. At 0 nothing more is to be expected. */
  readonly unsettledCount: number;
  /** What is held back: empty files, containers that end early, unfinished copies, what cannot be read. */
  readonly heldCount: number;
  /** Everything in the folder that is no folder: held and unsettled files, links, temporary files. */
  readonly all: readonly FileSeen[];
  /** Besides, hidden files and by-products of the system; missing where only a part of the folder is looked at. */
  readonly litter?: readonly string[];
  /** The folder itself is gone, or another one stands in its place. */
  readonly removedExport?: true;
}

/** Size and time, which change with the bytes. */
export function isSameVersion(
  row: Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>,
  file: Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>,
): boolean {
  return row.sizeBytes === file.sizeBytes && row.mtimeNs === file.mtimeNs;
}

/**
 * Whether a file of the same size and time may hold other bytes: another file took its place, or its time says nothing,
 * as on a recorder without a clock, whose blocks all have one size and date from 1980. The change time shows it. Another
 * inode counts only on the same device: a disk or share that is mounted again may number its files anew.
 */
export function isRewritten(before: NotedVersion, now: NotedVersion): boolean {
  if (before.ctimeNs == null || now.ctimeNs == null || before.ctimeNs === now.ctimeNs) return false;
  const isTimeless = Number(now.mtimeNs) / 1e6 < EARLIEST_PLAUSIBLE_MS;
  return isTimeless || (before.device === now.device && before.inode !== now.inode);
}

/** Whether a file is still the same, as far as can be told without reading it. */
export const isSameFile = (before: NotedVersion, now: FileSeen): boolean =>
  isSameVersion(before, now) && !isRewritten(before, now);
