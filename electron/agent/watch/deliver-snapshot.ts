import type { ExportSnapshot } from '../core/settle/file-seen.ts';
import { removedSnapshotOf, snapshotOf, type TrackedExport } from './export-record.ts';
import { standingOf } from './export-standing.ts';
import type { ScanSchedule } from './schedule.ts';
import type { WatchOptions } from './watcher.ts';

/** Pause before a hand-over that failed is tried again, milliseconds: a full disk does not empty itself at once. */
const RETRY_MS = 5_000;

/** Hands exports over, each time whole, and remembers what could not be handed over yet. */
export interface SnapshotDelivery {
  /** Hands an export over when its settled files differ from what was reported, or nothing is left to wait for. */
  report(record: TrackedExport): Promise<void>;
  /** The folder of an export is gone: whoever takes exports learns it when it knows of this one. */
  reportRemoved(record: TrackedExport): Promise<void>;
  /** Nothing more is said about an export. */
  forget(record: TrackedExport): void;
  /** Tries again what could not be handed over. */
  retry(): Promise<void>;
  isPending(): boolean;
  /** An export was taken in part: it is to be handed over again as soon as the rest of the root had its turn. */
  hasMore(): boolean;
}

/** Makes it; an export that was known before counts as reported, with all its files. */
export function createSnapshotDelivery(
  options: Pick<WatchOptions, 'onExport' | 'logger' | 'standings' | 'clock' | 'settings'>,
  schedule: Pick<ScanSchedule, 'scanWithin'>,
): SnapshotDelivery {
  const { onExport, logger, standings, clock } = options;
  /** What the last hand-over of an export said. */
  const lastReported = new WeakMap<
    TrackedExport,
    { readonly settledVersion: number; readonly unsettled: number }
  >();
  /** Exports whose hand-over failed, or was taken in part. */
  const unreported = new Set<TrackedExport>();
  let hasMore = false;
  /** Exports that are gone and whose last word was not handed over yet, in order. */
  const removedExports: TrackedExport[] = [];

  /** A hand-over that fails must not end the watch: it is logged and tried again. */
  async function deliver(snapshot: ExportSnapshot): Promise<boolean> {
    try {
      const isPart = (await onExport(snapshot)) === 'more';
      hasMore ||= isPart;
      return !isPart;
    } catch (error) {
      const { exportPath } = snapshot.ref;
      logger.error('An export could not be handed over; it is tried again', { exportPath, error });
      schedule.scanWithin(RETRY_MS);
      return false;
    }
  }

  /** Answers false when the export is to be handed over again. */
  async function handOver(record: TrackedExport): Promise<boolean> {
    const { settledVersion, changing } = record;
    const last = lastReported.get(record) ?? { settledVersion: 0, unsettled: 0 };
    if (last.settledVersion === settledVersion && (last.unsettled === 0 || changing > 0)) return true;
    const snapshot = snapshotOf(record);
    if (!(await deliver(snapshot))) {
      unreported.add(record);
      return false;
    }
    unreported.delete(record);
    lastReported.set(record, { settledVersion, unsettled: snapshot.unsettledCount });
    return true;
  }

  /** How it stands is said before the hand-over, which may take long; that nothing is left to wait for, only after it. */
  async function report(record: TrackedExport): Promise<void> {
    const settleMs = options.settings.settleSeconds * 1_000;
    const standing = standingOf(record, { nowMs: clock.now(), monotonicMs: clock.monotonic(), settleMs });
    if (standing !== undefined) standings?.stands(record.ref, standing);
    if ((await handOver(record)) && standing === undefined) standings?.stands(record.ref, undefined);
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
      if (record.wasKnown || lastReported.has(record)) removedExports.push(record);
      await reportRemovals();
    },
    forget: (record) => void unreported.delete(record),
    async retry() {
      hasMore = false;
      await reportRemovals();
      for (const record of unreported) await report(record);
    },
    isPending: () => unreported.size > 0 || removedExports.length > 0,
    hasMore: () => hasMore,
  };
}
