import type { Failure } from '../../../shared/domain/failure.ts';
import type { JobKind, JobPool, JobRow } from '../store/job-rows.ts';
import type { Logger, Clock } from '../ports.ts';
import { reasonOf, type JobOutcome, type AfterCommit, type RefusedOutcome, type Step } from './outcome.ts';
import { assertNever } from '../../../shared/lib/result.ts';
import {
  agentPolicyOf,
  attemptLimit,
  isFileWaitedFor,
  longestWaitMs,
  retryDelayMs,
} from '../core/failures/failure-policy.ts';
import { parseFailure } from '../store/json-columns.ts';
import { isOwnFault } from '../store/store-failures.ts';
import type { Tables } from '../store/tables.ts';
import { NotSyncedError } from '../store/transactions.ts';
import { deniedAlone } from '../service/failures.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Circuits, Verdict } from './circuits.ts';
import type { HistoryFacts } from '../../../shared/domain/upload-history.ts';

/** The calls that a job of each kind makes overall: it does not start while one of them is closed. */
export type StepsOfKinds = Readonly<Partial<Record<JobKind, readonly Step[]>>>;

/** A kind of worker: how many run at once, how many jobs each takes, and what it does with them. */
export interface PoolWorker extends JobOwner {
  readonly pool: JobPool;
  readonly slots: number;
  readonly batchSize: number;
  /** Most bytes that the jobs of a batch send together, unless it is one job; default: no limit. */
  readonly batchBytes?: number;
  readonly steps: StepsOfKinds;
  /** Further slots while all jobs in progress have fewer bytes than `belowBytes` together. */
  readonly moreSlots?: { readonly count: number; readonly belowBytes: number };
  /** Additional slots while others of this pool wait for an answer that does not come. */
  readonly spareSlots?: number;
  /** How long such a wait is, milliseconds; default: 10 s. */
  readonly slowAfterMs?: number;
  /** Runs the jobs (all of one incident) and settles each exactly once. Throws only for bugs. */
  run(jobs: readonly JobRow[], settle: Settle, run: BatchRun): Promise<void>;
}

/** Stores the outcome of a job. */
type Settle = (job: JobRow, outcome: JobOutcome) => Promise<void>;

/** What the worker of a batch is told, and tells. */
export interface BatchRun {
  /** Aborts at a person's command, and at the end of the run. */
  readonly signal: AbortSignal;
  /** Aborts only at the end of the run: for calls whose answer must be received. */
  readonly end: AbortSignal;
  /** Only results are left to be stored: another batch may have the slot. */
  leaveSlot(): void;
}

/** What running a batch needs. */
export interface BatchDeps extends OutcomeDeps {
  readonly logger: Logger;
}

/** Jobs that one worker is running. */
export interface Batch {
  readonly worker: PoolWorker;
  /** Jobs that are not settled yet. */
  readonly open: Set<JobRow>;
  readonly ending: AbortController;
  /** When something last happened in it, monotonic. */
  movedAtMs: number;
  /** It holds no slot any more. */
  hasLeft: boolean;
}

interface BatchLimits {
  /** Aborted at the end of the run. */
  readonly stopping: AbortSignal;
  /** Called for a job whose result could not be stored: nobody holds its lease any more. */
  readonly onUnsettled: (jobId: number) => void;
  readonly onLeft: () => void;
  /** Called when a job failed because too much is in progress at once. */
  readonly onTooMuch: () => void;
}

/** A job that a bug has ended this often is given up: otherwise a one-shot run would never end. */
const MOST_FAULTS = 10;

