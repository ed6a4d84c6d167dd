import { describe, expect, it } from 'vitest';
import type { UserChanges } from '../../../../shared/domain/team-user.ts';
import { errorOf, going, missingBelow, useTeamDesk, valueOf, type Told } from './team-desk.ts';
import { checkUserChanges } from '../../../../electron/agent/service/users.ts';

const open = useTeamDesk();
const wire = (id: number, more: object = {}) => ({ id, login_type: 'PHONE_NUMBER', ...more });

describe('updating a user', () => {
  const known = {
    ...wire(1),
    first_name: 'Ann',
    last_name: 'Lee',
    phone_number: '+4930123',
    device_id: 'x',
    email: 'a@b.test',
    role: 'member',
    is_active: true,
  };
  const answering = (second: Told) => (index: number) => (index === 0 ? { body: { user: known } } : second);

  it.each(['POST', 'PUT'])(
    'reads the user and sends all fields with the changes (%s)',
    async (updateMethod) => {
      const desk = await open(answering({ body: { user: { ...known, role: 'admin' } } }), {
        users: { updateMethod },
      });
      const user = await valueOf(desk.users.update(1, { role: 'admin', lastName: undefined }, going));
      expect(user).toMatchObject({ id: 1, role: 'admin' });
      expect(desk.asked()).toEqual(['GET /users/1', `${updateMethod} /users/1`]);
      expect(desk.sent()).toEqual([
        {
          login_type: 'PHONE_NUMBER',
          first_name: 'Ann',
          last_name: 'Lee',
          phone_number: '+4930123',
          role: 'admin',
          is_active: true,
        },
      ]);
    },
  );

  it('fails when the service answers that access or role are not what was asked for', async () => {
    const desk = await open(answering({ body: { user: known } }));
    const changes = { isActive: false, role: 'admin' } as const;
    const failure = await errorOf(desk.users.update(1, changes, going));
    expect(failure).toMatchObject({ code: 'VALIDATION', retryable: false });
    expect(failure.message).toContain('did not apply all of it: role is "member", access is active.');
    const silent = await open(answering({ body: { user: wire(1) } }));
    expect((await valueOf(silent.users.update(1, changes, going))).isActive).toBeUndefined();
  });

  it('fails when the response shows that a name was not changed, but not for another spelling', async () => {
    const changes = { firstName: 'Anna', lastName: 'LEE', phoneNumber: '+493012' };
    const desk = await open(
      answering({ body: { user: { ...known, last_name: 'Lee-', phone_number: '+49 3012' } } }),
    );
    const failure = await errorOf(desk.users.update(1, changes, going));
    expect(failure).toMatchObject({ code: 'VALIDATION', fields: [{ name: 'first_name' }] });
    expect(failure.message).toContain('did not apply all of it: first name is "Ann".');
  });

  it.each([404, 405])('says that the method is not accepted (HTTP %i)', async (status) => {
    const desk = await open(answering({ status, body: { message: 'No' } }));
    const failure = await errorOf(desk.users.update(1, { role: 'admin' }, going));
    expect(failure).toMatchObject({ code: 'METHOD_REFUSED', status, retryable: false, detail: 'No' });
    expect(failure.advice).toContain('users.updateMethod to PUT');
  });

  it('says that the user does not exist when the read says so', async () => {
    const desk = await open(missingBelow(known));
    expect(await errorOf(desk.users.update(1, { role: 'admin' }, going))).toMatchObject({
      code: 'NOT_FOUND',
    });
    expect(desk.asked()).toEqual(['GET /users/1', 'GET /users?per_page=1']);
  });

  it('overwrites nothing that somebody else changed since the form was opened, and names it', async () => {
    const seen = {
      id: 1,
      loginType: 'PHONE_NUMBER',
      firstName: 'Ann',
      lastName: 'Lee',
      phoneNumber: '+4930123',
    };
    const whole = { ...seen, deviceId: 'x', email: 'a@b.test', role: 'member', isActive: true };
    const desk = await open(answering({ body: { user: known } }));
    const changed = { ...whole, role: 'staff', isActive: false, lastName: 'Li' };
    const failure = await errorOf(desk.users.update(1, { firstName: 'Anna' }, going, changed));
    expect(failure).toMatchObject({ code: 'CHANGED_ELSEWHERE', retryable: true });
    expect(failure.message).toContain('last name is now "Lee", role is now "member", access is now active');
    expect(desk.asked()).toEqual(['GET /users/1']);
    const again = await open(answering({ body: { user: { ...known, first_name: 'Anna' } } }));
    await valueOf(again.users.update(1, { firstName: 'Anna' }, going, { ...whole, updatedAt: 'later' }));
    expect(again.asked()).toEqual(['GET /users/1', 'POST /users/1']);
  });

  it.each([
    [{}, []],
    [{ firstName: 'A', name: 'B' }, []],
    [{ name: 'B' }, ['GET /users/1']],
  ])('changes nothing for %o', async (changes, asked) => {
    const desk = await open(answering({ body: { user: known } }));
    expect(await errorOf(desk.users.update(1, changes, going))).toMatchObject({ code: 'VALIDATION' });
    expect(desk.asked()).toEqual(asked);
  });
});

describe('checkUserChanges', () => {
  it.each([
    [{ firstName: 'A' }, 'PHONE_NUMBER'],
    [{ name: 'A', deviceId: 'd' }, 'DEVICE'],
    [{ role: 'admin', isActive: false }, 'PHONE_NUMBER'],
    [{ role: 'admin', name: undefined }, 'PHONE_NUMBER'],
    [{ firstName: 'A' }, undefined],
    [{ name: 'A' }, 'BADGE'],
  ] satisfies [UserChanges, string | undefined][])('lets %o of a %s user pass', (changes, loginType) => {
    expect(checkUserChanges(changes, loginType)).toBeUndefined();
  });

  it.each([
    [{ name: 'A', deviceId: 'd', role: 'admin' }, 'PHONE_NUMBER', ['name', 'device_id']],
    [
      { firstName: 'A', lastName: 'B', phoneNumber: '+4930123' },
      'DEVICE',
      ['first_name', 'last_name', 'phone_number'],
    ],
    [{ firstName: 'A', name: 'B' }, undefined, ['name']],
    [{ firstName: 'A', name: 'B' }, 'BADGE', ['name']],
  ] satisfies [UserChanges, string | undefined, string[]][])(
    'refuses %o of a %s user',
    (changes, loginType, names) => {
      const failure = checkUserChanges(changes, loginType);
      expect(failure).toMatchObject({ code: 'VALIDATION', retryable: false });
      expect(failure?.fields?.map(({ name }) => name)).toEqual(names);
      expect(failure?.message).toMatch(/(name|ID).* can be set only for users who sign in with a \w+/);
    },
  );

  it.each([[{}], [{ role: undefined }]])('refuses %o, which changes nothing', (changes) => {
    const failure = checkUserChanges(changes, undefined);
    expect(failure).toMatchObject({ code: 'VALIDATION' });
    expect(failure).not.toHaveProperty('fields');
  });
});
