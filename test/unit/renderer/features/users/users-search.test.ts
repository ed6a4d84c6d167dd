import { describe, expect, it } from 'vitest';
import type { TeamUser } from '../../../../../shared/domain/team-user.ts';
import {
  selectUsers,
  sortedBy,
  usersSearchSchema,
} from '../../../../../renderer/features/users/users-search.ts';
import { createI18n } from '../../../../../renderer/i18n/create-i18n.ts';

const { t } = await createI18n('en');
const phone = { loginType: 'PHONE_NUMBER', isActive: true };
const users: readonly TeamUser[] = [
  { id: 1, ...phone, firstName: 'José', lastName: 'Ortiz', phoneNumber: '+447700900123', role: 'supervisor' },
  {
    id: 2,
    ...phone,
    firstName: 'Ada',
    lastName: 'Byron',
    phoneNumber: '+14155550100',
    email: 'ada@club.test',
  },
  { id: 3, loginType: 'DEVICE', name: 'Kiosk 10', deviceId: 'KB-10', role: 'staff', isActive: true },
  { id: 4, loginType: 'DEVICE', name: 'Kiosk 9', deviceId: 'KB-9', role: 'staff', isActive: false },
];
const select = (search: object): readonly unknown[] =>
  selectUsers(users, usersSearchSchema.parse(search), t, 'en').map(({ id }) => id);

describe('the address of the users', () => {
  it('counts what cannot be read as not given', () => {
    const odd = { search: 7, inactive: 'yes', sort: 'page', order: 3, user: {} };
    expect(usersSearchSchema.parse(odd)).toEqual({
      search: '',
      inactive: false,
      sort: 'name',
      order: 'ascending',
    });
  });
});

describe('the users that are looked for', () => {
  it.each([
    ['jose', [1]],
    ['ORTIZ josé', [1]],
    ['7700 900-123', [1]],
    ['+44 (7700)', [1]],
    ['club.test', [2]],
    ['kb-', [4, 3]],
    ['staff kiosk', [4, 3]],
    ['Supervisor', [1]],
    ['', [2, 1, 4, 3]],
    ['kiosk ada', []],
  ])('%j finds %j by a part of name, number, email, device or role', (search, ids) => {
    expect(select({ search, inactive: true })).toEqual(ids);
  });

  it('leaves inactive users out until they are wanted', () => {
    expect(select({ search: 'kiosk' })).toEqual([3]);
  });

  it.each([
    ['access', [2, 1, 3, 4], [4, 2, 1, 3]],
    ['name', [2, 1, 4, 3], [3, 4, 1, 2]],
    ['contact', [2, 1, 4, 3], [3, 4, 1, 2]],
    // Users without a value come last in either order
    ['email', [2, 1, 4, 3], [2, 1, 4, 3]],
    ['login', [4, 3, 2, 1], [2, 1, 4, 3]],
    ['role', [4, 3, 1, 2], [1, 4, 3, 2]],
    ['updated', [2, 1, 4, 3], [2, 1, 4, 3]],
  ] as const)('stand in either order by %s', (sort, up, down) => {
    expect(select({ inactive: true, sort })).toEqual(up);
    expect(select({ inactive: true, sort, order: 'descending' })).toEqual(down);
  });

  it('turn round at a second press on a heading, and begin with the newest change', () => {
    expect(sortedBy('role', { sort: 'name', order: 'descending' })).toEqual({
      sort: 'role',
      order: 'ascending',
    });
    expect(sortedBy('role', { sort: 'role', order: 'ascending' })).toEqual({
      sort: 'role',
      order: 'descending',
    });
    expect(sortedBy('updated', { sort: 'role', order: 'ascending' }).order).toBe('descending');
  });
});
