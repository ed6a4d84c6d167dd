import type { Failure } from '../../../shared/domain/failure.ts';
import type { ExportSnapshot, ExportRef, FileSeen, FileVersion } from '../core/settle/file-seen.ts';

/** What a container check says about a file that has gone quiet. */
export type Completeness =
  | { readonly kind: 'complete' }
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'unknown-format' }
  | { readonly kind: 'unreadable'; readonly failure: Failure };

/** Checks whether a quiet file is whole: MP4 and MKV parse to their end. Goes through the root's gate. */
export type CheckComplete = (absolutePath: string, seen: FileSeen) => Promise<Completeness>;

/** Takes a snapshot. When it rejects, the same export is handed over again. */
export type OnExport = (snapshot: ExportSnapshot) => Promise<void>;

/** Versions of an export's files that were taken before, by path: they are settled at once. */
export type KnownFiles = (ref: ExportRef) => ReadonlyMap<string, FileVersion>;

/** A file that is not taken at present, and why. */
export interface HeldFile {
  /** Name of the export folder; empty for what lies loose in the root. */
  readonly folder: string;
  /** Path inside it. */
  readonly file: string;
  readonly failure: Failure;
}

/** Where a watched root or folder stands. */
export interface WatchState {
  readonly settling: number;
  readonly held: number;
  readonly online: boolean;
  /** Why it cannot be reached; undefined while it can, and before the first look. */
  readonly failure: Failure | undefined;
  readonly firstScanDone: boolean;
  /** Wall-clock time of the last whole look, milliseconds since 1970: the last proof of life. */
  readonly lastScanAt: number | undefined;
  /** Seen whole, and nothing is changing or waiting to be handed over; held files count as idle. */
  readonly idle: boolean;
}

/** A watched root, or a single export folder. `start` and `stop` once each. */
export interface Watcher {
  start(): void;
  stop(): Promise<void>;
  /** Looks at everything soon. */
  poke(): void;
  state(): WatchState;
  held(): readonly HeldFile[];
}
