import { describe, expect, it } from 'vitest';
import type { JobOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { incidentRow } from '../../../helpers/queue-fixture.ts';
import { done, testWorker, until, useRunnerDesk } from '../../../helpers/runner-desk.ts';

const desk = useRunnerDesk();

/** Runs until its signal aborts. */
const untilStopped = (_row: unknown, signal: AbortSignal): Promise<JobOutcome> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'interrupted' })));

describe('interrupt', () => {
  it('stops what is meant, puts it back without an attempt, and lets others run', async () => {
    desk().put('meant');
    desk().put('other');
    const small = testWorker(untilStopped, { slots: 2 });
    const runner = desk().start(small);
    await until(() => expect(small.runs).toHaveLength(2));
    desk().queue.tables.jobs.pauseSends({ kind: 'clips', clipIds: ['meant'] });
    await runner.interrupt((job) => job.subject === 'meant');
    expect(desk().job('meant')).toMatchObject({ state: 'ready', attempts: 0, pool: 'held-small' });
    expect(desk().job('other')?.state).toBe('leased');
    expect(runner.active()).toBe(1);
  });

  it('takes what is not held up again', async () => {
    desk().put('meant');
    let runs = 0;
    const small = testWorker((row, signal) => (++runs === 1 ? untilStopped(row, signal) : { kind: 'done' }));
    const runner = desk().start(small);
    await until(() => expect(runs).toBe(1));
    await runner.interrupt(() => true);
    await until(() => expect(desk().job('meant')).toBeUndefined());
  });

  it('keeps what a worker finished although it was interrupted', async () => {
    desk().put('meant');
    const small = testWorker(async (row, signal) => {
      await untilStopped(row, signal);
      return { kind: 'done' };
    });
    const runner = desk().start(small);
    await until(() => expect(small.runs).toHaveLength(1));
    await runner.interrupt(() => true);
    expect(desk().job('meant')).toBeUndefined();
  });

  it('leaves records alone, and calls whose answer must be heard', async () => {
    desk().put('record', { pool: 'record' });
    desk().put('meant');
    const record = testWorker(untilStopped, { pool: 'record' });
    let heard: boolean | undefined;
    const small = testWorker(done, {
      async run(jobs, settle, { signal, end }) {
        for (const job of jobs) {
          await untilStopped(job, signal);
          heard = !end.aborted;
          await settle(job, { kind: 'done' });
        }
      },
    });
    const runner = desk().start(record, small);
    await until(() => expect(runner.active()).toBe(2));
    await runner.interrupt(() => true);
    expect([heard, runner.active()]).toEqual([true, 1]);
    await runner.stop();
    expect(runner.active()).toBe(0);
  });

  it('has nothing to wait for when nothing runs', async () => {
    const runner = desk().start(testWorker(done));
    await runner.interrupt(() => true);
  });
});

describe('a desk that is paused', () => {
  it('starts no upload, tells records, and goes on when the pause ends', async () => {
    const { tables } = desk().queue;
    tables.desk.identify({ deskId: 'desk-1', queueId: 'queue-1', starts: 1 });
    tables.incidents.insert(incidentRow());
    tables.desk.setPaused(true);
    desk().put('clip');
    desk().put('record', { pool: 'record' });
    const small = testWorker(done);
    const record = testWorker(done, { pool: 'record' });
    const runner = desk().start(small, record);
    await until(() => expect(record.runs).toHaveLength(1));
    await desk().isQuiet();
    expect(small.runs).toEqual([]);
    tables.desk.setPaused(false);
    runner.wake();
    await until(() => expect(small.runs).toHaveLength(1));
  });
});
