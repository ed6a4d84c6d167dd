import type { Failure } from '../../../../shared/domain/failure.ts';

/** Why a host ends: with a policy that it cannot read whole, it would do what the organisation forbids. */
const NO_LESS = 'The agent does not start with less than its policy.';

/** A policy that cannot be used. `message` is a sentence that names the place. */
export function policyFailure(message: string, advice: string): Failure {
  return { code: 'POLICY_INVALID', message, advice: `${advice} ${NO_LESS}`, retryable: false };
}

/** What is wrong with one value of a policy, said as a failure of the policy. */
export function asPolicyFailure(failure: Failure, place: string): Failure {
  const where = failure.advice.includes(place) ? '' : ` It stands in ${place}.`;
  return {
    ...policyFailure(failure.message, failure.advice + where),
    ...(failure.fields && { fields: failure.fields }),
  };
}
