import type { UserPage } from '../../../shared/domain/team-user.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Host } from '../deps.ts';
import type { UsersListCommand } from '../team/team-command.ts';
import { done, runTeamWork, type TeamNeeds } from '../team-session.ts';
import { totalText, userLines, userSheet } from './user-text.ts';
import { writeList } from '../write-list.ts';

/** Lists the users of the team: all of them, or one page. */
export const usersListCommand = (
  command: UsersListCommand,
  host: Host,
  needs: TeamNeeds,
): Promise<ExitCode> =>
  runTeamWork(command, host, needs, async (team, signal) => {
    const { filter, paging, format } = command;
    if (paging === undefined) {
      const all = await team.users.listAll(filter, signal);
      if (!all.ok) return all;
      writeList(format, host.output, {
        records: all.value,
        sheet: () => userSheet(all.value),
        lines: (width) => userLines(all.value, totalText(all.value), width),
      });
      return done;
    }
    const page = await team.users.listPage(filter, paging, signal);
    if (!page.ok) return page;
    writeList(format, host.output, {
      records: page.value,
      sheet: () => userSheet(page.value.users),
      lines: (width) => userLines(page.value.users, pageText(page.value), width),
    });
    return done;
  });

const pageText = ({ page, totalPages, users, totalCount }: UserPage): string =>
  `Page ${page} of ${totalPages}: ${users.length} of ${totalCount} users.`;
