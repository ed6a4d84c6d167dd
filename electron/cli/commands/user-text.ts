import { userName, type TeamUser, userRoles } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { jsonText, type Output } from '../output.ts';
import { shortTime } from '../table.ts';
import { configOption, type Line, type Option, parseChoice, UsageError } from '../command.ts';

/** Options of commands about one user. */
export const userOptions = {
  ...configOption,
  json: { help: 'the user as one JSON object on stdout' },
} as const satisfies Readonly<Record<string, Option>>;

/** The option for each text field of a user. */
const optionOfField = {
  firstName: 'first-name',
  lastName: 'last-name',
  phoneNumber: 'phone',
  name: 'name',
  deviceId: 'device',
} as const;

/** The same with dashes, for error messages. */
export const optionNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(optionOfField).map(([field, option]) => [field, `--${option}`]),
);

/** The user fields given on the command line, by their names in the schemas. */
export function parseUserFields(
  line: Pick<Line<(typeof optionOfField)[keyof typeof optionOfField] | 'role'>, 'text'>,
): Readonly<Record<string, string>> {
  const given = Object.entries(optionOfField).map(([field, option]) => [field, line.text(option)] as const);
  const role = line.text('role');
  const typed = [...given, ['role', role && parseChoice('--role', role.toLowerCase(), userRoles)] as const];
  return Object.fromEntries(typed.flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])));
}

/** Writes one user to stdout. */
export function writeUser(user: TeamUser, json: boolean, output: Output): void {
  output.data(`${json ? jsonText(user, 2) : userCard(user).join('\n')}\n`);
}

/** One user, with a line for each known value. */
function userCard(user: TeamUser): readonly string[] {
  const facts = [
    ['ID', String(user.id)],
    ['Login', loginText(user)],
    ['Role', user.role],
    ['State', stateText(user)],
    ['Email', user.email],
    ['Created', utcText(user.createdAt)],
    ['Updated', utcText(user.updatedAt)],
  ] as const;
  const known = facts.flatMap(([label, text]) =>
    text === undefined || text === '' ? [] : [`  ${label.padEnd(8)}  ${visibleName(text)}`],
  );
  return [visibleName(userName(user)), ...known];
}

const utcText = (time: string | undefined): string => {
  const short = shortTime(time);
  return short === (time ?? '') ? short : `${short} UTC`;
};

/** The phone number or device ID that the user signs in with. */
export function loginText({ loginType, phoneNumber, deviceId }: TeamUser): string {
  const phone = phoneNumber ?? '';
  const device = deviceId ?? '';
  const [first, second] = loginType === 'DEVICE' ? [device, phone] : [phone, device];
  return first === '' ? second : first;
}

/** Whether the user can log in. */
export function stateText({ isActive }: TeamUser): string {
  if (isActive === undefined) return '';
  return isActive ? '✓ Active' : '○ Inactive';
}

/** An option to be typed; without a value it is a switch. */
interface TypedOption {
  readonly name: string;
  readonly value?: string;
}

/** A command line about a user that can be typed exactly as shown. */
export function userCommandText(
  verb: 'update' | 'deactivate',
  userId: string,
  options: readonly TypedOption[],
  platform: NodeJS.Platform,
): string {
  const typed = options.map((option) => optionText(option, platform));
  const id = shellQuote(userId, platform);
  // After two dashes, an ID that starts with one is not read as an option
  const words = userId.startsWith('-') ? [...typed, '--', id] : [id, ...typed];
  return ['vms-export-agent users', verb, ...words].join(' ');
}

/** The option that selects the same configuration again. */
export const typedConfig = (config: string | undefined): readonly TypedOption[] =>
  config === undefined ? [] : [{ name: 'config', value: config }];

function optionText({ name, value }: TypedOption, platform: NodeJS.Platform): string {
  if (value === undefined) return `--${name}`;
  const quoted = shellQuote(value, platform);
  return value.startsWith('-') ? `--${name}=${quoted}` : `--${name} ${quoted}`;
}

/** Words that no shell changes. */
const PLAIN = /^[\w+:,./-]+$/;

/** Quotes a word for a shell prompt. */
export function shellQuote(word: string, platform: NodeJS.Platform): string {
  if (PLAIN.test(word)) return word;
  return platform === 'win32' ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Allowed fields of the JSON object on standard input, named like options: other accounts can see arguments. */
export type InputFields = Readonly<Record<string, 'text' | 'texts' | 'switch'>>;

/** Refuses options that `--stdin` replaces. */
export function refuseBesideInput<Name extends string>(
  line: Pick<Line<NoInfer<Name>>, 'has'>,
  fields: Readonly<Record<Name, InputFields[string]>>,
): void {
  const other = namesOf(fields).find((name) => line.has(name));
  if (other !== undefined)
    throw new UsageError(`--${other} cannot be used with --stdin; put it in the JSON object.`);
}

/** Reads the JSON object on standard input as if its members were options. */
export function readInputLine<Name extends string>(
  text: string,
  fields: Readonly<Record<Name, InputFields[string]>>,
): Pick<Line<Name>, 'has' | 'text' | 'texts'> {
  const members = membersOf(text);
  const known = namesOf(fields);
  const isRight = ([name, value]: readonly [string, unknown]): boolean =>
    known.some((each) => each === name && isOfKind(value, fields[each]));
  if (![...members].every(isRight))
    throw new UsageError(
      'The JSON object on standard input has an unknown field or a value of the wrong type.',
      `It can contain ${known.join(', ')}.`,
    );
  const textsOf = (name: Name): readonly string[] =>
    [members.get(name)].flat().filter((each) => typeof each === 'string');
  return {
    has: (name) => members.has(name) && members.get(name) !== false,
    text: (name) => textsOf(name)[0],
    texts: textsOf,
  };
}

const namesOf = <Name extends string>(fields: Readonly<Record<Name, unknown>>): readonly Name[] =>
  // The keys of a record are its names
  Object.keys(fields).filter((name): name is Name => Object.hasOwn(fields, name));

function isOfKind(value: unknown, kind: InputFields[string]): boolean {
  if (kind === 'switch') return typeof value === 'boolean';
  if (kind === 'text') return typeof value === 'string';
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function membersOf(text: string): ReadonlyMap<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return new Map(Object.entries(value));
  } catch {
    // Reported below
  }
  throw new UsageError('Standard input does not contain a JSON object.', 'See the example in the help.');
}
