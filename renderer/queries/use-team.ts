import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import type { FailureError } from '../../shared/domain/failure.ts';
import { MAX_USERS_PER_PAGE, type TeamUser, type UserPage } from '../../shared/domain/team-user.ts';
import type { CallInput } from '../../shared/ipc/contract.ts';
import { SERVICE_REFRESH_MS, useAsk } from './use-call.ts';

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
        (input) => ask('users.list', input),
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
