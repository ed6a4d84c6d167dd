import type { Failure } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import type { Step } from './refusals.ts';

/** Called once the facts are durably stored: the place to announce them. */
export type AfterCommit = (() => void) | undefined;

/**
 * What became of one run of a job. `commit` writes the facts that follow, in the same transaction as the
 * job's own state, so that "done" is never stored without them.
 * - `retry`: this job again later, for a reason that lies here; `progressed` resets its patience.
 * - `refused`: service or storage did not do what it was asked. The circuits judge whose fault it is; no attempt is counted.
 * - `failed`: given up until someone asks for it again.
 * - `interrupted`: broken off here; `isBegun: false`: nothing was done yet.
 */
export type JobOutcome =
  | { readonly kind: 'done'; readonly commit?: () => AfterCommit }
  | {
      readonly kind: 'retry';
      readonly failure: Failure;
      readonly progressed?: boolean;
      readonly delayMs?: number;
      readonly commit?: () => AfterCommit;
    }
  | RefusedOutcome
  | { readonly kind: 'failed'; readonly failure: Failure; readonly commit?: () => AfterCommit }
  | { readonly kind: 'interrupted'; readonly isBegun?: false };

/** See `JobOutcome` and `Refusal`. */
export interface RefusedOutcome {
  readonly kind: 'refused';
  readonly step: Step;
  readonly failure: Failure;
  readonly provenBy?: 2;
  readonly isShared?: true;
  readonly commit?: () => AfterCommit;
}

/** A job whose next call the circuit does not let through: it goes back as it is. */
export const notBegun: JobOutcome = { kind: 'interrupted', isBegun: false };

/** What a failed call of the service means for the job that made it. */
export function serviceOutcome(step: Step, failure: Failure, signal: AbortSignal): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  // Not even sent: what names its subject cannot stand in an address
  const isUnsent = failure.status === undefined && !failure.retryable;
  const isOwn = isUnsent && policyOf(failure.code).scope === 'call';
  return isOwn ? { kind: 'failed', failure } : { kind: 'refused', step, failure };
}
