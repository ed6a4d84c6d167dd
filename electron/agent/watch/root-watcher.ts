import { join } from 'node:path';
import { findRootFailure } from '../files/judge-file-failure.ts';
import { oncePerMinute } from '../log/create-logger.ts';
import type { Clock } from '../ports.ts';
import { createChangeHints } from './change-hints.ts';
import { createSnapshotDelivery } from './deliver-snapshot.ts';
import { createExportParts } from './export-parts.ts';
import { createExportTracker } from './export-tracker.ts';
import { createInspections } from './inspect-due.ts';
import { createRootScanner } from './root-scanner.ts';
import { createScanSchedule, measureWork } from './schedule.ts';
import type { Watcher, WatchOptions } from './watcher.ts';

/** Pause after a bug of the program, milliseconds: a watch that ends silently would be worse than one that stumbles. */
const FAULT_PAUSE_MS = 10_000;

type Common = Omit<WatchOptions, 'rootId' | 'rootPath' | 'onlyExport' | 'settings'>;

/** A watched root: each of its folders is one export. */
export interface RootWatcherOptions extends Common {
  readonly root: {
    readonly id: string;
    /** Absolute path. */
    readonly path: string;
    readonly settings: WatchOptions['settings'];
  };
}

/** A single export folder that was pushed. */
export interface FolderWatcherOptions extends Common {
  readonly folder: {
    /** Root to which it belongs; its gate is used. */
    readonly rootId: string;
    readonly rootPath: string;
    /** Path of the export inside its root. */
    readonly exportPath: string;
    readonly settings: WatchOptions['settings'];
  };
}

/** Watches a root: hints by the system, whole scans as the truth, settling in between. */
export function createRootWatcher({ root, ...common }: RootWatcherOptions): Watcher {
  return createWatcher({ ...common, rootId: root.id, rootPath: root.path, settings: root.settings });
}

/** Watches one export folder in the same way. Its neighbours are neither listed nor watched. */
export function createFolderWatcher({ folder, ...common }: FolderWatcherOptions): Watcher {
  return createWatcher({
    ...common,
    rootId: folder.rootId,
    rootPath: folder.rootPath,
    onlyExport: folder.exportPath,
    settings: folder.settings,
  });
}

/** One loop that scans, inspects and hands over, in turn: no two things happen to a root at the same time. */
function createWatcher(given: WatchOptions): Watcher {
  const options = { ...given, logger: oncePerMinute(given.logger, given.clock) };
  const { clock, logger, rootPath } = options;
  const waker = createWaker(clock);
  const gate = measureWork(options.gate, clock);
  const schedule = createScanSchedule(options, gate);
  const tracker = createExportTracker(options);
  const parts = createExportParts(options);
  const delivery = createSnapshotDelivery(options);
  let lastEventAt: number | undefined;
  const inspections = createInspections({ options, gate, tracker, parts, delivery, schedule });
  const hints = createChangeHints({
    options,
    tracker,
    schedule,
    onHint(exportPath) {
      lastEventAt = clock.now();
      inspections.hint(exportPath);
    },
    wake: waker.wake,
  });
  const scanner = createRootScanner({
    options,
    gate,
    tracker,
    parts,
    delivery,
    inspections,
    hints,
    schedule,
    inspectDue,
  });
  const liveness = createLiveness(options);
  const stopping = new AbortController();
  options.gate.onProblem(() => {
    if (!scanner.isOnline() || stopping.signal.aborted) return;
    schedule.scanWithin(0);
    waker.wake();
  });
  let ended: Promise<void> | undefined;

  async function inspectDue(signal: AbortSignal): Promise<void> {
    const foldersBefore = tracker.totals.folders;
    const inspected = await inspections.inspectHinted(signal);
    if (tracker.totals.folders !== foldersBefore) hints.followNewest();
    await inspections.inspectSettling(inspected, signal);
    await inspections.recheck(signal);
  }

  async function runLoop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await delivery.retry();
        if (scanner.isOnline()) await inspectDue(signal);
        if (scanner.isOnline() && !(await liveness.isAlive(signal))) schedule.scanWithin(0);
        if (clock.monotonic() >= schedule.dueMs()) await scanner.scan(signal);
        if (delivery.hasMore() && scanner.isOnline()) continue;
        const inspectionDueMs = scanner.isOnline()
          ? Math.min(inspections.dueMs(), liveness.dueMs())
          : Infinity;
        const dueMs = Math.min(schedule.dueMs(), delivery.dueMs(), inspectionDueMs);
        await waker.pause(dueMs - clock.monotonic());
      } catch (error) {
        if (signal.aborted) return;
        logger.error('Watching a folder failed; it will be retried', { rootPath, error });
        await clock.sleep(FAULT_PAUSE_MS, signal).catch(() => undefined);
        schedule.requestDeep();
      }
    }
  }

  return {
    start() {
      ended ??= runLoop(stopping.signal);
    },
    async stop() {
      stopping.abort(new Error('The watch was stopped'));
      waker.wake();
      await ended;
      hints.close();
    },
    requestRescan() {
      schedule.requestDeep();
      waker.wake();
    },
    state() {
      const { changing: settling, held } = tracker.totals;
      const online = scanner.isOnline();
      const isDelivering = inspections.isTakingIn() || delivery.isPending();
      return {
        settling,
        held: held + scanner.problems().length + parts.onHold(),
        online,
        failure: scanner.failure(),
        firstScanDone: schedule.scanCount() > 0,
        lastScanAt: schedule.lastScanAt(),
        lastEventAt,
        idle: online && settling === 0 && !inspections.hasHints() && !isDelivering,
      };
    },
    held() {
      const loose = scanner.problems().map(({ path, failure }) => ({ folder: '', file: path, failure }));
      return [...loose, ...tracker.held()];
    },
  };
}

/**
 * How often to check that a root is still there, milliseconds. With the deadline of the gate, a hung root is reported
 * within 40 s, however long its scans rest.
 */
const LIVENESS_MS = 8_000;

/** Checks between scans whether the root, or the one folder that is watched, can still be listed. */
function createLiveness({ clock, gate, rootPath, onlyExport }: WatchOptions) {
  const path = onlyExport === undefined ? rootPath : join(rootPath, onlyExport);
  let dueMs = -Infinity;
  return {
    dueMs: () => dueMs,
    async isAlive(signal: AbortSignal): Promise<boolean> {
      if (clock.monotonic() < dueMs) return true;
      const failure = await findRootFailure(gate, path, signal);
      dueMs = clock.monotonic() + LIVENESS_MS;
      return failure === undefined;
    },
  };
}

/** A pause that can be cut short. */
interface Waker {
  /** Resolves when the time is over or `wake` is called; immediately if it was called since the last pause. */
  pause(delayMs: number): Promise<void>;
  wake(): void;
}

function createWaker(clock: Clock): Waker {
  let current: AbortController | undefined;
  let isWoken = false;

  async function sleep(delayMs: number): Promise<void> {
    const cut = new AbortController();
    current = cut;
    try {
      await clock.sleep(delayMs, cut.signal);
    } catch (error) {
      if (!cut.signal.aborted) throw error;
    } finally {
      current = undefined;
    }
  }

  return {
    async pause(delayMs) {
      if (!isWoken && delayMs > 0) await sleep(delayMs);
      isWoken = false;
    },
    wake() {
      isWoken = true;
      current?.abort();
    },
  };
}