/** Creates the function that runs a batch: each job is settled once, whatever the worker does. Never rejects. */
export function createRunBatch(
  deps: BatchDeps,
  { stopping, onUnsettled, onLeft, onTooMuch }: BatchLimits,
): (batch: Batch, jobs: readonly JobRow[]) => Promise<void> {
  const { logger } = deps;

  /** Settles a job that its worker left open: it threw, it was stopped, or its result could not be stored. */
  async function settleLeft(
    job: JobRow,
    settle: Settle,
    { isStopped, error: cause }: { readonly isStopped: boolean; readonly error: unknown },
  ): Promise<void> {
    const failure = unexpected(job);
    const isRepeated = parseFailure(job.failure)?.code === failure.code && job.attempts >= MOST_FAULTS;
    const isGivenUp = isRepeated && cause !== undefined && isOwnFault(cause);
    const last = { ...failure, advice: 'Retry it. See the program log in Health for details.' };
    const end: JobOutcome = isGivenUp ? { kind: 'failed', failure: last } : { kind: 'retry', failure };
    try {
      await settle(job, isStopped ? { kind: 'interrupted' } : end);
    } catch (error) {
      onUnsettled(job.id);
      logger.error('The result of a job could not be stored; it will be retried', {
        job: job.kind,
        error,
      });
    }
  }

  return async (batch, jobs) => {
    const { worker, open, ending } = batch;
    const { signal } = ending;
    const settle: Settle = async (job, outcome) => {
      batch.movedAtMs = deps.clock.monotonic();
      const announcements = await storeOutcome(deps, worker, job, outcome).catch((error: unknown) => {
        // Its rows are written: the next opening of the queue shows whether they are on the disk
        if (error instanceof NotSyncedError) open.delete(job);
        throw error;
      });
      open.delete(job);
      if ('failure' in outcome && agentPolicyOf(outcome.failure.code).slows === true) onTooMuch();
      for (const announce of announcements) announce?.();
    };
    let fault: unknown;
    try {
      // What these jobs follow from may still be waiting for the disk
      await deps.tables.synced();
      const leaveSlot = (): void => {
        batch.hasLeft = true;
        onLeft();
      };
      await worker.run(jobs, settle, { signal, end: stopping, leaveSlot });
    } catch (error) {
      fault = error;
      const fields = { pool: worker.pool, error };
      if (signal.aborted) logger.debug('A job was interrupted by a command or by the end of the run', fields);
      else logger.error('A job ended with an unexpected error; it will be retried', fields);
    }
    for (const job of open) await settleLeft(job, settle, { isStopped: signal.aborted, error: fault });
  };
}

function unexpected(job: JobRow): Failure {
  return {
    code: 'SERVICE_FAULT',
    message: 'A step of this upload failed unexpectedly.',
    advice: 'The agent will retry automatically. See the program log in Health for details.',
    retryable: true,
    detail: job.kind,
  };
}

/** What storing the outcome of a job needs. */
interface OutcomeDeps {
  readonly tables: Tables;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly clock: Clock;
}

/** Writes what follows when a job fails. */
interface JobOwner {
  /** Called in the transaction that gives a job up. */
  onGivenUp(job: JobRow, failure: Failure): AfterCommit;
  /** Called in the transaction that puts a job back because of `failure`. */
  onRetry(job: JobRow, failure: Failure, delayMs: number): AfterCommit;
  /** Called in the transaction that puts a job back that service or storage refused for the `times`th time in a row. */
  onRefused?(job: JobRow, failure: Failure, times: number): AfterCommit;
}

/** With its wall-clock time. */
type TimedVerdict = Verdict & { readonly atMs: number };

/** Writes the job's state and the facts of its outcome together; returns what to announce now. */
export async function storeOutcome(
  deps: OutcomeDeps,
  owner: JobOwner,
  job: JobRow,
  outcome: JobOutcome,
): Promise<readonly AfterCommit[]> {
  const judged =
    outcome.kind === 'refused' ? deps.circuits.refused({ ...outcome, subject: job.subject }) : undefined;
  // The job waits as long as its circuit, from the same moment, however long the commit takes
  const verdict = judged && { ...judged, atMs: deps.clock.now() };
  let announcements: readonly AfterCommit[] = [];
  await deps.groupCommit.commit(() => {
    announcements = write(deps, owner, job, outcome, verdict);
  });
  return announcements;
}

function write(
  deps: OutcomeDeps,
  owner: JobOwner,
  job: JobRow,
  outcome: JobOutcome,
  verdict: TimedVerdict | undefined,
): readonly AfterCommit[] {
  const { jobs } = deps.tables;
  switch (outcome.kind) {
    case 'done':
      jobs.remove(job.id);
      return [outcome.commit?.()];
    case 'interrupted':
      jobs.release(job.id);
      if (outcome.isBegun !== false) recordAttempt(deps, job, { end: 'stopped' });
      return [];
    case 'refused':
      return [outcome.commit?.(), putBack(deps, owner, job, outcome, verdict)];
    case 'failed':
      return [outcome.commit?.(), giveUp(deps, owner, job, outcome.failure)];
    case 'retry':
      return [outcome.commit?.(), retryLater(deps, owner, job, outcome)];
    default:
      return assertNever(outcome);
  }
}

