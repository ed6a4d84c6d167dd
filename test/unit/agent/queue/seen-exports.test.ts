import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import {
  createSeenExports,
  type SeenExports,
  type Standing,
} from '../../../../electron/agent/queue/seen-exports.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fake-clock.ts';
import { createGateInHand } from '../../../helpers/gate-in-hand.ts';
import { createKeptLog, incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let clock: FakeClock;
let events: AgentEvent[];
let changed: number;

beforeEach(async () => {
  queue = await openQueue();
  clock = createFakeClock(1_000_000);
  events = [];
  changed = 0;
});
afterEach(() => queue.close());

function open(tables = queue.tables): SeenExports {
  const agentEvents = new AgentEvents();
  agentEvents.on((event) => events.push(event));
  return createSeenExports({
    tables,
    clock,
    events: agentEvents,
    logger: createKeptLog(),
    gates: { of: (path) => createGateInHand(path) },
    signals: { changed: () => void (changed += 1) },
  });
}

const ref = (exportPath = 'Gate 4') => ({
  rootId: 'root-1',
  rootPath: queue.dir,
  exportPath,
  birthMs: 1_000,
  mtimeMs: 1_000,
});
const standing = (state: Standing['state'], more: Partial<Standing> = {}): Standing => ({
  state,
  sinceMs: clock.now(),
  settlesAtMs: undefined,
  print: 'one',
  facts: { files: 1, sizeBytes: 9, concerned: 1, named: [{ path: 'a.xyz' }] },
  ...more,
});
const rows = () => queue.tables.seenExports.all().map(({ exportPath, state }) => `${exportPath} ${state}`);
const writes = (): number => Number(queue.db.prepare('SELECT total_changes()').pluck().get());

it('writes a row when the state changes, and nothing for a look that brings nothing new', async () => {
  const seen = open();
  seen.stands(ref(), standing('settling'));
  await clock.advance(1_000);
  const before = writes();
  for (let look = 0; look < 50; look += 1) {
    seen.stands(ref(), standing('settling'));
    await clock.advance(1_000);
  }
  expect(writes()).toBe(before);
  expect(rows()).toEqual(['Gate 4 settling']);
  seen.stands(ref(), standing('held'));
  await clock.advance(1_000);
  expect(rows()).toEqual(['Gate 4 held']);
  seen.stands(ref(), undefined);
  await clock.advance(1_000);
  expect(rows()).toEqual([]);
  expect(events.map((event) => 'state' in event && event.state)).toEqual(['settling', 'held']);
  expect(changed).toBeGreaterThan(0);
});

it('writes when an export will be queued as often as that changes, and not for the jitter of two clocks', async () => {
  const seen = open();
  const settlesAt = () => queue.tables.seenExports.all()[0]?.settlesAt;
  seen.stands(ref(), standing('settling', { settlesAtMs: 1_030_000 }));
  seen.stands(ref(), standing('settling', { settlesAtMs: 1_030_003 }));
  await clock.advance(1_000);
  expect(settlesAt()).toBe(1_030_000);
  seen.stands(ref(), standing('settling', { settlesAtMs: 1_005_000 }));
  await clock.advance(1_000);
  expect(settlesAt()).toBe(1_005_000);
});

it('keeps since when an export is held over restarts, as long as its files are the same', async () => {
  const first = open();
  first.stands(ref(), standing('held'));
  await first.stop();
  const [before] = queue.tables.seenExports.all();
  await clock.advance(3_600_000);
  const second = open();
  second.stands(ref(), standing('settling'));
  second.stands(ref(), standing('held'));
  await second.stop();
  expect(queue.tables.seenExports.all()).toEqual([before]);
  const third = open();
  third.stands(ref(), standing('writing', { print: 'two' }));
  await third.stop();
  expect(rows()).toEqual(['Gate 4 writing']);
});

it('says how an export stands once after each start', async () => {
  for (let start = 0; start < 2; start += 1) {
    const seen = open();
    for (let look = 0; look < 3; look += 1) seen.stands(ref(), standing('unrecognised'));
    await seen.stop();
  }
  expect(events).toHaveLength(2);
  expect(events[0]).toMatchObject({
    event: 'export.state',
    folder: 'Gate 4',
    state: 'unrecognised',
    files: 1,
  });
});

it('takes what is left of the folder of an incident for nothing that waits', async () => {
  queue.tables.incidents.insert(incidentRow());
  const seen = open();
  seen.stands(ref(), standing('unrecognised'));
  seen.stands(ref('Gate 5'), standing('unrecognised'));
  await seen.stop();
  expect(rows()).toEqual(['Gate 5 unrecognised']);
});

it('removes the rows of exports that a whole scan did not find, and those of other roots never', async () => {
  const seen = open();
  for (const name of ['A', 'B']) seen.stands(ref(name), standing('held'));
  seen.stands({ ...ref('A'), rootId: 'root-2' }, standing('held'));
  seen.scanned('root-1', (exportPath) => exportPath === 'B');
  await seen.stop();
  expect(queue.tables.seenExports.all().map(({ rootId, exportPath }) => `${rootId} ${exportPath}`)).toEqual([
    'root-1 B',
    'root-2 A',
  ]);
});

it('drops what nothing looks after at a start; a pushed folder stays until it is gone', async () => {
  await mkdir(join(queue.dir, 'there'));
  const first = open();
  first.pushed('root-2', 'there');
  first.pushed('root-2', 'gone');
  first.stands(ref('kept'), standing('held'));
  for (const name of ['there', 'gone']) first.stands({ ...ref(name), rootId: 'root-2' }, standing('held'));
  first.stands({ ...ref('old'), rootId: 'root-3' }, standing('held'));
  await first.stop();
  const second = open();
  second.keepOnly(new Set(['root-1']));
  const flushed = () => {
    second.flush();
    return rows();
  };
  await expect.poll(flushed).toEqual(['kept held', 'there held']);
  await second.stop();
});

it('writes later what could not be written, and remembers what came meanwhile', async () => {
  let isFull = true;
  const writeUnsynced: typeof queue.tables.write = (work) => {
    if (isFull) throw new Error('disk full');
    return queue.tables.write(work);
  };
  const seen = open({ ...queue.tables, writeUnsynced });
  seen.stands(ref(), standing('writing'));
  await clock.advance(1_000);
  seen.stands(ref(), standing('held', { print: 'two' }));
  expect(rows()).toEqual([]);
  isFull = false;
  await clock.advance(10_000);
  expect(rows()).toEqual(['Gate 4 held']);
  await seen.stop();
});

it('shows how far a large export is read until it is taken whole', async () => {
  const seen = open();
  seen.stands(ref(), standing('settling'));
  seen.reads(ref(), { done: 50, total: 100_000 });
  seen.reads(ref(), { done: 150, total: 100_000 });
  // Meanwhile more of it settles
  seen.stands(ref(), standing('settling', { print: 'three' }));
  await clock.advance(1_000);
  expect(rows()).toEqual(['Gate 4 reading']);
  expect(queue.tables.seenExports.all()[0]?.facts).toContain('"read":{"done":150,"total":100000}');
  expect(events).toHaveLength(2);
  seen.stands(ref(), undefined);
  await seen.stop();
  expect(rows()).toEqual([]);
});
