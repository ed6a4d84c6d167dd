import { afterEach, beforeEach, expect, it } from 'vitest';
import { incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let tables: QueueFixture['tables'];

beforeEach(async () => {
  queue = await openQueue();
  ({ tables } = queue);
  tables.incidents.insert(incidentRow());
});
afterEach(() => queue.close());

const version = (): number | undefined => tables.incidents.byId('incident-1')?.version;
const touch = (): void => tables.beforeCommit('touch', () => void tables.incidents.touch('incident-1', 5));

it('runs what was asked for with one key once, at the end of the transaction', () => {
  tables.write(() => {
    touch();
    touch();
    expect(version()).toBe(1);
  });
  expect(version()).toBe(2);
});

it('runs what was asked for in a part of a write at the end of the whole', () => {
  tables.write(() => {
    tables.write(touch);
    expect(version()).toBe(1);
    touch();
  });
  expect(version()).toBe(2);
});

it('forgets what was asked for in a transaction that was rolled back', () => {
  const broken = (): void => {
    touch();
    throw new Error('full');
  };
  expect(() => tables.write(broken)).toThrow('full');
  tables.write(() => undefined);
  expect(version()).toBe(1);
});

it('takes the whole transaction back when what was asked for fails', () => {
  const asking = (): void => {
    tables.incidents.fail('incident-1', 'x');
    tables.beforeCommit('broken', () => {
      throw new Error('broken');
    });
  };
  expect(() => tables.write(asking)).toThrow('broken');
  expect(tables.incidents.byId('incident-1')?.failure).toBeNull();
});

it('runs it at once where no transaction is under way', () => {
  touch();
  expect(version()).toBe(2);
});

it('hands what was gathered to be written together at the end, in its order', () => {
  const written: (readonly number[])[] = [];
  const gather = tables.gathered('numbers', (items: readonly number[]) => void written.push(items));
  tables.write(() => {
    for (const number of [1, 2, 3]) gather(number);
    expect(written).toEqual([]);
  });
  tables.write(() => gather(4));
  gather(5);
  expect(written).toEqual([[1, 2, 3], [4], [5]]);
});

it('forgets what was gathered in a transaction that was rolled back', () => {
  const written: (readonly number[])[] = [];
  const gather = tables.gathered('numbers', (items: readonly number[]) => void written.push(items));
  const broken = (): void => {
    gather(1);
    throw new Error('full');
  };
  expect(() => tables.write(broken)).toThrow('full');
  tables.write(() => gather(2));
  expect(written).toEqual([[2]]);
});
