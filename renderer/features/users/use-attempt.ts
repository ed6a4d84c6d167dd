import { useCallback } from 'react';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { CallInput, CallName, CallOutput } from '../../../shared/ipc/contract.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { useAsk } from '../../queries/use-call.ts';

/**
 * Calls without the cache of answers: what comes back stands only where it is put. For what is done many times over,
 * and for answers that must not be kept.
 */
export function useAttempt() {
  const ask = useAsk();
  return useCallback(
    async <Name extends CallName>(
      name: Name,
      input: CallInput<Name>,
    ): Promise<Result<CallOutput<Name>, Failure>> => {
      try {
        return ok(await ask(name, input));
      } catch (error) {
        if (error instanceof FailureError) return err(error.failure);
        throw error;
      }
    },
    [ask],
  );
}
