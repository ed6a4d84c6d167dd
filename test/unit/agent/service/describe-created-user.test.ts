import { describe, expect, it } from 'vitest';
import { describeCreatedUser } from '../../../../electron/agent/service/describe-created-user.ts';
import type { NewUser, TeamUser } from '../../../../shared/domain/team-user.ts';

const SENT_MS = Date.parse('2026-08-01T12:00:00Z');
const phone: NewUser = {
  loginType: 'PHONE_NUMBER',
  firstName: 'Zoë',
  lastName: 'Lee',
  phoneNumber: '+4930123',
};
const device: NewUser = { loginType: 'DEVICE', name: 'Gate tablet', deviceId: 'd-1' };
const phoneUser: TeamUser = { id: 1, firstName: 'Zoë', lastName: 'Lee', role: 'member', isActive: true };
const deviceUser: TeamUser = { id: 1, name: 'Gate tablet', role: 'member', isActive: true };

describe('a phone user', () => {
  const answer = { user: phoneUser, temporaryPassword: 'p', sentAtMs: SENT_MS };

  it('is new when a password came and the names are those that were given', () => {
    expect(describeCreatedUser(phone, answer)).toEqual({
      user: phoneUser,
      temporaryPassword: 'p',
      wasExisting: false,
      keptFields: [],
    });
  });

  it('was there before when no password came', () => {
    expect(describeCreatedUser(phone, { user: phoneUser, sentAtMs: SENT_MS })).toEqual({
      user: phoneUser,
      wasExisting: true,
      keptFields: [],
    });
  });

  it('was there before when it has another name', () => {
    const user = { ...phoneUser, firstName: 'Zora' };
    expect(describeCreatedUser(phone, { ...answer, user })).toMatchObject({
      wasExisting: true,
      keptFields: [{ name: 'firstName', asked: 'Zoë', kept: 'Zora' }],
    });
  });

  it('has the same name in another Unicode form or with blanks around it', () => {
    const user = { ...phoneUser, firstName: 'Zoë'.normalize('NFD'), lastName: ' Lee ' };
    expect(describeCreatedUser(phone, { ...answer, user })).toMatchObject({
      wasExisting: false,
      keptFields: [],
    });
  });

  it('keeps a role and a state that were asked for otherwise, and is new all the same', () => {
    const asked: NewUser = { ...phone, role: 'admin', isActive: false };
    expect(describeCreatedUser(asked, answer)).toMatchObject({
      wasExisting: false,
      keptFields: [
        { name: 'role', asked: 'admin', kept: 'member' },
        { name: 'isActive', asked: 'false', kept: 'true' },
      ],
    });
  });

  it('differs in nothing that was not asked for or not told', () => {
    const user = { id: 1, role: 'admin' };
    expect(describeCreatedUser(phone, { ...answer, user }).keptFields).toEqual([]);
  });
});

describe('a device user', () => {
  it.each([
    ['2026-08-01T12:00:01Z', SENT_MS, false],
    ['2026-08-01T11:58:30Z', SENT_MS, false],
    ['2026-08-01T11:57:00Z', SENT_MS, true],
    ['2020-01-01T00:00:00Z', undefined, false],
    ['yesterday', SENT_MS, false],
    [undefined, SENT_MS, false],
  ])('made at %s (sent at %s) was there before: %s', (createdAt, sentAtMs, wasExisting) => {
    const user = createdAt === undefined ? deviceUser : { ...deviceUser, createdAt };
    expect(describeCreatedUser(device, { user, sentAtMs }).wasExisting).toBe(wasExisting);
  });

  it('with another name was there before', () => {
    const user = { ...deviceUser, name: 'Old tablet' };
    expect(describeCreatedUser(device, { user, sentAtMs: SENT_MS })).toEqual({
      user,
      wasExisting: true,
      keptFields: [{ name: 'name', asked: 'Gate tablet', kept: 'Old tablet' }],
    });
  });
});
