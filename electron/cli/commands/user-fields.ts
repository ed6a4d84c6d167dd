import {
  newUserSchema,
  userChangesSchema,
  userRoles,
  type NewUser,
  type UserRole,
} from '../../../shared/domain/team-user.ts';
import { ok } from '../../../shared/lib/result.ts';
import type { OptionName } from '../option-table.ts';
import { didYouMean, noOperands, usageError, type Line, type Parsed } from '../read-options.ts';
import { configOf, parseId, parseValue } from '../parse-values.ts';
import type { UsersCreateCommand, UsersUpdateCommand } from '../team/team-command.ts';

const optionOfField = {
  firstName: 'first-name',
  lastName: 'last-name',
  phoneNumber: 'phone',
  name: 'name',
  deviceId: 'device',
} as const satisfies Readonly<Record<string, OptionName>>;

const sources = Object.fromEntries(
  Object.entries(optionOfField).map(([field, option]) => [field, `--${option}`]),
);

const fieldsOf = {
  PHONE_NUMBER: ['phone', 'first-name', 'last-name', 'invite'],
  DEVICE: ['device', 'name'],
} as const satisfies Readonly<Record<NewUser['loginType'], readonly OptionName[]>>;

/** `users create`. */
export function parseUsersCreate(line: Line): Parsed<UsersCreateCommand> {
  const loginType = parseLoginType(line);
  const wrong = noOperands(line);
  if (wrong !== undefined) return wrong;
  if (!loginType.ok) return loginType;
  const role = parseRole(line);
  if (!role.ok) return role;
  const { given } = line;
  const input = {
    loginType: loginType.value,
    ...textsOf(line),
    ...role.value,
    ...(given.has('inactive') && { isActive: false }),
    ...(given.has('invite') && { sendInvitation: true }),
  };
  const user = parseValue(line, newUserSchema, input, sources);
  if (!user.ok) return user;
  return ok({ kind: 'users create', user: user.value, json: given.has('json'), ...configOf(line) });
}

function parseLoginType({ command, given }: Line): Parsed<NewUser['loginType']> {
  const [phone, device] = [given.has('phone'), given.has('device')];
  if (phone === device) return usageError('users create needs either --phone or --device.', command);
  const loginType = phone ? 'PHONE_NUMBER' : 'DEVICE';
  const needed = fieldsOf[loginType].filter((name) => name !== 'invite');
  const missing = needed.find((name) => !given.has(name));
  if (missing !== undefined)
    return usageError(`users create needs --${missing} with --${fieldsOf[loginType][0]}.`, command);
  const foreign = fieldsOf[phone ? 'DEVICE' : 'PHONE_NUMBER'].find((name) => given.has(name));
  if (foreign === undefined) return ok(loginType);
  return usageError(`--${foreign} is not for users with --${fieldsOf[loginType][0]}.`, command);
}

/** `users update`. */
export function parseUsersUpdate(line: Line): Parsed<UsersUpdateCommand> {
  const id = parseId(line, 'a user');
  if (!id.ok) return id;
  const role = parseRole(line);
  if (!role.ok) return role;
  const { given, command } = line;
  if (given.has('active') && given.has('inactive'))
    return usageError('--active and --inactive exclude each other.', command);
  const isActive = given.has('active') || given.has('inactive') ? { isActive: given.has('active') } : {};
  const fields = { ...textsOf(line), ...role.value, ...isActive };
  if (Object.keys(fields).length === 0)
    return usageError('users update needs at least one field to change.', command);
  const changes = parseValue(line, userChangesSchema, fields, sources);
  if (!changes.ok) return changes;
  const json = given.has('json');
  return ok({ kind: 'users update', userId: id.value, changes: changes.value, json, ...configOf(line) });
}

function textsOf({ given }: Line): Readonly<Record<string, string>> {
  const texts = Object.entries(optionOfField).flatMap(([field, option]) => {
    const text = given.value(option);
    return text === undefined ? [] : [[field, text] as const];
  });
  return Object.fromEntries(texts);
}

function parseRole({ command, given }: Line): Parsed<{ readonly role?: UserRole }> {
  const typed = given.value('role');
  if (typed === undefined) return ok({});
  const role = userRoles.find((each) => each === typed.toLowerCase());
  if (role !== undefined) return ok({ role });
  return usageError(`--role takes one of: ${userRoles.join(', ')}.`, command, didYouMean(typed, userRoles));
}
