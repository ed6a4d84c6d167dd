import { userRoles } from '../../../shared/domain/team-user.ts';
import { configOption, type Line, type Option } from '../command.ts';
import { parseChoice } from '../parse-values.ts';

/** The option that names an id, for commands about one user. */
export const userOptions = {
  ...configOption,
  json: { help: 'the user as one object on stdout' },
} as const satisfies Readonly<Record<string, Option>>;

/** The option from which each text of a user comes. */
const optionOfField = {
  firstName: 'first-name',
  lastName: 'last-name',
  phoneNumber: 'phone',
  name: 'name',
  deviceId: 'device',
} as const;

/** The same with dashes, for what is wrong with a field. */
export const optionNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(optionOfField).map(([field, option]) => [field, `--${option}`]),
);

/** The fields of a user that the line gives, by their names in the schemas. */
export function parseUserFields(
  line: Pick<Line<(typeof optionOfField)[keyof typeof optionOfField] | 'role'>, 'text'>,
): Readonly<Record<string, string>> {
  const given = Object.entries(optionOfField).map(([field, option]) => [field, line.text(option)] as const);
  const role = line.text('role');
  const typed = [...given, ['role', role && parseChoice('--role', role.toLowerCase(), userRoles)] as const];
  return Object.fromEntries(typed.flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])));
}
