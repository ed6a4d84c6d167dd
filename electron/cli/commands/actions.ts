import type { ExitCode } from '../exit-codes.ts';
import type { Host } from '../deps.ts';
import { actionLines } from '../team/action-lines.ts';
import { actionSheet } from '../team/action-sheet.ts';
import type { ActionsCommand } from '../team/team-command.ts';
import { done, runTeamWork, type TeamNeeds } from '../team-session.ts';
import { writeList } from '../write-list.ts';

/** Lists the actions of a period. */
export const actionsCommand = (command: ActionsCommand, host: Host, needs: TeamNeeds): Promise<ExitCode> =>
  runTeamWork(command, host, needs, async (team, signal) => {
    const { periodId, formFields } = command;
    const actions = await team.periods.listActions(periodId, formFields, signal);
    if (!actions.ok) return actions;
    writeList(command.format, host.output, {
      records: actions.value,
      sheet: () => actionSheet(actions.value, formFields),
      lines: (width) => actionLines(actions.value, formFields, width),
    });
    return done;
  });
