import { fstatSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  commitLazily,
  createTransactions,
  NotSyncedError,
} from '../../../../electron/agent/store/transactions.ts';
import type { WriteDb } from '../../../../electron/agent/store/open-db.ts';
import { incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

/** Syncs in progress, which the test ends. */
const syncs: { readonly file: number; readonly end: (error?: Error) => void }[] = [];

/** A slow disk. */
const sync = (file: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
    syncs.push({ file, end });
  });

let queue: QueueFixture;

beforeEach(async () => {
  syncs.length = 0;
  queue = await openQueue();
  queue.db.pragma('synchronous = FULL');
});
afterEach(() => queue.close());

const level = (db: WriteDb): unknown => db.pragma('synchronous', { simple: true });
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The inode behind a file descriptor; undefined when the descriptor is not open. */
function inodeOf(descriptor: number): number | undefined {
  try {
    return fstatSync(descriptor).ino;
  } catch {
    return undefined;
  }
}

describe('commitLazily', () => {
  it('does not wait for the disk while it works, and does again after that, also when the work throws', () => {
    const db = queue.db;
    expect(commitLazily(db, () => level(db))).toBe(1);
    expect(level(db)).toBe(2);
    expect(() =>
      commitLazily(db, () => {
        throw new Error('refused');
      }),
    ).toThrow('refused');
    expect(level(db)).toBe(2);
  });
  it('waits with the transaction that it is a part of', () => {
    const db = queue.db;
    expect(db.transaction(() => commitLazily(db, () => level(db)))()).toBe(2);
  });
});

describe('createTransactions', () => {
  const insert = (id: string) => (): void => void queue.tables.incidents.insert(incidentRow({ id }));

  async function isSettled(promise: Promise<unknown>): Promise<boolean> {
    let settled = false;
    const note = (): void => void (settled = true);
    void promise.then(note, note);
    await turn();
    return settled;
  }

  it('commits without the disk, and says so only when a sync that began afterwards has ended', async () => {
    const { writeUnsynced, synced } = createTransactions(queue.db, {
      onError: vi.fn<(error: unknown) => void>(),
      sync,
    });
    expect(writeUnsynced(() => level(queue.db))).toBe(1);
    expect(level(queue.db)).toBe(2);
    writeUnsynced(insert('a'));
    const first = synced();
    await turn();
    writeUnsynced(insert('b'));
    const second = synced();
    expect([syncs.length, queue.another().tables.incidents.count()]).toEqual([1, 2]);
    syncs[0]?.end();
    expect([await isSettled(first), await isSettled(second)]).toEqual([true, false]);
    expect(syncs).toHaveLength(2);
    syncs[1]?.end();
    await second;
    await synced();
    expect(syncs).toHaveLength(2);
  });

  it('calls nothing durable any more after a sync that failed, and says it once', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const { writeUnsynced, synced } = createTransactions(queue.db, { onError, sync });
    writeUnsynced(insert('a'));
    const waiting = [synced(), synced()];
    syncs[0]?.end(new Error('EIO: i/o error, fdatasync'));
    for (const one of waiting) await expect(one).rejects.toBeInstanceOf(NotSyncedError);
    writeUnsynced(insert('b'));
    await expect(synced()).rejects.toBeInstanceOf(NotSyncedError);
    expect([syncs.length, onError.mock.calls.length]).toEqual([1, 1]);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'EIO' }));
  });

  it('leaves what was rolled back out of what is to be synced', async () => {
    const { writeUnsynced, synced } = createTransactions(queue.db, {
      onError: vi.fn<(error: unknown) => void>(),
      sync,
    });
    const fault = (): never => {
      throw new Error('half way');
    };
    expect(() => writeUnsynced(fault)).toThrow('half way');
    await synced();
    expect(syncs).toEqual([]);
  });

  it('says that nothing is durable, and that writers wait, while they are held back', async () => {
    const { writeUnsynced, synced, held, holdBack } = createTransactions(queue.db, {
      onError: vi.fn<(error: unknown) => void>(),
      sync,
    });
    const work = Promise.withResolvers<void>();
    writeUnsynced(insert('a'));
    const waiting = synced();
    expect(held()).toBeUndefined();
    const holding = holdBack(() => work.promise);
    syncs[0]?.end();
    await turn();
    expect([await isSettled(waiting), await isSettled(held() ?? holding)]).toEqual([false, false]);
    work.resolve();
    await holding;
    await waiting;
    expect(held()).toBeUndefined();
  });

  it('closes the log with the connection, but not under a sync', async () => {
    const { writeUnsynced, synced } = createTransactions(queue.db, {
      onError: vi.fn<(error: unknown) => void>(),
      sync,
    });
    writeUnsynced(insert('a'));
    const waiting = synced();
    await turn();
    const { file = -1 } = syncs[0] ?? {};
    const { ino } = fstatSync(file);
    queue.db.close();
    expect(fstatSync(file).ino).toBe(ino);
    syncs[0]?.end();
    await waiting;
    await turn();
    // Another thread may have been given the number by now
    expect(inodeOf(file)).not.toBe(ino);
  });
});
