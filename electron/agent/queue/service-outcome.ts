import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import type { JobOutcome } from './outcome.ts';

/** What a failed call of the service means for the job that made it. */
export function serviceOutcome(failure: Failure, signal: AbortSignal): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  if (agentPolicyOf(failure.code).wait.kind === 'circuit')
    return { kind: 'pause-circuit', circuit: 'service', failure };
  return failure.retryable ? { kind: 'retry', failure } : { kind: 'failed', failure };
}
