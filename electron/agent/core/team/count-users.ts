import type { TeamUser, UserPage } from '../../../../shared/domain/team-user.ts';

/** The counters of a page of users as the service told them; each may be missing. */
interface ToldCounters {
  readonly page?: number | null | undefined;
  readonly per_page?: number | null | undefined;
  readonly total_pages?: number | null | undefined;
  readonly response_count?: number | null | undefined;
  readonly total_count?: number | null | undefined;
}

/**
 * A page with all its counters. What the service left out follows from the rest; when it told no total at all, a full
 * page has one after it and the total is what is known to be there.
 */
export function countUsers(
  users: readonly TeamUser[],
  told: ToldCounters,
  asked: { readonly page: number; readonly perPage: number },
): UserPage {
  const page = told.page ?? asked.page;
  const perPage = told.per_page ?? asked.perPage;
  const seen = (page - 1) * perPage + users.length;
  const fromTotal = told.total_count == null ? undefined : Math.ceil(told.total_count / Math.max(1, perPage));
  const totalPages = told.total_pages ?? fromTotal ?? (users.length < perPage ? page : page + 1);
  return {
    page,
    perPage,
    totalPages,
    responseCount: told.response_count ?? users.length,
    totalCount: told.total_count ?? seen,
    users,
  };
}
