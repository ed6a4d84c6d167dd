import { reportPending } from './hand-over.ts';
import { lookAtDue } from './look-at-due.ts';
import { closeHints } from './root-standing.ts';
import { scanAll } from './scan-all.ts';
import { exportsInMotion, newWatch, scanSoon, type Watch, type WatchOptions } from './watch-state.ts';
import type { HeldFile, Watcher, WatchState } from './watch-types.ts';

/** Pause after a fault of the program itself, milliseconds: a watch that ends silently would be worse than one that stumbles. */
const FAULT_PAUSE_MS = 10_000;

/** One loop that scans, looks and hands over, in turn: nothing about a root happens twice at once. */
export function createWatchLoop(options: WatchOptions): Watcher {
  const watch = newWatch(options);
  const stopping = new AbortController();
  let ended: Promise<void> | undefined;

  return {
    start() {
      ended ??= runLoop(watch, stopping.signal);
    },
    async stop() {
      stopping.abort(new Error('The watch was stopped'));
      watch.waker.wake();
      await ended;
      closeHints(watch);
    },
    poke() {
      watch.isDeepNext = true;
      scanSoon(watch, 0);
      watch.waker.wake();
    },
    state: () => stateOf(watch),
    held: () => heldOf(watch),
  };
}

async function runLoop(watch: Watch, signal: AbortSignal): Promise<void> {
  const { clock, logger, rootPath } = watch.options;
  while (!signal.aborted) {
    try {
      await pass(watch, signal);
      await watch.waker.pause(nextDueMs(watch) - clock.monotonic());
    } catch (error) {
      if (signal.aborted) return;
      logger.error('Watching a folder failed; it goes on', { rootPath, error });
      await clock.sleep(FAULT_PAUSE_MS, signal).catch(() => undefined);
      scanSoon(watch, 0);
    }
  }
}

async function pass(watch: Watch, signal: AbortSignal): Promise<void> {
  await reportPending(watch);
  if (watch.offline === undefined && watch.scanCount > 0) await lookAtDue(watch, signal);
  if (watch.options.clock.monotonic() >= watch.scanDueMs) await scanAll(watch, signal);
}

function nextDueMs(watch: Watch): number {
  if (watch.offline !== undefined) return watch.scanDueMs;
  let dueMs = watch.scanDueMs;
  if (watch.hinted.size > 0 || exportsInMotion(watch).length > 0) dueMs = Math.min(dueMs, watch.looksDueMs);
  for (const hintDueMs of watch.hinted.values()) dueMs = Math.min(dueMs, hintDueMs);
  return dueMs;
}

function stateOf(watch: Watch): WatchState {
  const { changing: settling, held } = watch.book.totals;
  const online = watch.offline === undefined && watch.scanCount > 0;
  const isHandingOver = watch.entering > 0 || watch.unreported.size > 0 || watch.farewells.length > 0;
  return {
    settling,
    held: held + watch.rootProblems.length,
    online,
    failure: watch.offline,
    firstScanDone: watch.scanCount > 0,
    lastScanAt: watch.lastScanAt,
    idle: online && settling === 0 && watch.hinted.size === 0 && !isHandingOver,
  };
}

function heldOf(watch: Watch): readonly HeldFile[] {
  const loose = watch.rootProblems.map(({ path, failure }) => ({ folder: '', file: path, failure }));
  return [...loose, ...watch.book.held()];
}
