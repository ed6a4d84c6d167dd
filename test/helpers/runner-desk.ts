import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { JobRow } from '../../electron/agent/store/job-rows.ts';
import { AgentEvents } from '../../electron/agent/events.ts';
import { createGroupCommit } from '../../electron/agent/queue/group-commit.ts';
import { createSystemClock } from '../../electron/agent/system-clock.ts';
import { createJobRunner, type JobRunner } from '../../electron/agent/queue/job-runner.ts';
import type { PoolWorker } from '../../electron/agent/queue/run-batch.ts';
import { createCircuits, type Circuits } from '../../electron/agent/queue/circuits.ts';
import type { JobOutcome } from '../../electron/agent/queue/outcome.ts';
import type { FailureCode } from '../../shared/domain/failure.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';
import {
  createKeptLog,
  failureOf,
  jobRow,
  openQueue,
  type KeptLog,
  type QueueFixture,
} from './queue-fixture.ts';

type Decide = (job: JobRow, signal: AbortSignal) => JobOutcome | Promise<JobOutcome>;

/** A worker that does what its test says, and records what it was asked to do. */
export interface TestWorker extends PoolWorker {
  readonly runs: string[][];
  readonly facts: string[];
}

/** A runner on a real queue with a clock in hand, created afresh for each test. */
export class RunnerDesk {
  readonly clock: FakeClock = createFakeClock();
  readonly log: KeptLog = createKeptLog();
  readonly queue: QueueFixture;
  circuits: Circuits = createCircuits(this.clock, new AgentEvents());
  runner: JobRunner | undefined;

  constructor(queue: QueueFixture) {
    this.queue = queue;
  }

  start(...workers: readonly PoolWorker[]): JobRunner {
    const { circuits, clock, log } = this;
    const { tables } = this.queue;
    const groupCommit = createGroupCommit(tables, createSystemClock());
    const context = { tables, groupCommit, circuits, clock, logger: log, leaseName: 'me' };
    this.runner = createJobRunner(context, workers);
    this.runner.start();
    return this.runner;
  }

  put(subject: string, more: Parameters<typeof jobRow>[0] = {}): void {
    this.queue.tables.jobs.put(jobRow({ subject, incidentId: subject, dueAt: this.clock.now(), ...more }));
  }

  job(subject: string): JobRow | undefined {
    return this.queue.tables.jobs.of('send-clip', subject);
  }

  /** Moves time on and wakes the runner. */
  async pass(delayMs: number): Promise<void> {
    await this.clock.advance(delayMs);
    this.runner?.wake();
  }

  isQuiet(): Promise<void> {
    return until(() => expect(this.runner?.active()).toBe(0));
  }
}

/** Creates a desk for each test of the calling file; the returned function gives the running test's desk. */
export function useRunnerDesk(): () => RunnerDesk {
  let desk: RunnerDesk | undefined;
  const current = (): RunnerDesk => {
    if (desk === undefined) throw new Error('No test is running');
    return desk;
  };
  beforeEach(async () => {
    desk = new RunnerDesk(await openQueue());
  });
  afterEach(async () => {
    await current().runner?.stop();
    await current().queue.close();
  });
  return current;
}

/** Waits until the expectations hold. */
export const until = (fact: () => void): Promise<void> => vi.waitFor(fact, { timeout: 3_000, interval: 2 });

export const done: Decide = () => ({ kind: 'done' });

export const retryWith = (code: FailureCode, more: object = {}): JobOutcome => ({
  kind: 'retry',
  failure: failureOf(code),
  ...more,
});

export function testWorker(decide: Decide, more: Partial<PoolWorker> = {}): TestWorker {
  const runs: string[][] = [];
  const facts: string[] = [];
  return {
    pool: 'small',
    slots: 2,
    batchSize: 10,
    steps: { 'send-clip': ['urls'] },
    runs,
    facts,
    async run(jobs, settle, { signal }) {
      runs.push(jobs.map((job) => job.subject));
      for (const job of jobs) await settle(job, await decide(job, signal));
    },
    onGivenUp: (job, failure) => {
      facts.push(`given up ${job.subject} ${failure.code}`);
      return () => facts.push(`announced ${job.subject}`);
    },
    onRetry: (job, failure, delayMs) => {
      facts.push(`trouble ${job.subject} ${failure.code} ${delayMs}`);
      return undefined;
    },
    ...more,
  };
}
