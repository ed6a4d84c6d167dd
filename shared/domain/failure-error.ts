import type { Failure } from './failure.ts';

/** Carries a failure where a promise can only reject. `cause` keeps the original error. */
export class FailureError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(`${failure.code}: ${failure.message}`, options);
    this.name = 'FailureError';
    this.failure = failure;
  }
}
