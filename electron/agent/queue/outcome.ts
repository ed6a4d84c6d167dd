import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';

/** The two sides that jobs depend on; each can be paused for all jobs at once. */
export type CircuitName = 'service' | 'storage';

/** Called once the facts are durably stored: the place to announce them. */
export type AfterCommit = (() => void) | undefined;

/**
 * What became of one run of a job. `commit` writes the facts that follow, in the same transaction as the
 * job's own state, so that "done" is never stored without them.
 * - `retry`: this job again later; `progressed` resets its patience.
 * - `pause-circuit`: nothing on that side works now; no attempt is counted.
 * - `failed`: given up until someone asks for it again.
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
  | { readonly kind: 'pause-circuit'; readonly circuit: CircuitName; readonly failure: Failure }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly commit?: () => AfterCommit }
  | { readonly kind: 'interrupted' };

/** What a failed call of the service means for the job that made it. */
export function serviceOutcome(failure: Failure, signal: AbortSignal): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  if (agentPolicyOf(failure.code).wait.kind === 'circuit')
    return { kind: 'pause-circuit', circuit: 'service', failure };
  return failure.retryable ? { kind: 'retry', failure } : { kind: 'failed', failure };
}
