import type { Failure } from '../../../shared/domain/failure.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import { attemptLimit } from '../core/failures/failure-policy.ts';
import { retryDelayMs } from '../core/failures/retry-delay.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { Clock } from '../ports.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Circuits } from './circuits.ts';
import { noteTry } from './note-try.ts';
import type { AfterCommit, JobOutcome, CircuitName } from './outcome.ts';

/** A job that met a paused circuit counts no attempt, and is due again soon after the circuit is. */
const LONGEST_ASIDE_MS = 30_000;

/** What storing the outcome of a job needs. */
export interface OutcomeParts {
  readonly tables: Tables;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly clock: Clock;
}

/** Who writes what follows from a job's trouble. */
export interface JobOwner {
  /** Called in the transaction that gives a job up. */
  onGivenUp(job: JobRow, failure: Failure): AfterCommit;
  /** Called in the transaction that puts a job back because of `failure`. */
  onTrouble(job: JobRow, failure: Failure, delayMs: number): AfterCommit;
}

/** Writes the job's state and the facts of its outcome together; answers what is to be announced now. */
export async function storeOutcome(
  parts: OutcomeParts,
  owner: JobOwner,
  job: JobRow,
  outcome: JobOutcome,
): Promise<readonly AfterCommit[]> {
  if (outcome.kind === 'pause-circuit') parts.circuits.pause(outcome.circuit, outcome.failure);
  let announcements: readonly AfterCommit[] = [];
  await parts.groupCommit.commit(() => {
    announcements = write(parts, owner, job, outcome);
  });
  return announcements;
}

function write(
  parts: OutcomeParts,
  owner: JobOwner,
  job: JobRow,
  outcome: JobOutcome,
): readonly AfterCommit[] {
  const { jobs } = parts.tables;
  switch (outcome.kind) {
    case 'done':
      jobs.remove(job.id);
      return [outcome.commit?.()];
    case 'interrupted':
      jobs.release(job.id);
      noteTry(parts, job, { end: 'stopped' });
      return [];
    case 'pause-circuit':
      stepAside(parts, job, outcome.circuit, outcome.failure);
      return [];
    case 'failed':
      return [outcome.commit?.(), giveUp(parts, owner, job, outcome.failure)];
    case 'retry':
      return [outcome.commit?.(), retryLater(parts, owner, job, outcome)];
    default:
      return assertNever(outcome);
  }
}

function giveUp(parts: OutcomeParts, owner: JobOwner, job: JobRow, failure: Failure): AfterCommit {
  parts.tables.jobs.fail(job.id, JSON.stringify(failure));
  noteTry(parts, job, { end: 'given-up', failure });
  return owner.onGivenUp(job, failure);
}

/** The circuit's next probe should be another job, in case it is this one that the other side stumbles over. */
function stepAside(parts: OutcomeParts, job: JobRow, circuit: CircuitName, failure: Failure): void {
  const { tables, circuits, clock } = parts;
  const times = circuits.pauses().find((pause) => pause.circuit === circuit)?.times ?? 1;
  const delayMs = Math.min(LONGEST_ASIDE_MS, retryDelayMs(times, clock.random()));
  const nextTryAtMs = clock.now() + delayMs;
  tables.jobs.later(job.id, nextTryAtMs, job.attempts, JSON.stringify(failure));
  noteTry(parts, job, { end: 'failed', failure, nextTryAtMs });
}

function retryLater(
  parts: OutcomeParts,
  owner: JobOwner,
  job: JobRow,
  outcome: JobOutcome & { kind: 'retry' },
): AfterCommit {
  const { tables, clock } = parts;
  const { failure } = outcome;
  const attempts = outcome.progressed === true ? 1 : job.attempts + 1;
  const limit = attemptLimit(failure.code);
  if (limit !== undefined && attempts >= limit) return giveUp(parts, owner, job, failure);
  const delayMs = outcome.delayMs ?? retryDelayMs(attempts, clock.random(), failure.retryAfterMs);
  const nextTryAtMs = clock.now() + delayMs;
  tables.jobs.later(job.id, nextTryAtMs, attempts, JSON.stringify(failure));
  noteTry(parts, job, { end: 'failed', failure, nextTryAtMs });
  return owner.onTrouble(job, failure, delayMs);
}
