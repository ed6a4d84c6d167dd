/**
 * Transactions on the queue's single connection, and when they reach the disk.
 *
 * SQLite appends to its log, and a commit at level NORMAL writes its pages there without waiting. A killed process
 * cannot undo such a commit. A power cut can, and then loses every commit after it too, never one before it. A single
 * `fdatasync` of the log, on a thread of libuv's pool, makes all of them durable: the same as level FULL does within
 * each commit, except that the main thread keeps serving windows and sockets meanwhile, however slow the disk is. So
 * callers of `writeUnsynced` await `synced` before anything leaves this program because of the write: a request, an
 * event, an answer to a person. Jobs begin, and records are sent, only once everything they may have read is on the
 * disk. After a failed sync nothing is called durable any more, because the contents of the log are unknown then, and
 * the queue is reopened.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { WriteDb } from './open-db.ts';

/**
 * Commits `work` without waiting for the disk: a power cut may undo it, a killed process cannot. For writes that the
 * next start would undo or repeat anyway. The next durable commit takes it to the disk too. Inside a transaction it
 * waits with the rest.
 */
export function commitLazily<T>(db: WriteDb, work: () => T): T {
  if (db.inTransaction) return work();
  // `pragma` would make a statement object each time, at ten times the cost
  db.exec('PRAGMA synchronous = NORMAL');
  try {
    return work();
  } finally {
    db.exec('PRAGMA synchronous = FULL');
  }
}

/** Rows were committed, but a power cut might still undo them. Its code is that of an I/O error. */
export class NotSyncedError extends Error {
  override readonly name = 'NotSyncedError';
  readonly code = 'EIO';
}

/** How the log gets to the disk. */
interface SyncDeps {
  /** Called with the first sync that failed. */
  readonly onError: (error: unknown) => void;
  /** Syncs an open file to the disk, off the main thread. */
  readonly sync?: (file: number) => Promise<void>;
}

function createLogSync(db: WriteDb, { onError, sync = promisify(fdatasync) }: SyncDeps) {
  let log: number | undefined;
  let failure: NotSyncedError | undefined;
  let committed = 0;
  let onDisk = 0;
  let running: Promise<void> | undefined;

  /** Keeps the handle open until the connection ends: a disk error is reported once to each open handle. */
  function isOpen(): boolean {
    if (log === undefined && db.open && !db.memory) {
      try {
        // Windows syncs only a handle that may write
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
    // Part of another write
    if (db.inTransaction) return db.transaction(work)();
    const whole = db.transaction(() => {
      const value = work();
      runAtEnd();
      return value;
    });
    try {
      return whole.immediate();
    } finally {
      // Left by a transaction that was rolled back
      atEnd.clear();
    }
  }

  return {
    /** Writes facts that must agree: all or none, locked for writing immediately, and on the disk when it returns. */
    write,
    /**
     * As `write`, but on the disk only once `synced` has resolved. Where the log cannot be opened beside the
     * connection, and inside another transaction, it is the same as `write`.
     */
    writeUnsynced<T>(work: () => T): T {
      if (db.inTransaction || !log.isOpen()) return write(work);
      const value = commitLazily(db, () => write(work));
      log.committed();
      return value;
    },
    /**
     * Resolves once everything that `writeUnsynced` has committed is on the disk and nobody holds it back. After a
     * failed sync it always rejects with `NotSyncedError`.
     */
    async synced(): Promise<void> {
      await log.synced();
      while (held !== undefined) await held;
    },
    /**
     * A writer that can wait awaits this first: the queue's log is about to start over, and a write would make the main
     * thread wait for the disk.
     */
    held: (): Promise<void> | undefined => held,
    /** Holds back writers, and those that wait for `synced`, until `work` has ended. `work` never rejects. */
    async holdBack(work: () => Promise<void>): Promise<void> {
      held = work();
      await held;
      held = undefined;
    },
    /** Runs `work` at the end of the current transaction: once per key, however often it is requested. */
    beforeCommit(key: string, work: () => void): void {
      if (db.inTransaction) atEnd.set(key, work);
      else work();
    },
    /**
     * Collects items one by one and hands all of a transaction's items to `writeAll` at its end, in order: many similar
     * writes then cost a few statements instead of a few each. Outside a transaction each item is written immediately.
     */
    gathered<T>(key: string, writeAll: (items: readonly T[]) => void): (item: T) => void {
      let items: T[] = [];
      return (item) => {
        if (!db.inTransaction) return writeAll([item]);
        // Items left by a transaction that was rolled back are not written with the next one
        if (!atEnd.has(key)) items = [];
        items.push(item);
        atEnd.set(key, () => writeAll(items));
      };
    },
    /** Reads a single moment's state, whatever another connection writes meanwhile. */
    read: <T>(work: () => T): T => db.transaction(work).deferred(),
  };
}
