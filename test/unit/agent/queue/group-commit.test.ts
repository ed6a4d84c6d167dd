import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGroupCommit, type GroupCommit } from '../../../../electron/agent/queue/group-commit.ts';
import { NotSyncedError } from '../../../../electron/agent/store/transactions.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let group: GroupCommit;
let transactions = 0;
let syncs = 0;

beforeEach(async () => {
  queue = await openQueue();
  transactions = 0;
  syncs = 0;
  group = createGroupCommit(counted(), createSystemClock());
});
afterEach(() => queue.close());

function counted(): QueueFixture['tables'] {
  const { tables } = queue;
  return {
    ...tables,
    writeUnsynced: (work) => {
      transactions += 1;
      return tables.writeUnsynced(work);
    },
    synced: () => {
      syncs += 1;
      return tables.synced();
    },
  };
}

const insert = (id: string) => (): void => void queue.tables.incidents.insert(incidentRow({ id }));
const stored = (): number => queue.another().tables.incidents.count();
const outcomes = (all: readonly PromiseSettledResult<void>[]) => all.map((one) => one.status);

describe('createGroupCommit', () => {
  const fifty = (order: number[]): (() => void)[] =>
    Array.from({ length: 50 }, (_, index) => () => {
      order.push(index);
      insert(`incident-${index}`)();
    });

  it('writes what arrives together in order, 32 in a transaction, so that others get their turn', async () => {
    group = createGroupCommit(counted(), { monotonic: () => 0 });
    const order: number[] = [];
    await Promise.all(fifty(order).map((work) => group.commit(work)));
    expect(transactions).toBe(2);
    expect(order).toEqual(order.map((_, index) => index));
    expect(stored()).toBe(50);
  });

  it('writes fewer in a transaction where each takes long', async () => {
    let now = 0;
    group = createGroupCommit(counted(), { monotonic: () => now });
    await Promise.all(fifty([]).map((work) => group.commit(() => void (work(), (now += 1)))));
    // 32, then eight at a time
    expect(transactions).toBe(4);
    expect(stored()).toBe(50);
  });

  it('waits for the disk once for all of them, and what comes meanwhile goes with the next sync', async () => {
    group = createGroupCommit(counted(), { monotonic: () => 0 });
    const later: Promise<void>[] = [];
    const first = fifty([]).map((work) => group.commit(work));
    const all = first.map((one) => one.then(() => void later.push(group.commit(() => undefined))));
    await Promise.all(all);
    expect(syncs).toBe(1);
    await Promise.all(later);
    expect(syncs).toBe(2);
  });

  it('tells those whose rows are committed when the disk does not take them', async () => {
    const { tables } = queue;
    const synced = (): Promise<void> => Promise.reject(new NotSyncedError('no disk'));
    group = createGroupCommit({ ...tables, synced }, createSystemClock());
    const all = await Promise.allSettled([group.commit(insert('a')), group.commit(insert('b'))]);
    expect(outcomes(all)).toEqual(['rejected', 'rejected']);
    expect(stored()).toBe(2);
  });

  it('says that facts are stored only when another connection can see them', async () => {
    const seen = group.commit(insert('a')).then(stored);
    expect(stored()).toBe(0);
    expect(await seen).toBe(1);
  });

  it('writes what arrives later in a transaction of its own', async () => {
    await group.commit(insert('a'));
    await group.commit(insert('b'));
    expect(transactions).toBe(2);
  });

  it('takes what is added while a group is being written', async () => {
    let later: Promise<void> | undefined;
    await group.commit(() => {
      insert('a')();
      later = group.commit(insert('b'));
    });
    await later;
    expect(stored()).toBe(2);
  });

  it('rejects the work that throws with its own error, and nothing of it is stored', async () => {
    const failing = group.commit(() => {
      insert('half')();
      throw new Error('half way');
    });
    await expect(failing).rejects.toThrow('half way');
    expect(stored()).toBe(0);
  });

  it('stores the work of the others all the same', async () => {
    const all = await Promise.allSettled([
      group.commit(insert('a')),
      group.commit(() => {
        throw new Error('a fault of mine alone');
      }),
      group.commit(insert('b')),
    ]);
    expect(outcomes(all)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toBe(2);
  });

  it('rejects everyone while the database cannot be written, and works again afterwards', async () => {
    const other = queue.another().db;
    other.exec('BEGIN IMMEDIATE');
    const all = await Promise.allSettled([group.commit(insert('a')), group.commit(insert('b'))]);
    expect(outcomes(all)).toEqual(['rejected', 'rejected']);
    other.exec('ROLLBACK');
    await group.commit(insert('a'));
    expect(stored()).toBe(1);
  });
});
