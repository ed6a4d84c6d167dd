import { userChangesSchema, type UserChanges } from '../../../shared/domain/team-user.ts';
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
} from './user-text.ts';

/** Changes a user, and prints the updated user. */
export const usersUpdate = defineCommand({
  name: 'users update',
  usage: [
    'users update ID [--first-name F] [--last-name L]',
    '    [--phone NUMBER] [--name N] [--device ID]',
    '    [--role R] [--active|--inactive] [--json]',
    'users update ID --stdin [--json]',
  ],
  purpose: `Changes the given fields of a user, but not whether the user signs in with a
phone number or a device.`,
  options: {
    'first-name': { value: 'F', help: 'first name of a user with a phone number' },
    'last-name': { value: 'L', help: 'last name of a user with a phone number' },
    phone: { value: 'NUMBER', help: 'with + and country code, without spaces: +14155550100' },
    name: { value: 'N', help: 'name of the device' },
    device: { value: 'ID', help: 'ID of the device' },
    role: { value: 'R', help: 'admin, supervisor, member or staff' },
    active: { help: 'the user can sign in' },
    inactive: { help: 'the user can no longer sign in' },
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
  /** Missing if they come from standard input. */
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
