import type { TFunction } from 'i18next';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import type { GridColumn } from '../../ui/grid-types.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import { ShortTime } from '../../ui/short-time.tsx';
import { AccessMark } from './access-mark.tsx';
import { roleName } from './role-name.ts';

/** The columns of the user grid. */
export function userColumns(t: TFunction): readonly GridColumn<TeamUser>[] {
  return [
    {
      id: 'active',
      heading: t('users.columnActive'),
      minWidth: 104,
      cell: (user) => <AccessMark isActive={user.isActive} />,
    },
    {
      id: 'name',
      heading: t('users.columnName'),
      minWidth: 150,
      share: 1,
      cell: (user) => <SafeName name={userName(user)} />,
    },
    {
      id: 'login',
      heading: t('users.columnLogin'),
      minWidth: 92,
      cell: ({ loginType }) =>
        loginType === 'DEVICE'
          ? t('users.device')
          : loginType === 'PHONE_NUMBER'
            ? t('users.phone')
            : loginType,
    },
    {
      id: 'contact',
      heading: t('users.columnContact'),
      minWidth: 150,
      share: 0.7,
      cell: ({ phoneNumber, deviceId }) => <span className="ltr">{phoneNumber || deviceId}</span>,
    },
    {
      id: 'role',
      heading: t('users.columnRole'),
      minWidth: 96,
      cell: ({ role }) => roleName(t, role),
    },
    {
      id: 'updated',
      heading: t('users.columnUpdated'),
      minWidth: 172,
      cell: ({ updatedAt }) => <ShortTime value={updatedAt} />,
    },
  ];
}
