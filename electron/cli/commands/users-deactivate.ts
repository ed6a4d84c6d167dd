import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { defineCommand, parseId } from '../command.ts';
import { runTeamWork } from '../report-failure.ts';
import { userOptions, writeUser } from './user-text.ts';

/** Ends the access of a user, and prints the updated user. */
export const usersDeactivate = defineCommand({
  name: 'users deactivate',
  usage: ['users deactivate ID [--json]'],
  purpose: `Ends a user's access. Best for users with history: nothing is lost, and
"users update ID --active" restores access.`,
  options: userOptions,
  parse: (line) => ({
    config: line.text('config'),
    userId: parseId(line, 'user'),
    json: line.has('json'),
  }),
  run: ({ userId, json, config }, deps) =>
    runTeamWork({ json, config }, deps, async ({ users }, signal) => {
      const user = await users.update(userId, { isActive: false }, signal);
      if (!user.ok) return user;
      if (!json) deps.output.line(deactivatedText(user.value));
      writeUser(user.value, json, deps.output);
      return user;
    }),
});

/** A response with `isActive: true` has already been treated as a failure; one without it proves nothing. */
const deactivatedText = (user: TeamUser): string =>
  user.isActive === undefined
    ? `The service accepted the change, but did not say whether ${visibleName(userName(user))} is still active.`
    : `${visibleName(userName(user))} can no longer sign in.`;
