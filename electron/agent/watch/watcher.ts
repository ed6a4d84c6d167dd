/**
 * Watching a root: whole scans are the truth, hints of the system only say where to look first, and files are queued
 * once they have settled. One loop does one thing at a time: it inspects what was hinted at and what is settling, scans
 * when due, and hands over what changed (root-watcher.ts). Each piece of state has one owner: when scans are due
 * (schedule.ts), how far files have settled (export-tracker.ts), what is still to be handed over (deliver-snapshot.ts),
 * which exports are inspected between scans (inspect-due.ts), hints (change-hints.ts), whether the root can be reached
 * (root-scanner.ts). Nothing is kept on disk: a restart scans again. A root that cannot be reached must never look like
 * one whose files were deleted.
 */
import type { Failure } from '../../../shared/domain/failure.ts';
import type { WatchSettings } from '../../../shared/domain/settings.ts';
import type { ExtraFileRules } from '../core/naming/described-export.ts';
import type { ExportSnapshot, ExportRef, FileSeen, KnownFile } from '../core/settle/file-seen.ts';
import type { AgentEvents } from '../events.ts';
import type { ClipCheck } from '../files/containers/check-clip.ts';
import type { RootGate } from '../files/root-gate.ts';
import type { Clock, Logger } from '../ports.ts';
import type { PartTerms } from './export-parts.ts';
import type { StandingListener } from './export-standing.ts';
import type { EarlyEnds } from './early-end.ts';

/** What a look saw of the files of an export, for sending clips that are still being written. */
export interface GrowthLook {
  /** `isNoClip`: it has settled, and its content is not that of a clip. */
  fileOf(
    path: string,
  ): { readonly seen: FileSeen; readonly isChanging: boolean; readonly isNoClip: boolean } | undefined;
  /** Changing files without a temporary name; `grownLooks` looks in a row each saw it longer than the one before. */
  readonly growing: readonly { readonly seen: FileSeen; readonly grownLooks: number }[];
}

/** Receives at each look what is still being written, after what has settled was handed over. */
export interface GrowthListener {
  looked(ref: ExportRef, look: GrowthLook): void;
  removed(ref: ExportRef): void;
  /** A whole scan saw the root: exports that are not there are gone. */
  scanned(rootId: string, isThere: (exportPath: string) => boolean): void;
}

/** Options of a watcher, of a root or of one folder. */
export interface WatchOptions {
  readonly rootId: string;
  readonly rootPath: string;
  /** The one folder that is watched; undefined: every folder of the root. */
  readonly onlyExport?: string;
  /** Without a unit each folder of the root is one incident. */
  readonly settings: Pick<WatchSettings, 'settleSeconds'> & PartTerms['settings'];
  /** How clip names are read where times make an incident. */
  readonly rules?: PartTerms['rules'];
  /** Files that are sent besides clips. */
  readonly extraFiles?: ExtraFileRules;
  /** Whether a loose file is in the queue already, by its name in the root. */
  readonly isTaken?: (rootId: string, name: string) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
  readonly gate: RootGate;
  /** Checks whether a quiet file is complete: MP4 and MKV parse to their end. Goes through the root's gate. */
  readonly isComplete: (absolutePath: string, seen: FileSeen) => Promise<ClipCheck>;
  /** Whether a clip that has stopped changing proves that its writer has closed it. Default: none does. */
  readonly isClosed?: (absolutePath: string, seen: FileSeen) => Promise<boolean>;
  /** Notified of clips that changed after all. */
  readonly earlyEnds?: Pick<EarlyEnds, 'wasWrong'>;
  /**
   * Queues a snapshot. `more`: it was queued in part, and must be handed over again soon. When it rejects, it is handed
   * over again later.
   */
  readonly onExport: (snapshot: ExportSnapshot) => Promise<'more' | undefined>;
  /** Clips of an export that failed because their files were gone, by path: one that is back is handed over again. */
  readonly gonePaths?: (ref: ExportRef) => readonly string[];
  /** Receives the standing of exports that are not completely queued. */
  readonly standings?: StandingListener | undefined;
  /** Receives what is still being written. */
  readonly growth?: GrowthListener | undefined;
  /** Versions of an export's files that were queued before, by path: they count as settled immediately. */
  readonly known?: (ref: ExportRef) => ReadonlyMap<string, KnownFile>;
  /** Awaited when the root was away and is seen whole again. If it rejects, the root is away until the next scan. */
  readonly onOnline?: () => Promise<void>;
  readonly rescanIntervalMs?: number;
}

/** A file that is not sent at present, and why. */
export interface HeldFile {
  /** Name of the export folder; empty for loose files in the root. */
  readonly folder: string;
  /** Path inside it. */
  readonly file: string;
  readonly failure: Failure;
}

/** The state of a watched root or folder. */
export interface WatchState {
  readonly settling: number;
  readonly held: number;
  readonly online: boolean;
  /** Why it cannot be reached; undefined while it can, and before the first scan. */
  readonly failure: Failure | undefined;
  readonly firstScanDone: boolean;
  /** Wall-clock time of the last whole scan, milliseconds since 1970: the last proof of life. */
  readonly lastScanAt: number | undefined;
  /** When the system last reported a change; undefined: never, as on many shares. Milliseconds since 1970. */
  readonly lastEventAt: number | undefined;
  /** Seen whole, and nothing is changing or waiting to be handed over; held files count as idle. */
  readonly idle: boolean;
}

/** A watched root, or a single export folder. Call `start` and `stop` once each. */
export interface Watcher {
  start(): void;
  stop(): Promise<void>;
  /** Scans everything soon, settled files too. */
  requestRescan(): void;
  state(): WatchState;
  held(): readonly HeldFile[];
}
