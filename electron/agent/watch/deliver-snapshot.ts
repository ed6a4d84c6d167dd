import type { ExportSnapshot } from '../core/settle/file-seen.ts';
import { removedSnapshotOf, snapshotOf, type TrackedExport } from './export-record.ts';
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
}

/** Makes it; an export that was known before counts as reported, with all its files. */
export function createSnapshotDelivery(
  { onExport, logger }: Pick<WatchOptions, 'onExport' | 'logger'>,
  schedule: Pick<ScanSchedule, 'scanWithin'>,
): SnapshotDelivery {
  /** What the last hand-over of an export said. */
  const lastReported = new WeakMap<
    TrackedExport,
    { readonly settledVersion: number; readonly unsettled: number }
  >();
  /** Exports whose hand-over failed. */
  const unreported = new Set<TrackedExport>();
  /** Exports that are gone and whose last word was not handed over yet, in order. */
  const removedExports: TrackedExport[] = [];

  /** A hand-over that fails must not end the watch: it is logged and tried again. */
  async function deliver(snapshot: ExportSnapshot): Promise<boolean> {
    try {
      await onExport(snapshot);
      return true;
    } catch (error) {
      const { exportPath } = snapshot.ref;
      logger.error('An export could not be handed over; it is tried again', { exportPath, error });
      schedule.scanWithin(RETRY_MS);
      return false;
    }
  }

  async function report(record: TrackedExport): Promise<void> {
    const { settledVersion, changing } = record;
    const last = lastReported.get(record) ?? { settledVersion: 0, unsettled: 0 };
    if (last.settledVersion === settledVersion && (last.unsettled === 0 || changing > 0)) return;
    const snapshot = snapshotOf(record);
    if (!(await deliver(snapshot))) {
      unreported.add(record);
      return;
    }
    unreported.delete(record);
    lastReported.set(record, { settledVersion, unsettled: snapshot.unsettledCount });
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
      if (record.wasKnown || lastReported.has(record)) removedExports.push(record);
      await reportRemovals();
    },
    forget: (record) => void unreported.delete(record),
    async retry() {
      await reportRemovals();
      for (const record of unreported) await report(record);
    },
    isPending: () => unreported.size > 0 || removedExports.length > 0,
  };
}
