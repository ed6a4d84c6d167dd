import { describe, expect, it } from 'vitest';
import {
  changesOfUser,
  emptyUserForm,
  fieldsOf,
  formOfUser,
  isSameName,
  newUserOf,
  readPhone,
  userProblems,
  type UserForm,
} from '../../../../../renderer/features/users/user-form.ts';
import { newUserSchema, type TeamUser } from '../../../../../shared/domain/team-user.ts';

const steward: UserForm = {
  ...emptyUserForm,
  firstName: 'Ada',
  lastName: 'Lovelace',
  phoneNumber: '+1 (415) 555-0100',
};
const kiosk: UserForm = { ...emptyUserForm, loginType: 'DEVICE', name: 'Kiosk 9', deviceId: 'KB-9' };
const ada: TeamUser = {
  id: 'u1',
  loginType: 'PHONE_NUMBER',
  firstName: 'Ada',
  lastName: 'Lovelace',
  phoneNumber: '+14155550100',
  role: 'staff',
};

describe('the form of a new user', () => {
  it('has only the fields of the way to log in', () => {
    expect(fieldsOf('PHONE_NUMBER')).toEqual(['firstName', 'lastName', 'phoneNumber', 'role']);
    expect(fieldsOf('DEVICE')).toEqual(['name', 'deviceId', 'role']);
  });

  it.each<[string, UserForm, unknown]>([
    [
      'a steward',
      steward,
      {
        loginType: 'PHONE_NUMBER',
        firstName: 'Ada',
        lastName: 'Lovelace',
        phoneNumber: '+14155550100',
        role: 'member',
      },
    ],
    ['a device', kiosk, { loginType: 'DEVICE', name: 'Kiosk 9', deviceId: 'KB-9', role: 'member' }],
  ])('says %s as the contract takes it', (_, form, user) => {
    expect(newUserOf(form)).toEqual(user);
    expect(newUserSchema.safeParse(newUserOf(form)).success).toBe(true);
  });

  it('invites by SMS when that is wanted, and never a device', () => {
    expect(newUserOf({ ...steward, sendInvitation: true })).toMatchObject({ sendInvitation: true });
    expect(newUserOf({ ...kiosk, sendInvitation: true })).not.toHaveProperty('sendInvitation');
  });

  it.each<[Partial<UserForm>, Readonly<Record<string, string>>]>([
    [{}, {}],
    [{ firstName: ' ' }, { firstName: 'users.required' }],
    [{ phoneNumber: '' }, { phoneNumber: 'users.required' }],
    [{ phoneNumber: '07700 900123' }, { phoneNumber: 'users.badPhone' }],
    [{ deviceId: '', name: '' }, {}],
    [{ lastName: 'L'.repeat(255) }, {}],
    [{ lastName: 'L'.repeat(256) }, { lastName: 'users.tooLong' }],
  ])('with %o has trouble in %o', (change, problems) => {
    expect(Object.fromEntries(userProblems({ ...steward, ...change }))).toEqual(problems);
  });
});

describe('the form of a user who is there', () => {
  it('changes nothing as long as nothing was typed', () => {
    expect(changesOfUser(ada, formOfUser(ada))).toBeUndefined();
    expect(changesOfUser(ada, { ...formOfUser(ada), firstName: ' Ada ' })).toBeUndefined();
  });

  it.each<[Partial<UserForm>, unknown]>([
    [{ firstName: 'Grace' }, { firstName: 'Grace' }],
    [{ phoneNumber: '+44 7400 123456' }, { phoneNumber: '+447400123456' }],
    [{ role: 'admin' }, { role: 'admin' }],
    [{ deviceId: 'not for phones' }, undefined],
  ])('with %o asks for %o', (change, changes) => {
    expect(changesOfUser(ada, { ...formOfUser(ada), ...change })).toEqual(changes);
  });

  it('leaves a role alone that is new to this program', () => {
    const owner: TeamUser = { ...ada, role: 'owner' };
    expect(formOfUser(owner).role).toBeUndefined();
    expect(changesOfUser(owner, { ...formOfUser(owner), lastName: 'Byron' })).toEqual({ lastName: 'Byron' });
  });

  it('does not hold against a user what the service took before', () => {
    const nameless: TeamUser = { ...ada, lastName: '', phoneNumber: '0123' };
    expect(userProblems({ ...formOfUser(nameless), role: 'admin' }, nameless).size).toBe(0);
    for (const lastName of ['', 'L'.repeat(256)])
      expect([...userProblems({ ...formOfUser(ada), lastName }, ada).keys()]).toEqual(['lastName']);
  });
});

it.each([
  ['Ada Lovelace', 'Ada Lovelace', true],
  [' Ada  Lovelace ', 'Ada Lovelace', true],
  ['Jose\u0301', 'José', true],
  ['ada lovelace', 'Ada Lovelace', false],
  ['Ada', 'Ada Lovelace', false],
  ['', ' ', false],
])('typing %j deletes %j: %s', (typed, name, isSame) => {
  expect(isSameName(typed, name)).toBe(isSame);
});

describe('a phone number while it is typed', () => {
  it.each([
    ['+14155550100', '+14155550100', 'US', true],
    [' +1 (415) 555-01.00 ', '+14155550100', 'US', true],
    ['+447400123456', '+447400123456', 'GB', true],
    // Reserved for fiction; and +44 does not belong to Great Britain alone
    ['+447700900123', '+447700900123', undefined, false],
  ])('%j is %s of %s', (text, e164, country, isKnown) => {
    expect(readPhone(text)).toMatchObject({ e164, country, isKnown });
  });

  it('is not doubted while digits are missing', () => {
    expect(readPhone('+14155')).toMatchObject({ isComplete: false, isKnown: false });
    expect(readPhone('+447700900123')).toMatchObject({ isComplete: true, isKnown: false });
  });

  it('is written as people of its country write it', () => {
    expect(readPhone('+447400123456').formatted).toBe('+44 7400 123456');
  });

  it.each(['', '+', '+0123456', '07700 900123', 'Ada', '+1415555010012345'])(
    '%j is no number with its country code',
    (text) => {
      expect(readPhone(text).e164).toBeUndefined();
    },
  );
});
