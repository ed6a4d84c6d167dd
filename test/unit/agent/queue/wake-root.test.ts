import { afterEach, beforeEach, expect, it } from 'vitest';
import { wakeRoot } from '../../../../electron/agent/queue/wake-root.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import {
  failureOf,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

const NOW = 5_000;
const LATER = 900_000;
let queue: QueueFixture;
let wakes: number;

beforeEach(async () => {
  wakes = 0;
  queue = await openQueue();
  for (const [id, rootId] of Object.entries({ 'incident-1': 'share', 'incident-2': 'other' }))
    queue.tables.incidents.insert(incidentRow({ id, rootId, exportPath: id }));
});
afterEach(() => queue.close());

function addWaiting(subject: string, code: FailureCode, more: Parameters<typeof jobRow>[0] = {}): void {
  const { jobs } = queue.tables;
  jobs.put(jobRow({ subject, state: 'waiting', ...more }));
  const { kind = 'send-clip' } = more;
  jobs.later(jobs.of(kind, subject)?.id ?? 0, LATER, 7, JSON.stringify(failureOf(code)));
}
const wake = () =>
  wakeRoot(
    { tables: queue.tables, clock: { now: () => NOW }, runner: { wake: () => void (wakes += 1) } },
    'share',
  );
const standing = (subject: string, kind: 'send-clip' | 'make-thumbnail' = 'send-clip') => {
  const job = queue.tables.jobs.of(kind, subject);
  return [job?.state, job?.dueAt, job?.attempts];
};

it.each(['ROOT_OFFLINE', 'ROOT_HUNG'] as const)(
  'an upload and a picture that wait with %s are due at once, with their attempts',
  async (code) => {
    addWaiting('clip', code);
    addWaiting('clip', code, { kind: 'make-thumbnail', pool: 'picture' });
    await wake();
    expect([standing('clip'), standing('clip', 'make-thumbnail')]).toEqual([
      ['ready', NOW, 7],
      ['ready', NOW, 7],
    ]);
    expect(wakes).toBe(1);
  },
);

it('waits with another reason, and those of other roots, stay as they are', async () => {
  addWaiting('changed', 'FILE_CHANGED');
  addWaiting('network', 'NETWORK');
  addWaiting('elsewhere', 'ROOT_OFFLINE', { incidentId: 'incident-2' });
  await wake();
  for (const subject of ['changed', 'network', 'elsewhere'])
    expect(standing(subject)).toEqual(['waiting', LATER, 7]);
  expect(wakes).toBe(0);
});

it('a job that was given up, runs or is blocked is left alone', async () => {
  for (const state of ['failed', 'blocked', 'leased'] as const) {
    addWaiting(state, 'ROOT_OFFLINE');
    queue.db.prepare('UPDATE jobs SET state = ? WHERE subject = ?').run(state, state);
  }
  await wake();
  for (const state of ['failed', 'blocked', 'leased']) expect(standing(state)[0]).toBe(state);
});

it('wakes every job of a long queue, in slices between which the loop is free', async () => {
  queue.tables.write(() => {
    for (let at = 0; at < 2_500; at += 1) addWaiting(`clip-${at}`, 'ROOT_OFFLINE');
  });
  let turns = 0;
  let isOver = false;
  const breath = (): void => {
    turns += 1;
    if (!isOver) setImmediate(breath);
  };
  setImmediate(breath);
  await wake();
  isOver = true;
  expect(queue.db.prepare("SELECT count(*) FROM jobs WHERE state = 'ready'").pluck().get()).toBe(2_500);
  expect(turns).toBeGreaterThanOrEqual(3);
});
