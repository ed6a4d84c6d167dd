import { newUserSchema, userName, type CreatedUser, type NewUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
  type Line,
  parseValue,
} from '../command.ts';
import type { Deps } from '../deps.ts';
import { jsonText } from '../output.ts';
import { runTeamWork } from '../report-failure.ts';
import {
  type InputFields,
  readInputLine,
  refuseBesideInput,
  optionNames,
  parseUserFields,
  typedConfig,
  userCommandText,
  writeUser,
} from './user-text.ts';

/** Creates a user. The temporary password is printed to stdout once, and nowhere else. */
export const usersCreate = defineCommand({
  name: 'users create',
  usage: [
    'users create --phone NUMBER --first-name F --last-name L',
    '    [--invite] [--role R] [--inactive] [--json]',
    'users create --device ID --name N',
    '    [--role R] [--inactive] [--json]',
    'users create --stdin [--json]',
  ],
  purpose: `Creates a user who signs in with a phone number or a device. Someone the service
already knows is added to the team and keeps their existing details.`,
  options: {
    ...configOption,
    phone: { value: 'NUMBER', help: 'with + and country code, without spaces: +14155550100' },
    'first-name': { value: 'F', help: 'first name of a user with a phone number' },
    'last-name': { value: 'L', help: 'last name of a user with a phone number' },
    invite: { help: 'the service sends an invitation by SMS' },
    device: { value: 'ID', help: 'ID of the device' },
    name: { value: 'N', help: 'name of the device' },
    role: { value: 'R', help: 'admin, supervisor, member or staff (default: member)' },
    inactive: { help: 'the user cannot sign in yet' },
    stdin: {
      help: 'all of the above as one JSON object on standard input, so that other accounts cannot see it: {"phone": "+14155550100", "first-name": "Ada", "last-name": "L", "invite": true}',
    },
    json: { help: '{"user": ..., "temporaryPassword": ...} on stdout' },
  },
  remark: 'The temporary password is shown once, on stdout, and is not stored.',
  parse(line): { config: string | undefined; json: boolean; user?: NewUser } {
    refuseOperands(line);
    const common = { config: line.text('config'), json: line.has('json') };
    if (!line.has('stdin')) return { ...common, user: parseUser(line) };
    refuseBesideInput(line, fields);
    return common;
  },
  async run({ user: given, config, json }, deps) {
    const user = given ?? parseUser(readInputLine(await deps.readInput(), fields));
    return runTeamWork({ config, json }, deps, async ({ users }, signal) => {
      const created = await users.create(user, signal);
      if (!created.ok) return created;
      const { output } = deps;
      if (json) output.data(`${jsonText(created.value, 2)}\n`);
      else writeCreated(created.value, config, deps);
      if (created.value.temporaryPassword !== undefined) output.note(SHOWN_ONCE);
      return created;
    });
  },
});

type UserLine = Pick<Line<keyof typeof fields>, 'has' | 'text'>;

function parseUser(line: UserLine): NewUser {
  const input = {
    loginType: parseLoginType(line),
    ...parseUserFields(line),
    ...(line.has('inactive') && { isActive: false }),
    ...(line.has('invite') && { sendInvitation: true }),
  };
  return parseValue(newUserSchema, input, optionNames);
}

const fields = {
  phone: 'text',
  'first-name': 'text',
  'last-name': 'text',
  invite: 'switch',
  device: 'text',
  name: 'text',
  role: 'text',
  inactive: 'switch',
} as const satisfies InputFields;

const SHOWN_ONCE =
  'The temporary password is shown only once and is not stored. It must be changed at the first sign-in.';

const fieldsOf = {
  PHONE_NUMBER: ['phone', 'first-name', 'last-name', 'invite'],
  DEVICE: ['device', 'name'],
} as const;

function parseLoginType(line: UserLine): NewUser['loginType'] {
  const isPhone = line.has('phone');
  if (isPhone === line.has('device')) throw new UsageError('users create needs either --phone or --device.');
  const loginType = isPhone ? 'PHONE_NUMBER' : 'DEVICE';
  const [login, ...others] = fieldsOf[loginType];
  const missing = others.find((name) => name !== 'invite' && !line.has(name));
  if (missing !== undefined) throw new UsageError(`users create needs --${missing} with --${login}.`);
  const foreign = fieldsOf[isPhone ? 'DEVICE' : 'PHONE_NUMBER'].find((name) => line.has(name));
  if (foreign !== undefined) throw new UsageError(`--${foreign} cannot be used with --${login}.`);
  return loginType;
}

function writeCreated(created: CreatedUser, config: string | undefined, { output, places }: Deps): void {
  const { user, temporaryPassword, wasExisting, keptFields } = created;
  if (wasExisting)
    output.line(`${visibleName(userName(user))} already exists in the service and was added to the team.`);
  writeUser(user, false, output);
  // Unchanged: a password with anything removed is useless
  if (temporaryPassword !== undefined) output.data(`  Temporary password: ${temporaryPassword}\n`);
  if (keptFields.length === 0) return;
  output.line('Not changed:');
  for (const field of keptFields) output.line(keptText(field));
  const endOfInput = places.platform === 'win32' ? 'Ctrl+Z and Enter' : 'Ctrl+D';
  output.line(
    `To change this, run the following command, paste the line below it, press Enter, then ${endOfInput}:`,
  );
  const options = [{ name: 'stdin' }, ...typedConfig(config)];
  output.data(`  ${userCommandText('update', String(user.id), options, places.platform)}\n`);
  output.data(`  ${jsonText(Object.fromEntries(keptFields.map(memberFor)))}\n`);
}

type KeptField = CreatedUser['keptFields'][number];

const optionOf = { firstName: 'first-name', lastName: 'last-name', name: 'name', role: 'role' } as const;

function keptText({ name, asked, kept }: KeptField): string {
  return name === 'isActive'
    ? `  ${kept === 'true' ? 'active' : 'inactive'} (requested: ${asked === 'true' ? 'active' : 'inactive'})`
    : `  ${optionOf[name].replace('-', ' ')} "${visibleName(kept)}" (requested: "${visibleName(asked)}")`;
}

/** The member that sets a field as requested, for standard input: other accounts on the PC can see arguments. */
function memberFor({ name, asked }: KeptField): readonly [string, string | boolean] {
  if (name === 'isActive') return [asked === 'true' ? 'active' : 'inactive', true];
  return [optionOf[name], asked];
}
