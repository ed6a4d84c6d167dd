import type { Failure } from '../../../shared/domain/failure.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { attemptLimit } from '../core/attempt-limit.ts';
import { MAX_RETRY_DELAY_MS, retryDelayMs } from '../core/retry-delay.ts';
import type { JobPool, JobRow } from '../db/job-rows.ts';
import type { Tables } from '../db/tables.ts';
import type { Clock, Logger } from '../ports.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Lanes } from './lanes.ts';
import type { AfterCommit, JobOutcome, LaneName } from './outcome.ts';

/** A job that met a closed lane counts no attempt, and is due again soon after the lane is. */
const LONGEST_ASIDE_MS = 30_000;
/** How long the runner sleeps at the most; other processes may add work (`retry`). */
const LONGEST_NAP_MS = 1000;

/** One kind of worker: how many run at once, how many jobs each takes, and what it does with them. */
export interface PoolWorker {
  readonly pool: JobPool;
  readonly slots: number;
  readonly batchSize: number;
  readonly lanes: readonly LaneName[];
  /** Runs the jobs (all of one incident) and settles each exactly once. Throws only for bugs. */
  run(
    jobs: readonly JobRow[],
    settle: (job: JobRow, outcome: JobOutcome) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
  /** Called in the transaction that gives a job up. */
  onGivenUp(job: JobRow, failure: Failure): AfterCommit;
  /** Called in the transaction that puts a job back because of `failure`. */
  onTrouble(job: JobRow, failure: Failure, delayMs: number): AfterCommit;
}

interface Context {
  readonly tables: Tables;
  readonly groupCommit: GroupCommit;
  readonly lanes: Lanes;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Name of this process's leases; leases of any other name are free at start. */
  readonly leaseName: string;
}

/** Claims jobs and runs them. `wake` after work was added; `idle` when nothing is running or due. */
export interface JobRunner {
  start(): void;
  wake(): void;
  stop(): Promise<void>;
  /** Jobs running now. */
  active(): number;
}

/** Makes a runner over the given workers. */
export function createJobRunner(context: Context, workers: readonly PoolWorker[]): JobRunner {
  const { tables, lanes, clock, logger } = context;
  const stopping = new AbortController();
  const running = new Map<JobPool, number>();
  const inFlight = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let dataVersion = 0;

  function freeSlots(worker: PoolWorker): number {
    return worker.slots - (running.get(worker.pool) ?? 0);
  }

  /** Starts one batch of the worker; false when there is nothing to start. */
  function startOne(worker: PoolWorker): boolean {
    const allowance = freeSlots(worker) > 0 ? lanes.allowance(worker.lanes) : 'none';
    if (allowance === 'none') return false;
    const limit = allowance === 'one' ? 1 : worker.batchSize;
    const jobs = tables.jobs.claim(worker.pool, limit, context.leaseName, clock.now());
    if (jobs.length === 0) return false;
    if (allowance === 'one') lanes.probeStarted(worker.lanes);
    running.set(worker.pool, (running.get(worker.pool) ?? 0) + 1);
    const run = runBatch(worker, jobs).finally(() => {
      if (allowance === 'one') lanes.probeEnded(worker.lanes);
      running.set(worker.pool, (running.get(worker.pool) ?? 1) - 1);
      inFlight.delete(run);
      wake();
    });
    inFlight.add(run);
    return true;
  }

  async function runBatch(worker: PoolWorker, jobs: readonly JobRow[]): Promise<void> {
    const open = new Set(jobs);
    try {
      await worker.run(
        jobs,
        async (job, outcome) => {
          open.delete(job);
          await settle(worker, job, outcome);
        },
        stopping.signal,
      );
    } catch (error) {
      logger.error('A job ended with an unexpected error; it is tried again', { pool: worker.pool, error });
    }
    for (const job of open) await settle(worker, job, { kind: 'retry', failure: unexpected(job) });
  }

  async function settle(worker: PoolWorker, job: JobRow, outcome: JobOutcome): Promise<void> {
    if (outcome.kind === 'pause-lane') lanes.pause(outcome.lane, outcome.failure);
    const announcements: AfterCommit[] = [];
    await context.groupCommit.commit(() => {
      announcements.push(...settleInTransaction(worker, job, outcome));
    });
    for (const announce of announcements) announce?.();
  }

  function settleInTransaction(worker: PoolWorker, job: JobRow, outcome: JobOutcome): readonly AfterCommit[] {
    switch (outcome.kind) {
      case 'done':
        tables.jobs.remove(job.id);
        return [outcome.commit?.()];
      case 'interrupted':
        tables.jobs.release(job.id);
        return [];
      case 'pause-lane':
        stepAside(job, outcome.lane, outcome.failure);
        return [];
      case 'failed':
        return [outcome.commit?.(), giveUp(worker, job, outcome.failure)];
      case 'retry':
        return [outcome.commit?.(), retryLater(worker, job, outcome)];
      default:
        return assertNever(outcome);
    }
  }

  function giveUp(worker: PoolWorker, job: JobRow, failure: Failure): AfterCommit {
    tables.jobs.fail(job.id, JSON.stringify(failure));
    return worker.onGivenUp(job, failure);
  }

  /** The lane's next probe should be another job, in case it is this one that the other side stumbles over. */
  function stepAside(job: JobRow, lane: LaneName, failure: Failure): void {
    const times = lanes.pauses().find((pause) => pause.lane === lane)?.times ?? 1;
    const delayMs = Math.min(LONGEST_ASIDE_MS, retryDelayMs(times, clock.random()));
    tables.jobs.later(job.id, clock.now() + delayMs, job.attempts, JSON.stringify(failure));
  }

  function retryLater(worker: PoolWorker, job: JobRow, outcome: JobOutcome & { kind: 'retry' }): AfterCommit {
    const { failure } = outcome;
    const attempts = outcome.progressed === true ? 1 : job.attempts + 1;
    const limit = attemptLimit(failure.code);
    if (limit !== undefined && attempts >= limit) return giveUp(worker, job, failure);
    const delayMs = outcome.delayMs ?? retryDelayMs(attempts, clock.random(), failure.retryAfterMs);
    tables.jobs.later(job.id, clock.now() + delayMs, attempts, JSON.stringify(failure));
    return worker.onTrouble(job, failure, delayMs);
  }

  function fill(): void {
    timer = undefined;
    if (stopping.signal.aborted) return;
    dataVersion = tables.dataVersion();
    tables.jobs.promoteDue(clock.now());
    // One batch a worker in turn, so that a full pool never starves the others.
    let started = true;
    while (started) started = workers.map(startOne).includes(true);
    nap();
  }

  function napMs(): number {
    const dueAt = tables.jobs.nextDueAt();
    // A clock set back would park jobs for hours: the nap is capped, and what is far ahead is looked at again.
    const dueMs = dueAt === undefined ? LONGEST_NAP_MS : Math.max(0, dueAt - clock.now());
    return Math.min(dueMs, lanes.nextProbeInMs() ?? LONGEST_NAP_MS, LONGEST_NAP_MS);
  }

  function nap(): void {
    timer = setTimeout(onTimer, napMs());
  }

  /** Most naps end with nothing to do: then not even a claim is tried. */
  function onTimer(): void {
    const dueAt = tables.jobs.nextDueAt();
    const isDue = dueAt !== undefined && dueAt <= clock.now();
    const isProbe = lanes.nextProbeInMs() === 0;
    if (isDue || isProbe || tables.dataVersion() !== dataVersion) fill();
    else nap();
  }

  let wakePending = false;
  function wake(): void {
    if (wakePending || stopping.signal.aborted) return;
    wakePending = true;
    setImmediate(() => {
      wakePending = false;
      clearTimeout(timer);
      fill();
    });
  }

  return {
    start() {
      // A clock that was wrong when rows were written must not park them beyond the longest backoff.
      tables.jobs.capDue(clock.now() + MAX_RETRY_DELAY_MS);
      const freed = tables.jobs.freeLeasesOfOthers(context.leaseName);
      if (freed > 0) logger.info('Jobs of an earlier run go on', { jobs: freed });
      wake();
    },
    wake,
    async stop() {
      stopping.abort(new Error('stopping'));
      clearTimeout(timer);
      await Promise.allSettled(inFlight);
    },
    active: () => inFlight.size,
  };
}

function unexpected(job: JobRow): Failure {
  return {
    code: 'SERVICE_FAULT',
    message: `The step ${job.kind} ended unexpectedly.`,
    advice: 'It is tried again by itself. The log has the details.',
    retryable: true,
  };
}
