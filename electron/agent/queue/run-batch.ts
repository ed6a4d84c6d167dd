import type { Failure } from '../../../shared/domain/failure.ts';
import type { JobPool, JobRow } from '../store/job-rows.ts';
import type { Logger } from '../ports.ts';
import type { JobOutcome, CircuitName } from './outcome.ts';
import { storeOutcome, type JobOwner, type OutcomeParts } from './store-outcome.ts';

/** One kind of worker: how many run at once, how many jobs each takes, and what it does with them. */
export interface PoolWorker extends JobOwner {
  readonly pool: JobPool;
  readonly slots: number;
  readonly batchSize: number;
  readonly circuits: readonly CircuitName[];
  /**
   * Runs the jobs (all of one incident) and settles each exactly once. Throws only for bugs. `signal` aborts when a
   * person's order wants them to stop, and at the end of the run; `end` only then: for calls whose answer must be heard.
   */
  run(
    jobs: readonly JobRow[],
    settle: (job: JobRow, outcome: JobOutcome) => Promise<void>,
    signal: AbortSignal,
    end: AbortSignal,
  ): Promise<void>;
}

/** What running a batch needs. */
export interface BatchParts extends OutcomeParts {
  readonly logger: Logger;
}

/** Jobs that one worker has under way. */
export interface Batch {
  readonly worker: PoolWorker;
  /** Jobs that are not settled yet. */
  readonly open: Set<JobRow>;
  readonly ending: AbortController;
}

interface Surroundings {
  /** Aborted at the end of the run. */
  readonly stopping: AbortSignal;
  /** Takes a job whose end could not be stored: nobody holds its lease any more. */
  readonly strand: (jobId: number) => void;
}

/** Makes what runs a batch to its end: each of its jobs is settled once, whatever the worker does. Never rejects. */
export function createRunBatch(
  parts: BatchParts,
  { stopping, strand }: Surroundings,
): (batch: Batch, jobs: readonly JobRow[]) => Promise<void> {
  const { logger } = parts;

  /** A job that its worker left open: it threw, it was stopped, or what it found could not be stored. */
  async function settleLeft(
    job: JobRow,
    settle: (job: JobRow, outcome: JobOutcome) => Promise<void>,
    isStopped: boolean,
  ): Promise<void> {
    try {
      await settle(job, isStopped ? { kind: 'interrupted' } : { kind: 'retry', failure: unexpected(job) });
    } catch (error) {
      strand(job.id);
      logger.error('What became of a job could not be stored; it is tried again', { job: job.kind, error });
    }
  }

  return async ({ worker, open, ending }, jobs) => {
    const { signal } = ending;
    const settle = async (job: JobRow, outcome: JobOutcome): Promise<void> => {
      const announcements = await storeOutcome(parts, worker, job, outcome);
      open.delete(job);
      for (const announce of announcements) announce?.();
    };
    try {
      await worker.run(jobs, settle, signal, stopping);
    } catch (error) {
      const fields = { pool: worker.pool, error };
      if (signal.aborted) logger.debug('A job was broken off by the end of the run or an order', fields);
      else logger.error('A job ended with an unexpected error; it is tried again', fields);
    }
    for (const job of open) await settleLeft(job, settle, signal.aborted);
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
