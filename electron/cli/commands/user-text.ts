import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { counted } from '../counted.ts';
import { shortTime } from '../short-time.ts';
import type { Column } from '../table.ts';
import { tableLines } from '../team/table-lines.ts';
import type { Sheet } from '../write-list.ts';

const stateColumn: Column = { heading: 'STATE' };

const columns: readonly Column[] = [
  { heading: 'ID' },
  { heading: 'NAME', widest: 40, least: 14 },
  { heading: 'LOGIN', widest: 40, least: 16 },
  stateColumn,
  { heading: 'ROLE', widest: 16, optional: true },
  { heading: 'EMAIL', widest: 40, least: 24, optional: true },
];

/** Users as a table; `total` is its last line. Where all are active, no column says so. */
export function userLines(
  users: readonly TeamUser[],
  total: string,
  width: number | undefined,
): readonly string[] {
  if (users.length === 0) return [total];
  const states = users.every(({ isActive }) => isActive === true) ? [] : [stateText];
  const texts = [idText, userName, loginText, ...states, roleText, emailText];
  const shown = columns.filter((column) => column !== stateColumn || states.length > 0);
  const rows = users.map((user) => texts.map((text) => text(user)));
  return [...tableLines(shown, rows, width), total];
}

const idText = ({ id }: TeamUser): string => String(id);
const roleText = ({ role = '' }: TeamUser): string => role;
const emailText = ({ email = '' }: TeamUser): string => email;

/** The last line of a list of all users. */
export function totalText(users: readonly TeamUser[]): string {
  if (users.length === 0) return 'No users.';
  const inactive = users.filter(({ isActive }) => isActive === false).length;
  return `${counted(users.length, 'user')}${inactive === 0 ? '' : `, ${inactive} inactive`}.`;
}

/** One user, a line for each thing that is known. */
export function userCard(user: TeamUser): readonly string[] {
  const facts = [
    ['ID', idText(user)],
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

function loginText({ loginType, phoneNumber, deviceId }: TeamUser): string {
  const phone = phoneNumber ?? '';
  const device = deviceId ?? '';
  const [first, second] = loginType === 'DEVICE' ? [device, phone] : [phone, device];
  return first === '' ? second : first;
}

function stateText({ isActive }: TeamUser): string {
  if (isActive === undefined) return '';
  return isActive ? '✓ Active' : '○ Inactive';
}

const sheetFields = [
  'id',
  'loginType',
  'phoneNumber',
  'deviceId',
  'firstName',
  'lastName',
  'name',
  'email',
  'isActive',
  'role',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof TeamUser)[];

/** Users with everything that is known. */
export const userSheet = (users: readonly TeamUser[]): Sheet => ({
  headings: sheetFields,
  rows: users.map((user) => sheetFields.map((field) => String(user[field] ?? ''))),
});
