import type { Failure } from '../../../shared/domain/failure.ts';
import type { CallArguments, CallName, CallOutput } from '../../../shared/ipc/contract.ts';
import type { Result } from '../../../shared/lib/result.ts';

/** Answers one call with input that was checked; `signal` aborts when nobody waits for the answer any more. */
export type Handler<Name extends CallName> = (
  input: CallArguments<Name>,
  signal: AbortSignal,
) => Result<CallOutput<Name>, Failure> | Promise<Result<CallOutput<Name>, Failure>>;

/** A handler for each of the named calls: leaving one out is a type error. */
export type Handlers<Name extends CallName = CallName> = { readonly [N in Name]: Handler<N> };
