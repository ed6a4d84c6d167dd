import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Host } from '../deps.ts';
import type { UserCommand, UsersUpdateCommand } from '../team/team-command.ts';
import { done, runTeamWork, type TeamNeeds } from '../team-session.ts';
import { writeUser } from '../team/write-user.ts';

/** Shows, changes or deactivates one user, and writes the user as it is then. */
export const userCommand = (
  command: UserCommand | UsersUpdateCommand,
  host: Host,
  needs: TeamNeeds,
): Promise<ExitCode> =>
  runTeamWork(command, host, needs, async ({ users }, signal) => {
    const { userId } = command;
    const user =
      command.kind === 'users get'
        ? await users.get(userId, signal)
        : await users.update(userId, changesOf(command), signal);
    if (!user.ok) return user;
    if (command.kind === 'users deactivate' && !command.json) host.output.line(deactivatedText(user.value));
    writeUser(user.value, command.json, host.output);
    return done;
  });

const changesOf = (command: UserCommand | UsersUpdateCommand) =>
  command.kind === 'users update' ? command.changes : { isActive: false };

/** A service that took the change and did not make it is no deactivation. */
const deactivatedText = (user: TeamUser): string =>
  user.isActive === true
    ? `The service took the change, but says that ${visibleName(userName(user))} is still active.`
    : `${visibleName(userName(user))} can no longer log in.`;
