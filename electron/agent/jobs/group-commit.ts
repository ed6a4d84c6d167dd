import type { Tables } from '../db/tables.ts';

/**
 * Writes that may share one durable commit. A commit costs an fsync (0.15 ms on a fast disk, 20 ms on a
 * desk PC), so acknowledgments that arrive together are written together; each caller learns that its
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

/** Makes a group commit over the tables' one connection. */
export function createGroupCommit(tables: Tables): GroupCommit {
  let waiting: Waiting[] = [];

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

  /** Work that throws takes itself out of the group, not the others. */
  function flush(): void {
    let group: readonly Waiting[] = waiting;
    waiting = [];
    while (group.length > 0) {
      const trouble = write(group);
      if (trouble === undefined) {
        for (const entry of group) entry.resolve();
        return;
      }
      const isRefused = (entry: Waiting): boolean => trouble.by === undefined || trouble.by === entry;
      for (const entry of group.filter(isRefused)) entry.reject(trouble.error);
      group = group.filter((entry) => !isRefused(entry));
    }
  }

  return {
    commit(work) {
      return new Promise<void>((resolve, reject) => {
        // All answers that this turn of the loop brought join the same transaction.
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ work, resolve, reject });
      });
    },
  };
}
