import { describe, expect, it } from 'vitest';
import type { TeamUser } from '../../../../shared/domain/team-user.ts';
import {
  createdUserAnswerSchema,
  toWireUser,
  userAnswerSchema,
  usersAnswerSchema,
} from '../../../../shared/service/user.ts';

const wire = {
  id: 'u-1',
  login_type: 'PHONE_NUMBER',
  phone_number: '+4930123',
  device_id: null,
  first_name: 'Ann',
  last_name: 'Lee',
  name: 'Tablet',
  email: 'a@b.test',
  is_active: false,
  role: 'boss',
  created_at: 't1',
  updated_at: 't2',
  shoe_size: 44,
};
const user: TeamUser = {
  id: 'u-1',
  loginType: 'PHONE_NUMBER',
  phoneNumber: '+4930123',
  firstName: 'Ann',
  lastName: 'Lee',
  name: 'Tablet',
  email: 'a@b.test',
  isActive: false,
  role: 'boss',
  createdAt: 't1',
  updatedAt: 't2',
};

describe('a user', () => {
  it('is translated field by field; new words of role and login type are kept', () => {
    expect(userAnswerSchema.parse({ user: wire })).toEqual(user);
    expect(userAnswerSchema.parse({ user: { id: 1, login_type: 'BADGE' } })).toEqual({
      id: 1,
      loginType: 'BADGE',
    });
  });

  it('has no phone number and no device when these are blank', () => {
    const told = { id: 1, phone_number: '', device_id: '', first_name: '' };
    expect(userAnswerSchema.parse({ user: told })).toEqual({ id: 1, firstName: '' });
  });

  it('is never read with a password, except when it was just created', () => {
    const told = { user: { id: 1, temp_password: 'p' } };
    expect(userAnswerSchema.parse(told)).toEqual({ id: 1 });
    expect(usersAnswerSchema.parse({ users: [told.user] }).users).toEqual([{ id: 1 }]);
    expect(createdUserAnswerSchema.parse(told)).toEqual({ user: { id: 1 }, temporaryPassword: 'p' });
  });

  it.each([[''], [null], [{ odd: true }]])('was created although the password is %o', (temp_password) => {
    expect(createdUserAnswerSchema.parse({ user: { id: 1, temp_password } })).toEqual({ user: { id: 1 } });
  });

  it('was created, and brings its password, although other fields cannot be read', () => {
    const odd = { created_at: 1_767_225_600, is_active: 'yes', role: ['member'], email: 5 };
    const told = { user: { id: 1, first_name: 'Ann', ...odd, temp_password: 'p' } };
    expect(createdUserAnswerSchema.parse(told)).toEqual({
      user: { id: 1, firstName: 'Ann' },
      temporaryPassword: 'p',
    });
    for (const user of [undefined, null, 'Ann', {}, { id: null, role: 5 }])
      expect(createdUserAnswerSchema.safeParse({ user }).success).toBe(false);
  });

  it.each([
    [{}],
    [{ user: null }],
    [{ user: {} }],
    [{ user: { id: 1, is_active: 'yes' } }],
    [{ user: { id: null } }],
  ])('is not %o', (body) => {
    expect(userAnswerSchema.safeParse(body).success).toBe(false);
  });
});

describe('a page of users', () => {
  it('may miss its counters but not its list, which may be null', () => {
    expect(usersAnswerSchema.parse({ users: null })).toEqual({ users: [] });
    expect(usersAnswerSchema.safeParse({ page: 1 }).success).toBe(false);
    expect(usersAnswerSchema.safeParse({ page: '1', users: [] }).success).toBe(false);
  });
});

describe('a user as it is written again', () => {
  it.each([
    ['PHONE_NUMBER', { first_name: 'Ann', last_name: 'Lee', phone_number: '+4930123' }],
    ['DEVICE', { name: 'Tablet', device_id: 'd' }],
    [
      'BADGE',
      { first_name: 'Ann', last_name: 'Lee', phone_number: '+4930123', name: 'Tablet', device_id: 'd' },
    ],
  ])('has the fields of its login type: %s', (loginType, fields) => {
    expect(toWireUser({ ...user, deviceId: 'd', loginType })).toEqual({
      login_type: loginType,
      role: 'boss',
      is_active: false,
      ...fields,
    });
  });

  it('leaves out what is unknown or blank', () => {
    expect(toWireUser({ id: 1, loginType: 'PHONE_NUMBER', firstName: '', isActive: true })).toEqual({
      login_type: 'PHONE_NUMBER',
      is_active: true,
    });
  });
});