function giveUp(deps: OutcomeDeps, owner: JobOwner, job: JobRow, failure: Failure): AfterCommit {
  deps.tables.jobs.fail(job.id, JSON.stringify(failure));
  recordAttempt(deps, job, { end: 'given-up', failure });
  return owner.onGivenUp(job, failure);
}

/** Counts no attempt: the circuits are the judge. While they are closed no single job is blamed. */
function putBack(
  deps: OutcomeDeps,
  owner: JobOwner,
  job: JobRow,
  outcome: RefusedOutcome,
  verdict: TimedVerdict | undefined,
): AfterCommit {
  const failure = verdict?.isAlone === true ? deniedAlone(outcome.failure) : outcome.failure;
  if (verdict === undefined || verdict.isOwn) return giveUp(deps, owner, job, failure);
  const { delayMs, times, isClosed, atMs } = verdict;
  const nextTryAtMs = atMs + delayMs;
  deps.tables.jobs.later(job.id, nextTryAtMs, job.attempts, JSON.stringify(failure));
  recordAttempt(deps, job, { end: 'failed', failure, nextTryAtMs });
  if (isClosed) return undefined;
  const announce = [owner.onRetry(job, failure, delayMs), owner.onRefused?.(job, failure, times)];
  return () => void announce.map((one) => one?.());
}

function retryLater(
  deps: OutcomeDeps,
  owner: JobOwner,
  job: JobRow,
  outcome: JobOutcome & { kind: 'retry' },
): AfterCommit {
  const { tables, clock } = deps;
  const { failure } = outcome;
  const limit = attemptLimit(failure.code);
  const lastCode = parseFailure(job.failure)?.code;
  // A share that was away for hours uses up none of the attempts of a changed file
  const isFirst = outcome.progressed === true || (lastCode !== undefined && lastCode !== failure.code);
  const attempts = isFirst ? 1 : job.attempts + 1;
  if (limit !== undefined && attempts >= limit) return giveUp(deps, owner, job, failure);
  const least = isFileWaitedFor(failure.code) ? (failure.retryAfterMs ?? 0) : 0;
  const usual = Math.max(least, retryDelayMs(attempts, clock.random(), longestWaitMs(failure.code)));
  const delayMs = outcome.delayMs ?? usual;
  const nextTryAtMs = clock.now() + delayMs;
  tables.jobs.later(job.id, nextTryAtMs, attempts, JSON.stringify(failure));
  // A share may be away for days: the history says so once, not every minute
  const isRepeated = isFileWaitedFor(failure.code) && lastCode === failure.code;
  if (!isRepeated) recordAttempt(deps, job, { end: 'failed', failure, nextTryAtMs });
  return owner.onRetry(job, failure, delayMs);
}

type Tried = HistoryFacts & { readonly kind: 'tried' };

/** How an unsuccessful try ended; `nextTryAtMs` on the wall clock. */
interface AttemptEnd {
  readonly end: Tried['end'];
  readonly failure?: Failure;
  readonly nextTryAtMs?: number;
}

/** Notes the try in the history of its clip or incident; call in the transaction that stores its result. */
function recordAttempt(
  { tables, clock }: { readonly tables: Tables; readonly clock: Clock },
  job: JobRow,
  { end, failure, nextTryAtMs }: AttemptEnd,
): void {
  const facts: Tried = {
    kind: 'tried',
    end,
    ...(failure === undefined ? {} : { reason: reasonOf(failure) }),
    ...(nextTryAtMs === undefined ? {} : { nextTryAt: new Date(nextTryAtMs).toISOString() }),
  };
  const row = { at: clock.now(), startedAt: job.leasedAt, facts };
  if (job.kind === 'send-clip') tables.history.clip(job.subject, row);
  if (job.kind === 'put-incident' || job.kind === 'check-incident') tables.history.incident(job.subject, row);
}
