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
import { FailureError, type Failure } from '../../shared/domain/failure.ts';
import type { Caller } from '../../shared/ipc/caller.ts';
import type { CallInput, CallName, CallOutput } from '../../shared/ipc/contract.ts';
import type { Result } from '../../shared/lib/result.ts';
import { useServices } from '../stores/services.ts';
import type {
  DesktopCommandInput,
  DesktopCommandName,
  DesktopCommandOutput,
} from '../../shared/ipc/desktop.ts';
import type { DesktopAbilities } from '../bridge/bridge.ts';
import { MAX_USERS_PER_PAGE, type TeamUser, type UserPage } from '../../shared/domain/team-user.ts';

/** Lists of the service are read again this often while they are shown, milliseconds (service.md gap 29: no events). */
export const SERVICE_REFRESH_MS = 60_000;

interface ReadOptions {
  readonly isEnabled?: boolean;
  /** Milliseconds; for lists of the service. What the agent itself holds is read again when it says so. */
  readonly refreshMs?: number;
  /** No signal tells that it changed: what was read before is not shown again. */
  readonly isLive?: boolean;
}

/**
 * Calls without the cache of answers: what comes back stands only where it is put. For what is done many times over,
 * and for answers that must not be kept.
 */
export function useCaller(): Caller {
  return useServices().bridge.caller;
}

/** Asks by any call; rejects with `FailureError`. */
export function useAsk() {
  const caller = useCaller();
  return useCallback(
    async <Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallOutput<Name>> => {
      return valueOf(await caller.call(name, input));
    },
    [caller],
  );
}

/** The value of a result. Throws a `FailureError` for a failure, as the query library expects. */
export function valueOf<Value>(answer: Result<Value, Failure>): Value {
  if (!answer.ok) throw new FailureError(answer.error);
  return answer.value;
}

/** Reads by one call and keeps the answer; keys are the call's name and input. Errors are `FailureError`s. */
export function useRead<Name extends CallName>(
  name: Name,
  input: CallInput<Name>,
  { isEnabled = true, refreshMs, isLive = false }: ReadOptions = {},
): UseQueryResult<CallOutput<Name>, FailureError> {
  const ask = useAsk();
  return useQuery<CallOutput<Name>, FailureError>({
    queryKey: [name, input],
    queryFn: () => ask(name, input),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    ...(isLive ? { staleTime: 0, gcTime: 0 } : {}),
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

/** Rereads every call that starts with this prefix, because the service does not report changes. */
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

/** Where the answer of the desktop is kept. */
export function desktopKey<Name extends DesktopCommandName>(
  name: Name,
  input: DesktopCommandInput<Name>,
): readonly unknown[] {
  return ['desktop', name, input];
}

/** Reads one thing from the desktop; in a browser it is never asked. Errors are `FailureError`s. */
export function useDesktopRead<Name extends DesktopCommandName>(
  name: Name,
  input: DesktopCommandInput<Name>,
): UseQueryResult<DesktopCommandOutput<Name>, FailureError> {
  const { desktop } = useServices().bridge;
  return useQuery<DesktopCommandOutput<Name>, FailureError>({
    queryKey: desktopKey(name, input),
    queryFn: () => ask(desktop, name, input),
    enabled: desktop !== undefined,
  });
}

/** Asks the desktop to do something. `onDone` and `onFailed` run once for each time. */
export function useDesktopMutation<Name extends DesktopCommandName>(
  name: Name,
  reactions: {
    readonly onDone?: (output: DesktopCommandOutput<Name>) => void;
    readonly onFailed?: (failure: Failure) => void;
  } = {},
): UseMutationResult<DesktopCommandOutput<Name>, FailureError, DesktopCommandInput<Name>> {
  const { desktop } = useServices().bridge;
  return useMutation<DesktopCommandOutput<Name>, FailureError, DesktopCommandInput<Name>>({
    mutationFn: (input) => ask(desktop, name, input),
    onSuccess: (output) => reactions.onDone?.(output),
    onError: (error) => reactions.onFailed?.(error.failure),
  });
}

async function ask<Name extends DesktopCommandName>(
  desktop: DesktopAbilities | undefined,
  name: Name,
  input: DesktopCommandInput<Name>,
): Promise<DesktopCommandOutput<Name>> {
  if (desktop === undefined) throw new Error(`There is no desktop for ${name}`);
  return valueOf(await desktop.order(name, input));
}

/** Users of the team as far as they were read, those without access among them. */
export interface Team {
  readonly users: readonly TeamUser[];
  /** Pages of the list at the service, and how many of them are in `users`. */
  readonly pages: number;
  readonly pagesRead: number;
}

/** Pages that are read: 10,000 users. What is beyond them is said to be. */
export const MOST_TEAM_PAGES = 100;
/** As many pages a minute are read again; a longer list less often. */
const PAGES_A_REFRESH = 10;

/** Screens show the first page while the others are on their way, and all of them share what was read. */
const TEAM_KEY = ['users.team'];

/**
 * Everyone of the team (service.md endpoint 11): read once, page after page, and again every minute while it is shown.
 * Searching and sorting is the page's own matter, so that the service is not asked for each key.
 */
export function useTeam(isEnabled = true): UseQueryResult<Team, FailureError> {
  const ask = useAsk();
  const queries = useQueryClient();
  return useQuery<Team, FailureError>({
    queryKey: TEAM_KEY,
    queryFn: ({ signal }) => {
      const isFirst = queries.getQueryData(TEAM_KEY) === undefined;
      return readTeam(
        (input) => {
          // A large team has many pages, and whoever left wants none of them
          signal.throwIfAborted();
          return ask('users.list', input);
        },
        (team) => isFirst && !signal.aborted && queries.setQueryData(TEAM_KEY, team),
      );
    },
    enabled: isEnabled,
    refetchInterval: ({ state }) =>
      SERVICE_REFRESH_MS * Math.max(1, Math.ceil((state.data?.pagesRead ?? 1) / PAGES_A_REFRESH)),
    refetchOnWindowFocus: true,
    // Going from screen to screen asks for nothing
    staleTime: SERVICE_REFRESH_MS / 2,
  });
}

/** Reads page after page; `onPage` has what was read so far. Rejects as `read` does. */
export async function readTeam(
  read: (input: CallInput<'users.list'>) => Promise<UserPage>,
  onPage: (team: Team) => void,
): Promise<Team> {
  const users = new Map<string, TeamUser>();
  for (let page = 1; ; page += 1) {
    // Each page says how many there are
    const answer = await read({ filter: { includeInactive: true }, page, perPage: MAX_USERS_PER_PAGE });
    // Users who come or go meanwhile move the pages: nobody stands in the list twice
    for (const user of answer.users) users.set(String(user.id), user);
    const pages = answer.users.length === 0 ? page : Math.max(page, answer.totalPages);
    const team = { users: [...users.values()], pages, pagesRead: page };
    if (page >= pages || page >= MOST_TEAM_PAGES) return team;
    onPage(team);
  }
}
