import type { TFunction } from 'i18next';
import type { TeamUser } from '../../../shared/domain/team-user.ts';
import { roleName } from './role-name.ts';

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
  const utc = (key: string): string => t('users.csvUtc', { column: t(key) });
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

/** How a user logs in, in words; a way that is new to this program is shown as the service calls it. */
export function loginName(t: TFunction, loginType: string | undefined): string {
  if (loginType === 'DEVICE') return t('users.device');
  return loginType === 'PHONE_NUMBER' ? t('users.phone') : (loginType ?? '');
}

function accessName(t: TFunction, isActive: boolean | undefined): string | undefined {
  return isActive === undefined ? undefined : t(isActive ? 'users.active' : 'users.noAccess');
}
