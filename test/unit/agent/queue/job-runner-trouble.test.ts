import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JobOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { failureOf, incidentRow, jobRow } from '../../../helpers/queue-fixture.ts';
import { done, retryWith, testWorker, until, useRunnerDesk } from '../../../helpers/runner-desk.ts';

const desk = useRunnerDesk();
/** Longer than any pause before a retry, milliseconds. */
const LONGEST_WAIT_MS = 3_600_000;

describe('a paused circuit', () => {
  const offline: JobOutcome = { kind: 'refused', step: 'urls', failure: failureOf('NETWORK') };

  it('stops everyone, counts no attempt, sends one job as a probe and opens for all when that succeeds', async () => {
    for (let number = 0; number < 6; number += 1) desk().put(`clip-${number}`, { incidentId: 'one' });
    let isDown = true;
    const small = testWorker(
      (row) => {
        if (!isDown) desk().circuits.succeeded('urls', row.subject);
        return isDown ? offline : { kind: 'done' };
      },
      { batchSize: 2, slots: 1 },
    );
    desk().start(small);
    await until(() => expect(desk().circuits.pauses()).toHaveLength(1));
    await desk().isQuiet();
    expect(small.runs).toEqual([['clip-0', 'clip-1']]);
    expect([desk().job('clip-0')?.attempts, desk().job('clip-1')?.attempts]).toEqual([0, 0]);
    await desk().pass(1_500);
    await until(() => expect(small.runs).toHaveLength(2));
    await desk().isQuiet();
    expect(small.runs[1]).toHaveLength(1);
    isDown = false;
    await desk().pass(60_000);
    await until(() => expect(desk().queue.tables.jobs.countOpen()).toBe(0));
    expect(small.runs.slice(3).some((run) => run.length === 2)).toBe(true);
  });

  it('probes with another job next time, in case it is this one that the other side stumbles over', async () => {
    desk().put('stumbling');
    desk().put('harmless');
    const small = testWorker(
      (row) => {
        if (row.subject !== 'stumbling') desk().circuits.succeeded('urls', row.subject);
        return row.subject === 'stumbling' ? offline : { kind: 'done' };
      },
      { slots: 1 },
    );
    desk().start(small);
    await until(() => expect(small.runs).toEqual([['stumbling']]));
    await desk().isQuiet();
    await desk().pass(1_500);
    await until(() => expect(small.runs.slice(0, 2)).toEqual([['stumbling'], ['harmless']]));
  });

  it('leaves workers alone that do not need it', async () => {
    desk().put('a');
    desk().put('r', { pool: 'record' });
    desk().circuits.pause('storage', failureOf('NETWORK'));
    const small = testWorker(done, { steps: { 'send-clip': ['urls', 'object'] } });
    const record = testWorker(done, { pool: 'record', steps: { 'send-clip': ['get'] } });
    desk().start(small, record);
    await until(() => expect(record.runs).toEqual([['r']]));
    expect(small.runs).toEqual([]);
  });

  it('does not keep the processor busy while it waits for a job that could probe', async () => {
    desk().circuits.pause('service', failureOf('NETWORK'));
    desk().put('later', { state: 'waiting', dueAt: desk().clock.now() + 3_600_000 });
    await desk().clock.advance(5_000);
    let looks = 0;
    const counted = desk().circuits;
    desk().circuits = { ...counted, allowance: (names) => (looks++, counted.allowance(names)) };
    desk().start(testWorker(done));
    await delay(300);
    expect(desk().circuits.nextProbeInMs()).toBe(0);
    expect(looks).toBeLessThan(10);
  });
});

