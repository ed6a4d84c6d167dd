import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback } from 'react';
import { FailureError } from '../../shared/domain/failure.ts';
import type { Failure } from '../../shared/domain/failure.ts';
import type { Caller } from '../../shared/ipc/caller.ts';
import type { CallInput, CallName, CallOutput } from '../../shared/ipc/contract.ts';
import { useServices } from '../stores/services.ts';

/** Lists of the service are read again this often while they are shown, milliseconds (service.md gap 29: no events). */
export const SERVICE_REFRESH_MS = 60_000;

interface ReadOptions {
  readonly isEnabled?: boolean;
  /** Milliseconds; for lists of the service. What the agent itself holds is read again when it says so. */
  readonly refreshMs?: number;
}

/**
 * Calls without the cache of answers: what comes back stands only where it is put. For what is done many times over,
 * and for answers that must not be kept.
 */
export function useCaller(): Caller {
  return useServices().bridge.caller;
}

/** Asks by any call; rejects with `FailureError`, as the library that keeps the answers wants it. */
export function useAsk() {
  const caller = useCaller();
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

/**
 * Reads what belongs to one version of a thing and never changes: it is not read again when lists are, and is forgotten
 * soon after nobody shows it. Nothing while it is not there or cannot be had.
 */
export function useLasting<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  isEnabled: boolean,
): CallOutput<Name> | undefined {
  const ask = useAsk();
  return useQuery<CallOutput<Name>, FailureError>({
    queryKey: ['lasting', name, input],
    queryFn: () => ask(name, input),
    enabled: isEnabled,
    gcTime: FORGOTTEN_AFTER_MS,
  }).data;
}

const FORGOTTEN_AFTER_MS = 30_000;

/** Changes something by one call. `onDone` and `onFailed` run once for each time. */
export function useCallMutation<Name extends CallName>(
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

/** Has everything read again whose call begins so: the service tells nobody that something changed. */
export function useReadAgain(prefix: string): () => void {
  const queries = useQueryClient();
  return () => readAgain(queries, [prefix]);
}

/** The same, for several of them. */
export function readAgain(queries: QueryClient, prefixes: readonly string[]): void {
  const isMeant = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
    prefixes.some((prefix) => String(queryKey[0]).startsWith(prefix));
  // A first answer that is on its way may be from before the change, and the library would take it for the newest
  for (const query of queries.getQueryCache().findAll({ predicate: isMeant, fetchStatus: 'fetching' }))
    if (query.state.data === undefined)
      query.promise
        ?.then(() => queries.invalidateQueries({ queryKey: query.queryKey, exact: true }))
        .catch(() => undefined);
  void queries.invalidateQueries({ predicate: isMeant });
}
