import { useCallback } from 'react';
import {
  keepPreviousData,
  useMutation,
  useQuery,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { type Failure, FailureError } from '../../shared/domain/failure.ts';
import type { CallInput, CallName, CallOutput } from '../../shared/ipc/contract.ts';
import { useServices } from '../stores/services.ts';

/** Lists of the service are read again this often while they are shown, milliseconds (service.md gap 29: no events). */
export const SERVICE_REFRESH_MS = 60_000;

interface ReadOptions {
  readonly isEnabled?: boolean;
  /** Milliseconds; for lists of the service. What the agent itself holds is read again when it says so. */
  readonly refreshMs?: number;
}

/** Asks by any call; rejects with `FailureError`, as the library that keeps the answers wants it. */
export function useAsk() {
  const { caller } = useServices().bridge;
  return useCallback(
    async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> => {
      const answer = await caller.call(name, input);
      if (!answer.ok) throw new FailureError(answer.error);
      return answer.value;
    },
    [caller],
  );
}

/** Reads by one call and keeps the answer; keys are the call's name and input. Errors are `FailureError`s. */
export function useRead<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { isEnabled = true, refreshMs }: ReadOptions = {},
): UseQueryResult<CallOutput<Name>, FailureError> {
  const ask = useAsk();
  return useQuery<CallOutput<Name>, FailureError>({
    queryKey: [name, input],
    queryFn: () => ask(name, input),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    ...(refreshMs === undefined
      ? {}
      : { refetchInterval: refreshMs, refetchOnWindowFocus: true, staleTime: 0 }),
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
  const ask = useAsk();
  return useMutation<CallOutput<Name>, FailureError, CallInput<Name>>({
    mutationFn: (input) => ask(name, input),
    onSuccess: (output, input) => reactions.onDone?.(output, input),
    onError: (error, input) => reactions.onFailed?.(error.failure, input),
  });
}
