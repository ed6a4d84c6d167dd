import {
  userChangesSchema,
  type UserChanges,
  userName,
  type TeamUser,
} from '../../../shared/domain/team-user.ts';
import { defineCommand, type Line, UsageError, parseId, parseValue } from '../command.ts';
import { runTeamWork } from '../report-failure.ts';
import {
  type InputFields,
  readInputLine,
  refuseBesideInput,
  optionNames,
  parseUserFields,
  userOptions,
  writeUser,
  typedConfig,
  userCommandText,
} from './user-text.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { exitCodes } from '../exit-codes.ts';
import { jsonText } from '../output.ts';

/** Changes a user, and writes the user as it is then. */
export const usersUpdate = defineCommand({
  name: 'users update',
  usage: [
    'users update ID [--first-name F] [--last-name L]',
    '    [--phone NUMBER] [--name N] [--device ID]',
    '    [--role R] [--active|--inactive] [--json]',
    'users update ID --stdin [--json]',
  ],
  purpose: 'Changes only what is given. How a user signs in cannot be changed.',
  options: {
    'first-name': { value: 'F', help: 'for users with a phone number' },
    'last-name': { value: 'L', help: 'for users with a phone number' },
    phone: { value: 'NUMBER', help: '+, country code and number, without spaces: +14155550100' },
    name: { value: 'N', help: 'name of a device' },
    device: { value: 'ID', help: 'ID of the device' },
    role: { value: 'R', help: 'admin, supervisor, member or staff' },
    active: { help: 'can sign in (again)' },
    inactive: { help: 'can no longer sign in' },
    stdin: {
      help: 'all of the above as one JSON object on standard input, so that other accounts cannot see it: {"phone": "+14155550100", "last-name": "L"}',
    },
    ...userOptions,
  },
  parse(line): UpdateInput {
    const common = { config: line.text('config'), userId: parseId(line, 'user'), json: line.has('json') };
    if (!line.has('stdin')) return { ...common, changes: parseChanges(line) };
    refuseBesideInput(line, fields);
    return common;
  },
  async run(input, deps) {
    const changes = input.changes ?? parseChanges(readInputLine(await deps.readInput(), fields));
    return runTeamWork(input, deps, async ({ users }, signal) => {
      const user = await users.update(input.userId, changes, signal);
      if (user.ok) writeUser(user.value, input.json, deps.output);
      return user;
    });
  },
});

interface UpdateInput {
  readonly config: string | undefined;
  readonly userId: string;
  readonly json: boolean;
  /** Absent when they stand on standard input. */
  readonly changes?: UserChanges;
}

const fields = {
  'first-name': 'text',
  'last-name': 'text',
  phone: 'text',
  name: 'text',
  device: 'text',
  role: 'text',
  active: 'switch',
  inactive: 'switch',
} as const satisfies InputFields;

function parseChanges(line: Pick<Line<keyof typeof fields>, 'has' | 'text'>): UserChanges {
  const [active, inactive] = [line.has('active'), line.has('inactive')];
  if (active && inactive) throw new UsageError('--active and --inactive cannot be used together.');
  const changes = { ...parseUserFields(line), ...((active || inactive) && { isActive: active }) };
  if (Object.keys(changes).length === 0)
    throw new UsageError('users update needs at least one field to change.');
  return parseValue(userChangesSchema, changes, optionNames);
}

/** Ends the access of a user, and writes the user as it is then. */
export const usersDeactivate = defineCommand({
  name: 'users deactivate',
  usage: ['users deactivate ID [--json]'],
  purpose: `Ends a user's access. Recommended for users with history: nothing is lost, and
users update ID --active restores it.`,
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

/** A service that took the change and did not make it has not deactivated anybody. */
const deactivatedText = (user: TeamUser): string =>
  user.isActive === true
    ? `The service accepted the change, but reports that ${visibleName(userName(user))} is still active.`
    : `${visibleName(userName(user))} can no longer sign in.`;

/** Deletes a user, after a person has typed the user's name or with `--yes`. */
export const usersDelete = defineCommand({
  name: 'users delete',
  usage: ['users delete ID [--yes] [--json]'],
  purpose: `Deletes a user permanently, after asking for the user's name. For users with
history, use users deactivate instead.`,
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
    const { output, askPerson, places } = deps;
    if (!yes && askPerson === undefined) {
      output.note('users delete asks before it deletes, and there is no terminal. Add --yes.');
      return exitCodes.usage;
    }
    return runTeamWork({ config, json }, deps, async ({ users }, signal) => {
      if (!yes && askPerson !== undefined) {
        const user = await users.get(userId, signal);
        if (!user.ok) return user;
        const better = userCommandText('deactivate', userId, typedConfig(config), places.platform);
        const typed = await askPerson(question(user.value, better), signal);
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

const question = (user: TeamUser, better: string): string =>
  `${nameOf(user)} will be deleted permanently.
For users with history, end their access instead and keep the rest:
  ${visibleName(better)}
Type the name "${visibleName(userName(user))}" to delete: `;

const agreement = (typed: string | undefined, user: TeamUser): Result<undefined, Failure> =>
  sameName(typed ?? '', visibleName(userName(user))) ? ok(undefined) : err(notAgreed);

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
