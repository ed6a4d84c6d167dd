import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import {
  failureOf,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';
import { done, retryWith, testWorker, until, useRunnerDesk } from '../../../helpers/runner-desk.ts';
import { wakeRoot } from '../../../../electron/agent/queue/wake-root.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';

const desk = useRunnerDesk();

describe('a job that is done', () => {
  it('is removed in the transaction that stores its facts, and announced after it', async () => {
    desk().put('a');
    const told: unknown[] = [];
    desk().start(
      testWorker(() => ({
        kind: 'done',
        commit: () => {
          desk().queue.tables.incidents.insert(incidentRow());
          return () => {
            const { tables } = desk().queue.another();
            told.push([tables.incidents.count(), tables.jobs.of('send-clip', 'a')]);
          };
        },
      })),
    );
    await until(() => expect(told).toEqual([[1, undefined]]));
  });

  it('makes room for the next one at once', async () => {
    for (let number = 0; number < 30; number += 1) desk().put(`clip-${number}`);
    const small = testWorker(done);
    desk().start(small);
    await until(() => expect(desk().queue.tables.jobs.countOpen()).toBe(0));
    expect(small.runs).toHaveLength(30);
  });
});

describe('batches and slots', () => {
  it('gives jobs of one incident together, as many as the worker takes', async () => {
    for (const subject of ['a', 'b', 'c']) desk().put(subject, { incidentId: 'one' });
    desk().put('d');
    const small = testWorker(done, { batchSize: 2 });
    desk().start(small);
    await until(() => expect(desk().queue.tables.jobs.countOpen()).toBe(0));
    expect(small.runs).toEqual([['a', 'b'], ['c'], ['d']]);
  });

  it('runs as many at once as there are slots', async () => {
    for (let number = 0; number < 9; number += 1) desk().put(`clip-${number}`);
    let now = 0;
    let most = 0;
    const areThree = Promise.withResolvers<void>();
    const small = testWorker(
      async () => {
        most = Math.max(most, ++now);
        if (now === 3) areThree.resolve();
        await areThree.promise;
        await delay(5);
        now -= 1;
        return { kind: 'done' };
      },
      { slots: 3 },
    );
    desk().start(small);
    await until(() => expect(desk().queue.tables.jobs.countOpen()).toBe(0));
    expect(most).toBe(3);
  });

  it('lets a busy pool starve no other', async () => {
    for (let number = 0; number < 50; number += 1) desk().put(`small-${number}`);
    desk().put('record', { pool: 'record', priority: 90 });
    const gate = Promise.withResolvers<void>();
    const small = testWorker(async () => {
      await gate.promise;
      return { kind: 'done' };
    });
    const record = testWorker(done, { pool: 'record' });
    desk().start(small, record);
    await until(() => expect(record.runs).toEqual([['record']]));
    await until(() => expect(small.runs).toHaveLength(2));
    gate.resolve();
  });
});

describe('a job that is to be tried again', () => {
  it('waits longer each time: 1.5, 2.5, 4.5, 8.5 ... s with the middle draw, at most a quarter of an hour', async () => {
    desk().put('a');
    const small = testWorker(() => retryWith('STORAGE_FAULT'));
    desk().start(small);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: attempt }));
      waits.push((desk().job('a')?.dueAt ?? 0) - desk().clock.now());
      await desk().pass(waits.at(-1) ?? 0);
    }
    expect(waits.slice(0, 5)).toEqual([1_500, 2_500, 4_500, 8_500, 16_500]);
    expect(waits.slice(-2)).toEqual([450_500, 450_500]);
    expect(small.facts[0]).toBe('trouble a STORAGE_FAULT 1500');
  });

  it('is not run before its time', async () => {
    desk().put('a');
    const small = testWorker(() => retryWith('STORAGE_FAULT'));
    desk().start(small);
    await until(() => expect(desk().job('a')?.state).toBe('waiting'));
    await desk().pass(1_499);
    await delay(20);
    expect(small.runs).toHaveLength(1);
    await desk().pass(1);
    await until(() => expect(small.runs).toHaveLength(2));
  });

  it('waits as long as the worker says', async () => {
    desk().put('a');
    const small = testWorker(() => retryWith('STORAGE_FAULT', { delayMs: 0 }), { slots: 1 });
    desk().start(small);
    await until(() => expect(small.facts).toContain('trouble a STORAGE_FAULT 0'));
  });

  it('waits as long as the other side asked for, and counts no attempt', async () => {
    desk().put('a');
    const failure = failureOf('STORAGE_FAULT', { retryAfterMs: 60_000 });
    desk().start(testWorker(() => ({ kind: 'refused', step: 'object', failure }), { slots: 1 }));
    await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: 0 }));
    expect(desk().job('a')?.dueAt).toBe(desk().clock.now() + 60_000);
  });

  it('waits longer for a file that alone cannot be read', async () => {
    desk().put('a');
    const failure = failureOf('FILE_READ', { retryAfterMs: 240_000 });
    desk().start(testWorker(() => ({ kind: 'retry', failure }), { slots: 1 }));
    await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: 1 }));
    expect(desk().job('a')?.dueAt).toBe(desk().clock.now() + 240_000);
  });

  it('has new patience after progress', async () => {
    desk().put('a');
    let progressed = false;
    desk().start(testWorker(() => retryWith('BYTES_DAMAGED', { progressed })));
    await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: 1 }));
    await desk().pass(5_000);
    await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: 2 }));
    progressed = true;
    await desk().pass(5_000);
    await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: 1 }));
  });

  it('is given up at the limit of its failure, and not run again', async () => {
    desk().put('a');
    const small = testWorker(() => retryWith('BYTES_DAMAGED'));
    desk().start(small);
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await until(() => expect(small.runs).toHaveLength(attempt));
      await desk().isQuiet();
      await desk().pass(1_000_000);
    }
    await delay(20);
    expect(small.runs).toHaveLength(3);
    expect(desk().job('a')).toMatchObject({ state: 'failed' });
    expect(JSON.parse(desk().job('a')?.failure ?? '')).toMatchObject({ code: 'BYTES_DAMAGED' });
    expect(small.facts.slice(-2)).toEqual(['given up a BYTES_DAMAGED', 'announced a']);
  });

  it('stores its facts even when it is given up with them', async () => {
    desk().put('a');
    desk().start(
      testWorker(() => ({
        kind: 'failed',
        failure: failureOf('FILE_GONE', { retryable: false }),
        commit: () => {
          desk().queue.tables.incidents.insert(incidentRow());
          return undefined;
        },
      })),
    );
    await until(() => expect(desk().job('a')?.state).toBe('failed'));
    expect(desk().queue.tables.incidents.count()).toBe(1);
  });
});

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
