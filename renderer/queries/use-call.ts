import {
  keepPreviousData,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { FailureError } from '../../shared/domain/failure-error.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { CallInput, CallName, CallOutput } from '../../shared/ipc/contract.ts';
import { useServices } from '../stores/services.ts';

/** Lists of the service are read again this often while they are shown, milliseconds (decisions row 29: no events). */
export const SERVICE_REFRESH_MS = 60_000;

interface ReadOptions {
  readonly isEnabled?: boolean;
  /** Milliseconds; for lists of the service. What the agent itself holds is read again when it says so. */
  readonly refreshMs?: number;
}

/** Reads by one call and keeps the answer; keys are the call's name and input. Errors are `FailureError`s. */
export function useRead<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { isEnabled = true, refreshMs }: ReadOptions = {},
): UseQueryResult<CallOutput<Name>, FailureError> {
  const { bridge } = useServices();
  return useQuery<CallOutput<Name>, FailureError>({
    queryKey: [name, input],
    queryFn: async () => {
      const answer = await bridge.caller.call(name, input);
      if (!answer.ok) throw new FailureError(answer.error);
      return answer.value;
    },
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    ...(refreshMs === undefined ? {} : { refetchInterval: refreshMs, refetchOnWindowFocus: true }),
  });
}

/** Orders something by one call. `onDone` and `onFailed` run once for each order. */
export function useOrder<Name extends CallName>(
  name: Name,
  reactions: {
    readonly onDone?: (output: CallOutput<Name>, input: CallInput<Name>) => void;
    readonly onFailed?: (failure: Failure, input: CallInput<Name>) => void;
  } = {},
): UseMutationResult<CallOutput<Name>, FailureError, CallInput<Name>> {
  const { bridge } = useServices();
  return useMutation<CallOutput<Name>, FailureError, CallInput<Name>>({
    mutationFn: async (input) => {
      const answer = await bridge.caller.call(name, input);
      if (!answer.ok) throw new FailureError(answer.error);
      return answer.value;
    },
    onSuccess: (output, input) => reactions.onDone?.(output, input),
    onError: (error, input) => reactions.onFailed?.(error.failure, input),
  });
}
