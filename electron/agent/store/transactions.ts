/**
 * Transactions of the queue's one connection, and when they are on the disk.
 *
 * SQLite's log is written from front to back, and a commit of level NORMAL writes its pages there and waits for nothing:
 * a kill of the process cannot take it back, a power cut can, and then takes what was committed after it too, never
 * something before it. One `fdatasync` of the log, on a thread of libuv's pool, makes all of them durable: it does what
 * level FULL does within each commit, but the main thread goes on answering windows and sockets meanwhile, however slow
 * the disk is. So whoever uses `writeUnsynced` awaits `synced` before anything leaves this program because of it: a
 * request, an event, an answer to a person. Jobs begin, and records are sent, only when all that they may have read is on
 * the disk. After a sync that failed nothing is called durable any more: what the log holds is not known then, and the
 * queue is opened anew.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { WriteDb } from './open-db.ts';

/**
 * Commits `work` without waiting for the disk: a power cut may take it back, a kill of the process may not. For what
 * the next start would undo, or do again, anyway. The next durable commit takes it to the disk too. Inside a transaction it waits
 * with the rest.
 */
export function commitLazily<T>(db: WriteDb, work: () => T): T {
  if (db.inTransaction) return work();
  db.pragma('synchronous = NORMAL');
  try {
    return work();
  } finally {
    db.pragma('synchronous = FULL');
  }
}

/** Rows were committed, but whether a power cut would take them back is not known. Its code is that of an I/O error. */
export class NotSyncedError extends Error {
  override readonly name = 'NotSyncedError';
  readonly code = 'EIO';
}

/** How the log comes to the disk. */
interface SyncDeps {
  /** Hears the first sync that failed. */
  readonly onError: (error: unknown) => void;
  /** Takes an open file to the disk, beside the main thread. */
  readonly sync?: (file: number) => Promise<void>;
}

function createLogSync(db: WriteDb, { onError, sync = promisify(fdatasync) }: SyncDeps) {
  let log: number | undefined;
  let failure: NotSyncedError | undefined;
  let committed = 0;
  let onDisk = 0;
  let running: Promise<void> | undefined;

  /** Open from the first use to the end of the connection: an error of the disk is told once to each open handle. */
  function isOpen(): boolean {
    if (log === undefined && db.open && !db.memory) {
      try {
        // The right to write is what Windows wants for a sync
        log = openSync(`${db.name}-wal`, 'r+');
      } catch {
        return false;
      }
    }
    return log !== undefined;
  }

  async function syncOnce(): Promise<void> {
    const upTo = committed;
    try {
      if (failure === undefined && log !== undefined) await sync(log);
    } catch (cause) {
      failure = new NotSyncedError("The queue's log could not be written to disk.", { cause });
      onError(failure);
    }
    if (failure !== undefined) throw failure;
    onDisk = upTo;
  }

  const close = db.close.bind(db);
  Object.defineProperty(db, 'close', {
    configurable: true,
    value: () => {
      const last = log;
      log = undefined;
      const end = (): void => void (last === undefined || closeSync(last));
      if (running === undefined) end();
      else void running.then(end, end);
      return close();
    },
  });

  return {
    isOpen,
    committed: () => void (committed += 1),
    async synced(): Promise<void> {
      const wanted = committed;
      while (onDisk < wanted) {
        running ??= syncOnce().finally(() => (running = undefined));
        await running;
      }
    },
  };
}

/** The ways to write and to read several facts together. */
export function createTransactions(db: WriteDb, deps: SyncDeps) {
  const log = createLogSync(db, deps);
  const atEnd = new Map<string, () => void>();
  let held: Promise<void> | undefined;

  function runAtEnd(): void {
    for (const [key, work] of atEnd) {
      atEnd.delete(key);
      work();
    }
  }

  function write<T>(work: () => T): T {
    // A part of another write
    if (db.inTransaction) return db.transaction(work)();
    const whole = db.transaction(() => {
      const value = work();
      runAtEnd();
      return value;
    });
    try {
      return whole.immediate();
    } finally {
      // Of a transaction that was rolled back
      atEnd.clear();
    }
  }

  return {
    /** Facts that must agree: all or none, immediately locked for writing, and on the disk when it returns. */
    write,
    /**
     * The same, but on the disk only when `synced` has resolved. Where the log cannot be opened beside the connection,
     * and inside another transaction, it is as `write`.
     */
    writeUnsynced<T>(work: () => T): T {
      if (db.inTransaction || !log.isOpen()) return write(work);
      const value = commitLazily(db, () => write(work));
      log.committed();
      return value;
    },
    /**
     * Resolves once all that `writeUnsynced` has committed is on the disk, and nobody holds it back; rejects with
     * `NotSyncedError` for good after a sync that failed.
     */
    async synced(): Promise<void> {
      await log.synced();
      while (held !== undefined) await held;
    },
    /**
     * Whoever writes next and can wait waits for this: the log of the queue is about to begin anew, and a write would wait
     * for the disk with the main thread.
     */
    held: (): Promise<void> | undefined => held,
    /** Holds back writers, those that wait for `synced` too, until `work` has ended, which never rejects. */
    async holdBack(work: () => Promise<void>): Promise<void> {
      held = work();
      await held;
      held = undefined;
    },
    /** Runs `work` at the end of the transaction under way: once, however often it is asked for with the same key. */
    beforeCommit(key: string, work: () => void): void {
      if (db.inTransaction) atEnd.set(key, work);
      else work();
    },
    /**
     * Takes items one by one, and hands all of a transaction to `write` at its end, in their order: what many do alike
     * costs a few statements, not a few for each. Outside of a transaction each is written at once.
     */
    gathered<T>(key: string, writeAll: (items: readonly T[]) => void): (item: T) => void {
      let items: T[] = [];
      return (item) => {
        if (!db.inTransaction) return writeAll([item]);
        // What a transaction left that was rolled back is not written with the next one
        if (!atEnd.has(key)) items = [];
        items.push(item);
        atEnd.set(key, () => writeAll(items));
      };
    },
    /** Reads of one moment, whatever another connection writes meanwhile. */
    read: <T>(work: () => T): T => db.transaction(work).deferred(),
  };
}
