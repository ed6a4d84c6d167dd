import type { ExportRef, FileSeen } from './file-seen.ts';

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
  /** Files held back: empty, or a container that ends early. */
  readonly heldCount: number;
  /** Everything in the folder that is no folder: held and unsettled files, links, temporary files. */
  readonly all: readonly FileSeen[];
  /** The folder itself is gone, or another one stands in its place. */
  readonly removedExport?: true;
}
