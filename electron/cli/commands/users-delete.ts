import type { Failure } from '../../../shared/domain/failure.ts';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { TeamConnection } from '../../agent/index.ts';
import type { AskPerson } from '../ask-person.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Host } from '../deps.ts';
import { jsonText } from '../json-text.ts';
import type { UsersDeleteCommand } from '../team/team-command.ts';
import { done, runTeamWork, type TeamNeeds } from '../team-session.ts';
import { configOption, userCommandText } from '../team/user-command-text.ts';

/** Deletes a user, after a person has typed the user's name or with `--yes`. */
export async function usersDeleteCommand(
  command: UsersDeleteCommand,
  host: Host,
  needs: TeamNeeds,
): Promise<ExitCode> {
  const { output, askPerson } = host;
  const { userId, yes, json } = command;
  if (!yes && askPerson === undefined) {
    output.note('users delete asks before it deletes, and there is no terminal to ask at. Add --yes.');
    return exitCodes.usage;
  }
  return runTeamWork(command, host, needs, async (team, signal) => {
    if (!yes && askPerson !== undefined) {
      const agreed = await ask(command, host, team, askPerson, signal);
      if (!agreed.ok) return agreed;
    }
    const deleted = await team.users.remove(userId, signal);
    if (!deleted.ok) return deleted;
    if (json) output.data(`${jsonText(deleted.value, 2)}\n`);
    else output.line(`${nameOf(deleted.value)} was deleted.`);
    return done;
  });
}

async function ask(
  { userId, config }: UsersDeleteCommand,
  { places }: Host,
  { users }: TeamConnection,
  askPerson: AskPerson,
  signal: AbortSignal,
): Promise<Result<undefined, Failure>> {
  const user = await users.get(userId, signal);
  if (!user.ok) return user;
  const better = userCommandText('deactivate', userId, configOption(config), places.platform);
  const name = visibleName(userName(user.value));
  const question = `${nameOf(user.value)} will be deleted, for good.
For users with history it is better to end their access and keep the rest:
  ${visibleName(better)}
Type the name "${name}" to delete: `;
  const typed = await askPerson(question, signal);
  return sameName(typed ?? '', name) ? ok(undefined) : err(notAgreed);
}

/** Typed as it was shown; accents can be made of one character or of two. */
const sameName = (typed: string, name: string): boolean =>
  typed.trim().normalize('NFC') === name.trim().normalize('NFC');

const notAgreed: Failure = {
  code: 'CANCELLED',
  message: 'The name was not typed. Nothing was deleted.',
  advice: '',
  retryable: false,
};

/** Several people can have one name. */
function nameOf(user: TeamUser): string {
  const name = userName(user);
  const id = String(user.id);
  return visibleName(name === id ? `User ${id}` : `${name} (user ${id})`);
}
