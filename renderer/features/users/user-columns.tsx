import type { TFunction } from 'i18next';
import { userName, type TeamUser } from '../../../shared/domain/team-user.ts';
import type { GridColumn } from '../../ui/grid-types.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import { ShortTime } from '../../ui/short-time.tsx';
import { AccessMark } from './access-mark.tsx';
import { MarkBox } from './mark-box.tsx';
import { roleName } from './role-name.ts';
import type { Marks } from './use-marks.ts';
import { loginName } from './user-table.ts';

/** The columns of the user grid. */
export function userColumns(t: TFunction, marks: Marks): readonly GridColumn<TeamUser>[] {
  return [
    {
      id: 'mark',
      heading: t('users.columnMark'),
      minWidth: 60,
      cell: (user) => <MarkBox user={user} marks={marks} />,
    },
    {
      id: 'active',
      heading: t('users.columnActive'),
      minWidth: 98,
      cell: (user) => <AccessMark isActive={user.isActive} />,
    },
    {
      id: 'name',
      heading: t('users.columnName'),
      minWidth: 150,
      share: 1,
      cell: (user) => <SafeName name={userName(user)} tip />,
    },
    {
      id: 'login',
      heading: t('users.columnLogin'),
      minWidth: 92,
      cell: ({ loginType }) => loginName(t, loginType),
    },
    {
      id: 'contact',
      heading: t('users.columnContact'),
      minWidth: 150,
      share: 0.7,
      cell: ({ phoneNumber, deviceId }) => (
        <span className="ltr" title={phoneNumber || deviceId}>
          {phoneNumber || deviceId}
        </span>
      ),
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
      // A year, and a zone like "GMT+10:30"
      minWidth: 208,
      cell: ({ updatedAt }) => <ShortTime value={updatedAt} />,
    },
  ];
}
