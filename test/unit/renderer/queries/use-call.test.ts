import { describe, expect, it } from 'vitest';
import { MOST_TEAM_PAGES, readTeam, type Team } from '../../../../renderer/queries/use-call.ts';
import type { TeamUser, UserPage } from '../../../../shared/domain/team-user.ts';

/** A service whose list consists of these pages. */
function serving(pages: readonly (readonly TeamUser['id'][])[], totalPages = pages.length) {
  const asked: number[] = [];
  const read = async ({ page }: { readonly page: number }): Promise<UserPage> => {
    asked.push(page);
    const users = (pages[page - 1] ?? []).map((id) => ({ id }));
    return Promise.resolve({ page, perPage: 100, totalPages, responseCount: 0, totalCount: 0, users });
  };
  return { asked, read };
}

const idsOf = (team: Team) => team.users.map(({ id }) => id);

describe('the team', () => {
  it('is read page after page, shown from the first one on, with nobody twice', async () => {
    const shown: unknown[] = [];
    const { read, asked } = serving([[1, 2], [2, 3], [4]]);
    const team = await readTeam(read, (part) => shown.push(idsOf(part)));
    expect(idsOf(team)).toEqual([1, 2, 3, 4]);
    expect([team.pages, team.pagesRead]).toEqual([3, 3]);
    expect(shown).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('ends at an empty page, whatever the service counts', async () => {
    const { read, asked } = serving([[1], []], 7);
    expect((await readTeam(read, () => undefined)).pages).toBe(2);
    expect(asked).toEqual([1, 2]);
  });

  it('is cut at a limit, and knows it', async () => {
    const { read } = serving(Array.from({ length: MOST_TEAM_PAGES + 5 }, (_, page) => [page]));
    const team = await readTeam(read, () => undefined);
    expect([team.pages, team.pagesRead]).toEqual([MOST_TEAM_PAGES + 5, MOST_TEAM_PAGES]);
  });
});
