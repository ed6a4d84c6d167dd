import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';
import { isOwnFault } from '../store/store-failures.ts';

/**
 * Writes that can share one sync of the disk, which takes 0.15 ms on a fast one, 20 ms on a desk PC and seconds on a
 * failing one. Acknowledgments that arrive together are written together, a few in each turn, and those that arrive
 * during a sync go with the next one; each caller continues once its own facts are on the disk.
 */
export interface GroupCommit {
  /**
   * Resolves once `work` is durably committed; rejects when it threw or nothing can be written, and with
   * `NotSyncedError` when it was committed but could not be synced. It may run again when other work in its transaction
   * threw, so it must only write rows.
   */
  commit(work: () => void): Promise<void>;
}

interface Waiting {
  readonly work: () => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * After a group, the next one is collected for this many times as long as its transactions took, within these bounds:
 * transactions take little of the main thread's time, and nobody notices the wait.
 */
const GATHER_FACTOR = 4;
const MIN_GATHER_MS = 2;
const MAX_GATHER_MS = 40;
/**
 * Works of one transaction, so that windows and sockets get their turn in between: some 5 ms. Clips share most of the
 * pages that they change: at eight per transaction a clip takes a third more processor time.
 */
const MOST_AT_ONCE = 32;

/** Creates a group commit over the tables' single connection. */
export function createGroupCommit(
  tables: Pick<Tables, 'writeUnsynced' | 'synced' | 'held'>,
  clock: Pick<Clock, 'monotonic'>,
): GroupCommit {
  const waiting: Waiting[] = [];
  let notBeforeMs = -Infinity;
  let isRunning = false;

  /** One transaction for the group; returns the error, and whose work threw it if one did. */
  function tryWrite(
    group: readonly Waiting[],
  ): { readonly error: unknown; readonly by?: Waiting } | undefined {
    let current: Waiting | undefined;
    try {
      tables.writeUnsynced(() => {
        for (const entry of group) {
          current = entry;
          entry.work();
        }
        current = undefined;
      });
      return undefined;
    } catch (error) {
      return { error, ...(current === undefined ? {} : { by: current }) };
    }
  }

  /**
   * Work that throws is removed from the group without affecting the others; each runs on its own if the error came
   * from a write at the end. Returns the entries whose rows are committed.
   */
  function write(entries: readonly Waiting[]): readonly Waiting[] {
    let group = entries;
    while (group.length > 0) {
      const problem = tryWrite(group);
      if (problem === undefined) return group;
      if (problem.by === undefined && group.length > 1 && isOwnFault(problem.error))
        return group.flatMap((entry) => write([entry]));
      const isRefused = (entry: Waiting): boolean => problem.by === undefined || problem.by === entry;
      for (const entry of group.filter(isRefused)) entry.reject(problem.error);
      group = group.filter((entry) => !isRefused(entry));
    }
    return [];
  }

  /** A few in each turn, then one sync for all of them. */
  async function store(all: readonly Waiting[]): Promise<void> {
    const written: Waiting[] = [];
    let workMs = 0;
    for (let first = 0; first < all.length; first += MOST_AT_ONCE) {
      if (first > 0) await nextTurn();
      const startedMs = clock.monotonic();
      written.push(...write(all.slice(first, first + MOST_AT_ONCE)));
      const endedMs = clock.monotonic();
      workMs += endedMs - startedMs;
      const gatherMs = Math.max(MIN_GATHER_MS, GATHER_FACTOR * workMs);
      notBeforeMs = endedMs + Math.min(MAX_GATHER_MS, gatherMs);
    }
    try {
      await tables.synced();
      for (const entry of written) entry.resolve();
    } catch (error) {
      for (const entry of written) entry.reject(error);
    }
  }

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const restMs = Math.min(MAX_GATHER_MS, notBeforeMs - clock.monotonic());
      await (restMs > 0 ? sleep(restMs) : nextTurn());
      await tables.held();
      await store(waiting.splice(0));
    }
    isRunning = false;
  }

  return {
    commit(work) {
      return new Promise<void>((resolve, reject) => {
        waiting.push({ work, resolve, reject });
        if (isRunning) return;
        isRunning = true;
        void run();
      });
    },
  };
}
