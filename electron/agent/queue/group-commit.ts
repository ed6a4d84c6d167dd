import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';
import { isOwnFault } from '../store/store-failures.ts';

/**
 * Writes that may share one durable commit. A commit costs an fsync (0.15 ms on a fast disk, 20 ms on a
 * desk PC), so acknowledgments that arrive together are written together, a few in each turn; each caller learns that its
 * own facts are on disk before it goes on.
 */
export interface GroupCommit {
  /**
   * Resolves once `work` is durably committed; rejects when it threw or nothing can be written. It may run again
   * when another one of its transaction threw, so it writes rows and nothing else.
   */
  commit(work: () => void): Promise<void>;
}

interface Waiting {
  readonly work: () => void;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * After a commit the next one gathers for this many times as long as the last took, within these bounds, unless some
 * were left over: little time goes into commits on any disk, and nobody waits longer than one sees.
 */
const GATHER_FACTOR = 4;
const MIN_GATHER_MS = 2;
const MAX_GATHER_MS = 40;
/** Works of one transaction, so that windows and sockets get their turn between two. */
const MOST_AT_ONCE = 8;
/** So few that take longer wait for the disk, and all that wait go into the next transaction, milliseconds. */
const SLOW_DISK_MS = 10;

/** Makes a group commit over the tables' one connection. */
export function createGroupCommit(tables: Tables, clock: Pick<Clock, 'monotonic'>): GroupCommit {
  let waiting: Waiting[] = [];
  let notBeforeMs = -Infinity;
  let isDiskSlow = false;

  /** One transaction for the group; answers what went wrong, and in whose work when it was in one. */
  function write(group: readonly Waiting[]): { readonly error: unknown; readonly by?: Waiting } | undefined {
    let current: Waiting | undefined;
    try {
      tables.write(() => {
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

  function timedFlush(): void {
    const startedMs = clock.monotonic();
    const most = isDiskSlow ? waiting.length : MOST_AT_ONCE;
    const group = waiting.slice(0, most);
    waiting = waiting.slice(most);
    if (waiting.length > 0) setImmediate(timedFlush);
    flush(group);
    const endedMs = clock.monotonic();
    const tookMs = endedMs - startedMs;
    isDiskSlow = group.length <= MOST_AT_ONCE && tookMs > SLOW_DISK_MS;
    notBeforeMs = endedMs + Math.min(MAX_GATHER_MS, Math.max(MIN_GATHER_MS, GATHER_FACTOR * tookMs));
  }

  function schedule(): void {
    const waitMs = notBeforeMs - clock.monotonic();
    if (waitMs <= 0) setImmediate(timedFlush);
    else setTimeout(timedFlush, Math.min(waitMs, MAX_GATHER_MS));
  }

  /** Work that throws takes itself out of the group, not the others; one by one where all was written at the end. */
  function flush(entries: readonly Waiting[]): void {
    let group = entries;
    while (group.length > 0) {
      const problem = write(group);
      if (problem === undefined) {
        for (const entry of group) entry.resolve();
        return;
      }
      if (problem.by === undefined && group.length > 1 && isOwnFault(problem.error)) {
        for (const entry of group) flush([entry]);
        return;
      }
      const isRefused = (entry: Waiting): boolean => problem.by === undefined || problem.by === entry;
      for (const entry of group.filter(isRefused)) entry.reject(problem.error);
      group = group.filter((entry) => !isRefused(entry));
    }
  }

  return {
    commit(work) {
      return new Promise<void>((resolve, reject) => {
        if (waiting.length === 0) schedule();
        waiting.push({ work, resolve, reject });
      });
    },
  };
}
