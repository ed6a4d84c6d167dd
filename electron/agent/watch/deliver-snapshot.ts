import { FailureError } from '../../../shared/domain/failure.ts';
import { isOwnFault } from '../store/store-failures.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { isClipFile } from '../core/naming/recognise-export.ts';
import type { ExportSnapshot, FileSeen } from '../core/settle/file-seen.ts';
import { removedSnapshotOf, snapshotOf, type TrackedExport } from './export-record.ts';
import { standingOf, type ExportStanding } from './export-standing.ts';
import type { GrowthLook, WatchOptions } from './watcher.ts';

/**
 * First and longest pause before a failed hand-over is retried, milliseconds: a full disk does not free itself
 * immediately, and what a share withholds must be queued within 90 s of its return.
 */
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 30_000;
/** After this many failures in a row because of bugs, an export is left until something changes in it. */
const MOST_FAULTS = 5;

/** Hands exports over, always as a whole, and remembers those that could not be handed over yet. */
export interface SnapshotDelivery {
  /** Hands an export over when its settled files differ from what was reported, or nothing is left to wait for. */
  report(record: TrackedExport): Promise<void>;
  /** Hands over that the folder of an export is gone, if the export was known or handed over before. */
  reportRemoved(record: TrackedExport): Promise<void>;
  /** Forgets an export: no further events are emitted for it. */
  forget(record: TrackedExport): void;
  /** When due, retries what could not be handed over. */
  retry(): Promise<void>;
  /** When a retry is due, on the monotonic clock, milliseconds; Infinity: never. */
  dueMs(): number;
  isPending(): boolean;
  /** An export was queued in part: hand it over again as soon as the rest of the root has had its turn. */
  hasMore(): boolean;
}

