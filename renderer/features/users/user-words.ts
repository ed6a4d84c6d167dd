import type { TFunction } from 'i18next';
import { userRoles, type CreatedUser, type TeamUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';

/** The name of a role; a role unknown to this program is shown as the service names it. */
export function roleName(t: TFunction, role: string | undefined): string {
  const known = userRoles.find((each) => each === role);
  return known === undefined ? (role ?? '') : t(`users.roles.${known}`);
}

type KeptField = CreatedUser['keptFields'][number];

const fieldNames = {
  firstName: 'users.firstName',
  lastName: 'users.lastName',
  name: 'users.deviceName',
  role: 'users.role',
  isActive: 'users.columnActive',
} as const satisfies Readonly<Record<KeptField['name'], string>>;

/** Says which value an existing user kept, and which was requested. */
export function keptText({ name, asked, kept }: KeptField, t: TFunction): string {
  const word = (value: string): string => {
    if (name === 'role') return roleName(t, value);
    if (name === 'isActive') return t(value === 'true' ? 'users.active' : 'users.noAccess');
    return visibleName(value);
  };
  return t('users.keptField', { field: t(fieldNames[name]), asked: word(asked), kept: word(kept) });
}

type Column = readonly [heading: string, value: (user: TeamUser) => string | undefined];

/** The users as a table: headings, then a row each. Times stay as the service wrote them, in UTC. */
export function userTable(users: readonly TeamUser[], t: TFunction): readonly (readonly string[])[] {
  const columns = userColumns(t);
  return [
    columns.map(([heading]) => heading),
    ...users.map((user) => columns.map(([, value]) => value(user) ?? '')),
  ];
}

function userColumns(t: TFunction): readonly Column[] {
  const utc = (key: string): string => t('common.csvUtc', { column: t(key) });
  return [
    [t('users.columnLogin'), ({ loginType }) => loginName(t, loginType)],
    [t('users.firstName'), (user) => user.firstName],
    [t('users.lastName'), (user) => user.lastName],
    [t('users.phoneNumber'), (user) => user.phoneNumber],
    [t('users.deviceName'), (user) => user.name],
    [t('users.deviceId'), (user) => user.deviceId],
    [t('users.email'), (user) => user.email],
    [t('users.role'), ({ role }) => roleName(t, role)],
    [t('users.columnActive'), ({ isActive }) => accessName(t, isActive)],
    [utc('users.createdAt'), (user) => user.createdAt],
    [utc('users.updatedAt'), (user) => user.updatedAt],
    [t('users.id'), (user) => String(user.id)],
  ];
}

/** A login type in words; one unknown to this program is shown as the service names it. */
export function loginName(t: TFunction, loginType: string | undefined): string {
  if (loginType === 'DEVICE') return t('users.device');
  return loginType === 'PHONE_NUMBER' ? t('users.phone') : (loginType ?? '');
}

/** Whether a user can sign in, in words; undefined when the service does not say. */
export function accessName(t: TFunction, isActive: boolean | undefined): string | undefined {
  return isActive === undefined ? undefined : t(isActive ? 'users.active' : 'users.noAccess');
}
