import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { defineCommand, parseId, UsageError } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonText } from '../output.ts';
import { reportUsage, runTeamWork } from '../report-failure.ts';
import { typedConfig, userCommandText, userOptions } from './user-text.ts';

/** Deletes a user, after a person has typed the user's name or with `--yes`. */
export const usersDelete = defineCommand({
  name: 'users delete',
  usage: ['users delete ID [--yes] [--json]'],
  purpose: `Deletes a user permanently after you type the user's name. For users with
history, use "users deactivate" instead.`,
  options: {
    yes: { help: 'deletes without asking; required without a terminal' },
    ...userOptions,
  },
  parse: (line) => ({
    config: line.text('config'),
    userId: parseId(line, 'user'),
    yes: line.has('yes'),
    json: line.has('json'),
  }),
  async run({ userId, yes, json, config }, deps) {
    const { output, clock, prompt, places } = deps;
    if (!yes && prompt === undefined) {
      reportUsage(noTerminal, { output, clock, json });
      return exitCodes.usage;
    }
    return runTeamWork({ config, json }, deps, async ({ users }, signal) => {
      if (!yes && prompt !== undefined) {
        const user = await users.get(userId, signal);
        if (!user.ok) return user;
        const better = userCommandText('deactivate', userId, typedConfig(config), places.platform);
        const typed = await prompt(question(user.value, better), signal);
        const agreed = agreement(typed, user.value);
        if (!agreed.ok) return agreed;
      }
      const deleted = await users.remove(userId, signal);
      if (!deleted.ok) return deleted;
      if (json) output.data(`${jsonText(deleted.value, 2)}\n`);
      else output.line(`${nameOf(deleted.value)} was deleted.`);
      return deleted;
    });
  },
});

const noTerminal = new UsageError(
  'users delete asks for confirmation, but there is no terminal.',
  'To delete without asking, add --yes.',
);

const question = (user: TeamUser, better: string): string =>
  `${nameOf(user)} will be deleted permanently.
To keep the history of this user, deactivate them instead:
  ${visibleName(better)}
Type the name "${visibleName(userName(user))}" to delete: `;

const agreement = (typed: string | undefined, user: TeamUser): Result<undefined, Failure> =>
  sameName(typed ?? '', visibleName(userName(user))) ? ok(undefined) : err(notAgreed);

/** Whether the name was typed as shown; an accented letter may be one character or two. */
const sameName = (typed: string, name: string): boolean =>
  typed.trim().normalize('NFC') === name.trim().normalize('NFC');

const notAgreed: Failure = {
  code: 'CANCELLED',
  message: 'The name was not typed as shown. Nothing was deleted.',
  advice: '',
  retryable: false,
};

/** The name with the ID, since several people can have the same name. */
function nameOf(user: TeamUser): string {
  const name = userName(user);
  const id = String(user.id);
  return visibleName(name === id ? `User ${id}` : `${name} (user ${id})`);
}