describe('stopping', () => {
  it('waits for what runs, puts it back without an attempt, and starts nothing more', async () => {
    desk().put('a', { incidentId: 'one' });
    desk().put('b', { incidentId: 'two' });
    const small = testWorker(
      async (_row, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await delay(20);
        return { kind: 'interrupted' };
      },
      { slots: 1 },
    );
    const made = desk().start(small);
    await until(() => expect(small.runs).toHaveLength(1));
    await made.stop();
    expect(made.active()).toBe(0);
    expect(desk().job('a')).toMatchObject({ state: 'ready', attempts: 0 });
    made.wake();
    await delay(20);
    expect(small.runs).toHaveLength(1);
  });

  it('counts no attempt and reports no fault for a worker that throws because it was stopped', async () => {
    desk().put('a');
    const small = testWorker(
      (_row, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    );
    const made = desk().start(small);
    await until(() => expect(small.runs).toHaveLength(1));
    await made.stop();
    expect(desk().job('a')).toMatchObject({ state: 'ready', attempts: 0, failure: null });
    expect(desk().log.lines.filter((line) => line.startsWith('error'))).toEqual([]);
  });

  it('is safe before anything ran', async () => {
    const made = desk().start(testWorker(done));
    await made.stop();
    desk().put('a');
    made.wake();
    await delay(20);
    expect(desk().job('a')?.state).toBe('ready');
  });
});

describe('trouble with a worker', () => {
  it('fault 10: that throws puts its open jobs back and leaves the settled ones alone', async () => {
    for (const subject of ['a', 'b', 'c']) desk().put(subject, { incidentId: 'one' });
    const small = testWorker((row) => {
      if (row.subject === 'b') throw new Error('a bug');
      return { kind: 'done' };
    });
    desk().start(small);
    await until(() =>
      expect([desk().job('b')?.state, desk().job('c')?.state]).toEqual(['waiting', 'waiting']),
    );
    expect(desk().job('a')).toBeUndefined();
    expect(desk().log.lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
    await desk().pass(5_000);
    await until(() => expect(small.runs).toHaveLength(2));
  });

  it('fault 10: that throws at every try of a job gives it up after ten, so that a run ends, and others go on', async () => {
    for (const subject of ['cursed', 'fine']) desk().put(subject);
    const small = testWorker((row) => {
      if (row.subject === 'cursed') throw new Error('a bug');
      return { kind: 'done' };
    });
    desk().start(small);
    const tries = (): number => small.runs.filter(([subject]) => subject === 'cursed').length;
    for (let number = 1; number <= 10; number += 1) {
      await until(() => expect(desk().job('cursed')).toMatchObject({ state: 'waiting', attempts: number }));
      expect(tries()).toBe(number);
      await desk().pass(LONGEST_WAIT_MS);
    }
    const end = ['given up cursed SERVICE_FAULT', 'announced cursed'];
    await until(() => expect(small.facts.slice(-2)).toEqual(end));
    expect(desk().job('cursed')?.state).toBe('failed');
    expect(desk().job('fine')).toBeUndefined();
    await desk().pass(LONGEST_WAIT_MS);
    await desk().isQuiet();
    expect(tries()).toBe(11);
    expect(desk().queue.tables.jobs.countOpen()).toBe(0);
  });

  it.each(['FILE_CHANGED', 'SERVICE_FAULT'] as const)(
    'counts the tries of %s from its first one on, however long a share was away before',
    async (code) => {
      desk().put('a');
      const { db } = desk().queue;
      const away = JSON.stringify(failureOf('ROOT_OFFLINE'));
      db.prepare("UPDATE jobs SET attempts = 50, failure = ? WHERE subject = 'a'").run(away);
      const failing = (): JobOutcome => {
        if (code === 'SERVICE_FAULT') throw new Error('a bug');
        return { kind: 'retry', failure: failureOf(code) };
      };
      desk().start(testWorker(failing));
      await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: 1 }));
    },
  );

  it('that settles nothing puts its jobs back', async () => {
    desk().put('a');
    desk().start(testWorker(done, { run: async () => undefined }));
    await until(() => expect(desk().job('a')).toMatchObject({ state: 'waiting', attempts: 1 }));
  });

  it('whose facts cannot be stored tries the job again, and does not hurt the others of its transaction', async () => {
    for (const subject of ['good', 'bad']) desk().put(subject);
    const small = testWorker((row) => ({
      kind: 'done',
      commit: () => {
        if (row.subject === 'bad') throw new Error('a bug in the facts');
        desk().queue.tables.incidents.insert(incidentRow());
        return undefined;
      },
    }));
    desk().start(small);
    await until(() => expect(desk().job('good')).toBeUndefined());
    await until(() => expect(desk().job('bad')).toMatchObject({ state: 'waiting', attempts: 1 }));
    expect(desk().queue.tables.incidents.count()).toBe(1);
  });
});

describe('a database that cannot be written for a while', () => {
  it('fault 28: loses no job and brings nothing down', async () => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    desk().put('a');
    const other = desk().queue.another().db;
    const small = testWorker(() => {
      if (small.runs.length === 1) other.exec('BEGIN IMMEDIATE');
      return { kind: 'done' };
    });
    desk().start(small);
    await until(() => expect(desk().log.lines.some((line) => line.startsWith('error'))).toBe(true));
    await desk().isQuiet();
    expect(desk().job('a')).toBeDefined();
    other.exec('ROLLBACK');
    await until(() => {
      void desk().pass(2_000);
      expect(desk().job('a')).toBeUndefined();
    });
    process.off('unhandledRejection', onUnhandled);
    expect(unhandled).toEqual([]);
  });
});

describe('a new run', () => {
  it('frees the leases of the run before it', async () => {
    desk().put('a');
    desk().queue.tables.jobs.claim('small', 1, 'killed', 0);
    const small = testWorker(done);
    desk().start(small);
    await until(() => expect(small.runs).toEqual([['a']]));
    expect(desk().log.lines).toContain('info Jobs from an earlier run continue');
  });

  it('fault 29: begins at once with what an earlier run, or a wrong clock, had put off', async () => {
    desk().put('a', { state: 'waiting', dueAt: desk().clock.now() + 90 * 86_400_000 });
    const small = testWorker(done);
    desk().start(small);
    await until(() => expect(small.runs).toEqual([['a']]));
  });
});

describe('while it runs', () => {
  it('notices within a second or so what another process added', async () => {
    const small = testWorker(done);
    desk().start(small);
    await delay(20);
    desk()
      .queue.another()
      .tables.jobs.put(jobRow({ subject: 'added' }));
    await until(() => expect(small.runs).toEqual([['added']]));
  });

  it('tries a job again at once when the clock is set back, instead of later', async () => {
    desk().put('a');
    const small = testWorker(() => retryWith('STORAGE_FAULT'));
    desk().start(small);
    await until(() => expect(desk().job('a')?.state).toBe('waiting'));
    await desk().isQuiet();
    expect(small.runs).toHaveLength(1);
    desk().clock.stepWallClock(-3_600_000);
    await until(() => expect(small.runs).toHaveLength(2));
  });

  it('parks no job for hours when the clock is set back', async () => {
    desk().put('a');
    const small = testWorker(() => retryWith('STORAGE_FAULT'));
    desk().start(small);
    await until(() => expect(desk().job('a')?.state).toBe('waiting'));
    desk().clock.stepWallClock(-7 * 3_600_000);
    await until(() =>
      expect((desk().job('a')?.dueAt ?? 0) - desk().clock.now()).toBeLessThanOrEqual(900_000),
    );
  });
});
