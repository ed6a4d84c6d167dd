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
/** How long one transaction should take, so that windows and sockets get their turn in between, milliseconds. */
const TURN_MS = 4;
/**
 * Bounds of the time that one work is expected to take: eight to 32 works per transaction. Clips share most of the pages
 * that they change: at eight per transaction a clip takes a third more processor time.
 */
const SHORTEST_WORK_MS = TURN_MS / 32;
const LONGEST_WORK_MS = TURN_MS / 8;

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value));

/** Creates a group commit over the tables' single connection. */
export function createGroupCommit(
  tables: Pick<Tables, 'writeUnsynced' | 'synced' | 'held'>,
  clock: Pick<Clock, 'monotonic'>,
): GroupCommit {
  const waiting: Waiting[] = [];
  let notBeforeMs = -Infinity;
  /** How long one work is expected to take. */
  let workMs = SHORTEST_WORK_MS;
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
    let spentMs = 0;
    for (let first = 0; first < all.length;) {
      if (first > 0) await nextTurn();
      const entries = all.slice(first, first + Math.floor(TURN_MS / workMs));
      const startedMs = clock.monotonic();
      written.push(...write(entries));
      const endedMs = clock.monotonic();
      const tookMs = endedMs - startedMs;
      spentMs += tookMs;
      workMs = within(SHORTEST_WORK_MS, (workMs + tookMs / entries.length) / 2, LONGEST_WORK_MS);
      notBeforeMs = endedMs + within(MIN_GATHER_MS, GATHER_FACTOR * spentMs, MAX_GATHER_MS);
      first += entries.length;
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
