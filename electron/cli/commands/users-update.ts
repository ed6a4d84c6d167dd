import { userChangesSchema } from '../../../shared/domain/team-user.ts';
import { defineCommand, UsageError } from '../command.ts';
import { parseId, parseValue } from '../parse-values.ts';
import { runTeamWork } from '../team-session.ts';
import { optionNames, parseUserFields, userOptions, writeUser } from './user-text.ts';

/** Changes a user, and writes the user as it is then. */
export const usersUpdate = defineCommand({
  name: 'users update',
  usage: [
    'users update ID [--first-name F] [--last-name L]',
    '    [--phone NUMBER] [--name N] [--device ID]',
    '    [--role R] [--active|--inactive] [--json]',
  ],
  purpose: 'Changes what is given; everything else stays. The login type of a user stays.',
  options: {
    'first-name': { value: 'F', help: 'for users with a phone number' },
    'last-name': { value: 'L', help: 'for users with a phone number' },
    phone: { value: 'NUMBER', help: '+, country code and number, without spaces: +14155550100' },
    name: { value: 'N', help: 'name of a device' },
    device: { value: 'ID', help: 'id of the device' },
    role: { value: 'R', help: 'admin, supervisor, member or staff' },
    active: { help: 'can sign in (again)' },
    inactive: { help: 'can no longer sign in' },
    ...userOptions,
  },
  parse(line) {
    const userId = parseId(line, 'user');
    const fields = parseUserFields(line);
    const [active, inactive] = [line.has('active'), line.has('inactive')];
    if (active && inactive) throw new UsageError('--active and --inactive cannot be used together.');
    const changes = { ...fields, ...((active || inactive) && { isActive: active }) };
    if (Object.keys(changes).length === 0)
      throw new UsageError('users update needs at least one field to change.');
    return {
      config: line.text('config'),
      userId,
      changes: parseValue(userChangesSchema, changes, optionNames),
      json: line.has('json'),
    };
  },
  run: (input, deps) =>
    runTeamWork(input, deps, async ({ users }, signal) => {
      const user = await users.update(input.userId, input.changes, signal);
      if (user.ok) writeUser(user.value, input.json, deps.output);
      return user;
    }),
});
