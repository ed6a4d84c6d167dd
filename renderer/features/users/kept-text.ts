import type { TFunction } from 'i18next';
import type { CreatedUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { roleName } from './role-name.ts';

type KeptField = CreatedUser['keptFields'][number];

const fieldNames = {
  firstName: 'users.firstName',
  lastName: 'users.lastName',
  name: 'users.deviceName',
  role: 'users.role',
  isActive: 'users.columnActive',
} as const satisfies Readonly<Record<KeptField['name'], string>>;

/** Says what an existing user kept, and what was asked for. */
export function keptText({ name, asked, kept }: KeptField, t: TFunction): string {
  const word = (value: string): string => {
    if (name === 'role') return roleName(t, value);
    if (name === 'isActive') return t(value === 'true' ? 'users.active' : 'users.noAccess');
    return visibleName(value);
  };
  return t('users.keptField', { field: t(fieldNames[name]), asked: word(asked), kept: word(kept) });
}
