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

/** Interval for reading the service's lists while they are shown, milliseconds (service.md gap 29: no events). */
export const SERVICE_REFRESH_MS = 60_000;

interface ReadOptions {
  readonly isEnabled?: boolean;
  /** Milliseconds; for lists of the service. Data of the agent itself is read again when it reports a change. */
  readonly refreshMs?: number;
  /** For data whose changes no signal announces: earlier answers are not shown again. */
  readonly isLive?: boolean;
}

/**
 * Makes calls without the query cache: the caller keeps the answer, or does not. For bulk operations, and for answers
 * that must not be cached.
 */
export function useCaller(): Caller {
  return useServices().bridge.caller;
}

/** Makes any call; rejects with `FailureError`. */
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

/** Reads with one call and caches the answer; the key is the call's name and input. Errors are `FailureError`s. */
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
 * Reads data that belongs to one version of something and never changes: it is not read again with the lists, and is
 * dropped soon after it is no longer shown. Undefined while loading or unavailable.
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

/** Changes something with one call. `onDone` and `onFailed` run once per call. */
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

/** Returns a function that rereads every call with this prefix, for data whose changes the service does not report. */
export function useReadAgain(prefix: string): () => void {
  const queries = useQueryClient();
  return () => readAgain(queries, [prefix]);
}

/** Rereads every call with one of these prefixes. */
export function readAgain(queries: QueryClient, prefixes: readonly string[]): void {
  const isMeant = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean =>
    prefixes.some((prefix) => String(queryKey[0]).startsWith(prefix));
  // A first answer still in flight may predate the change, and the library would treat it as current
  for (const query of queries.getQueryCache().findAll({ predicate: isMeant, fetchStatus: 'fetching' }))
    if (query.state.data === undefined)
      query.promise
        ?.then(() => queries.invalidateQueries({ queryKey: query.queryKey, exact: true }))
        .catch(() => undefined);
  void queries.invalidateQueries({ predicate: isMeant });
}

/** The query key of a desktop command. */
export function desktopKey<Name extends DesktopCommandName>(
  name: Name,
  input: DesktopCommandInput<Name>,
): readonly unknown[] {
  return ['desktop', name, input];
}

/** Reads one thing from the desktop; disabled in a browser. Errors are `FailureError`s. */
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

/** Runs a desktop command. `onDone` and `onFailed` run once per call. */
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

/** Users of the team, as far as they have been read, including those without access. */
export interface Team {
  readonly users: readonly TeamUser[];
  /** Pages of the service's list, and how many of them are in `users`. */
  readonly pages: number;
  readonly pagesRead: number;
}

/** Limit of pages to read: 10,000 users. Screens say when there are more. */
export const MOST_TEAM_PAGES = 100;
/** Pages read again per minute; a longer list is read less often. */
const PAGES_A_REFRESH = 10;

/** Screens show the first page while the rest is loading, and all of them share the cached list. */
const TEAM_KEY = ['users.team'];

/**
 * The whole team (service.md endpoint 11): read once, page by page, and again every minute while shown; less often
 * above ten pages. Searching and sorting happen in the page, so that keystrokes cause no requests.
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
          // A large team has many pages, and nobody wants the rest after leaving the screen
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
    // Switching between screens does not cause requests
    staleTime: SERVICE_REFRESH_MS / 2,
  });
}

/** Reads page by page; `onPage` receives the users read so far. Rejects as `read` does. */
export async function readTeam(
  read: (input: CallInput<'users.list'>) => Promise<UserPage>,
  onPage: (team: Team) => void,
): Promise<Team> {
  const users = new Map<string, TeamUser>();
  for (let page = 1; ; page += 1) {
    // Each response has the total number of pages
    const answer = await read({ filter: { includeInactive: true }, page, perPage: MAX_USERS_PER_PAGE });
    // Pages shift when users come or go meanwhile: the map keeps each user once
    for (const user of answer.users) users.set(String(user.id), user);
    const pages = answer.users.length === 0 ? page : Math.max(page, answer.totalPages);
    const team = { users: [...users.values()], pages, pagesRead: page };
    if (page >= pages || page >= MOST_TEAM_PAGES) return team;
    onPage(team);
  }
}