/** Creates the delivery; an export that was known before counts as reported, with all its files. */
export function createSnapshotDelivery(
  options: Pick<
    WatchOptions,
    'onExport' | 'logger' | 'events' | 'standings' | 'growth' | 'gonePaths' | 'clock' | 'settings'
  >,
): SnapshotDelivery {
  const { onExport, logger, events, standings, growth, clock } = options;
  /** State of an export at its last hand-over. */
  const lastReported = new WeakMap<
    TrackedExport,
    { readonly settledVersion: number; readonly changing: number; readonly held: number }
  >();
  /** Exports whose hand-over failed, or that were queued in part. */
  const unreported = new Set<TrackedExport>();
  let hasMore = false;
  /** Exports whose removal has not been handed over yet, in order. */
  const removedExports: TrackedExport[] = [];

  /** Exports that could not be read when they were handed over, with the reason that was reported. */
  const reasons = new Map<string, string>();
  let failedInARow = 0;
  /** Failures in a row because of bugs, by export. */
  const faults = new Map<string, number>();
  let retryDueMs = -Infinity;

  function noteFailure(exportPath: string, error: unknown): void {
    retryDueMs = clock.monotonic() + Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failedInARow);
    failedInARow += 1;
    if (error instanceof FailureError) {
      const { code, message, detail } = error.failure;
      logger.warn('An export could not be read; it will be retried', {
        exportPath,
        code,
        reason: message,
        detail,
      });
      if (reasons.get(exportPath) === message) return;
      reasons.set(exportPath, message);
      events.emit({ event: 'warning', code, message: `${visibleName(exportPath)}: ${message}` });
    } else
      logger.error('An export could not be passed to the queue; it will be retried', { exportPath, error });
  }

  /** Whether to give up: a full disk or a missing share may recover, a bug will not, and a one-shot run must end. */
  function isGivenUp(folder: string, error: unknown): boolean {
    if (!isOwnFault(error)) return false;
    const count = (faults.get(folder) ?? 0) + 1;
    faults.set(folder, count);
    if (count < MOST_FAULTS) return false;
    const message = `Queuing the export failed ${MOST_FAULTS} times in a row because of an internal error.`;
    const advice =
      'It will be retried when something changes in its folder, and at the next start. If it happens again, send the diagnostics bundle to support.';
    events.emit({ event: 'file.held', folder, file: '', code: 'CALL_FAULT', message, advice });
    return true;
  }

  /** A failed hand-over must not end the watch: it is logged and retried. */
  async function deliver(snapshot: ExportSnapshot): Promise<boolean> {
    try {
      const isPart = (await onExport(snapshot)) === 'more';
      failedInARow = 0;
      reasons.delete(snapshot.ref.exportPath);
      faults.delete(snapshot.ref.exportPath);
      hasMore ||= isPart;
      return !isPart;
    } catch (error) {
      noteFailure(snapshot.ref.exportPath, error);
      return isGivenUp(snapshot.ref.exportPath, error);
    }
  }

  /** Whether a file is back that was missing just when it was to be sent. */
  function isBack({ ref, files }: TrackedExport): boolean {
    return options.gonePaths?.(ref).some((path) => files.get(path)?.kind === 'settled') === true;
  }

  /** Returns false when the export must be handed over again. */
  async function handOver(record: TrackedExport, held: number): Promise<boolean> {
    const { settledVersion, changing } = record;
    const last = lastReported.get(record) ?? { settledVersion: 0, changing: 0, held: 0 };
    const isComplete = (last.changing > 0 && changing === 0) || (last.held > 0 && held === 0);
    if (last.settledVersion === settledVersion && !isComplete && !isBack(record)) return true;
    const snapshot = snapshotOf(record, held);
    if (!(await deliver(snapshot))) {
      unreported.add(record);
      return false;
    }
    unreported.delete(record);
    lastReported.set(record, { settledVersion, changing, held });
    return true;
  }

  /** Reports the standing before the hand-over, which may take long; that nothing is left to wait for, after it. */
  async function report(record: TrackedExport): Promise<void> {
    const settleMs = options.settings.settleSeconds * 1_000;
    const standing = standingOf(record, { nowMs: clock.now(), monotonicMs: clock.monotonic(), settleMs });
    if (standing !== undefined) standings?.stands(record.ref, standing);
    await take(record, standing);
    growth?.looked(record.ref, lookOf(record));
  }

  async function take(record: TrackedExport, standing: ExportStanding | undefined): Promise<void> {
    // Once its marker is removed, what has settled is news
    if (record.marker === 'hold' || record.marker === 'ignore') return;
    const held = standing?.state === 'held' ? standing.facts.concerned : 0;
    if ((await handOver(record, held)) && standing === undefined) standings?.stands(record.ref, undefined);
  }

  async function reportRemovals(): Promise<void> {
    for (let record = removedExports[0]; record !== undefined; record = removedExports[0]) {
      if (!(await deliver(removedSnapshotOf(record)))) return;
      removedExports.shift();
    }
  }

  return {
    report,
    async reportRemoved(record) {
      unreported.delete(record);
      standings?.stands(record.ref, undefined);
      growth?.removed(record.ref);
      if (record.wasKnown || lastReported.has(record)) removedExports.push(record);
      await reportRemovals();
    },
    forget(record) {
      unreported.delete(record);
      growth?.removed(record.ref);
    },
    async retry() {
      if (!hasMore && clock.monotonic() < retryDueMs) return;
      hasMore = false;
      await reportRemovals();
      for (const record of unreported) await report(record);
    },
    dueMs: () => (unreported.size > 0 || removedExports.length > 0 ? retryDueMs : Infinity),
    isPending: () => unreported.size > 0 || removedExports.length > 0,
    hasMore: () => hasMore,
  };
}

/** Files that a marker holds back are not sent while they grow either. */
function lookOf({ files, changing, marker }: TrackedExport): GrowthLook {
  const growing: { seen: FileSeen; grownLooks: number }[] = [];
  const isHeld = marker === 'hold' || marker === 'ignore';
  if (changing > 0 && !isHeld)
    for (const state of files.values())
      if (state.kind === 'changing' && !state.isTemporary && state.observation.grownLooks > 0)
        growing.push({ seen: state.seen, grownLooks: state.observation.grownLooks });
  return {
    growing,
    fileOf(path) {
      const state = files.get(path);
      if (state === undefined) return undefined;
      const { seen, kind } = state;
      const isNoClip = kind === 'settled' && !isClipFile(seen);
      return { seen, isChanging: kind === 'changing' && !isHeld, isNoClip };
    },
  };
}
