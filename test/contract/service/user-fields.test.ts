import { describe, expect, it } from 'vitest';
import type { TeamUser } from '../../../shared/domain/team-user.ts';
import { errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

const phone = {
  id: 'u-1',
  login_type: 'PHONE_NUMBER',
  phone_number: '+447700900100',
  device_id: null,
  first_name: 'Jürgen',
  last_name: 'Weiß',
  email: 'j.weiss@team.example',
  is_active: true,
  role: 'supervisor',
  created_at: '2026-01-02T03:04:05.000Z',
  updated_at: '2026-02-03T04:05:06.000Z',
};
const device = {
  id: 'u-2',
  login_type: 'DEVICE',
  phone_number: '',
  device_id: 'KB-TA-0001',
  name: 'Tablet 1, Gate A',
  email: null,
  is_active: false,
  role: 'member',
};
const newPhone = {
  loginType: 'PHONE_NUMBER',
  phoneNumber: '+447700900100',
  firstName: 'Jürgen',
  lastName: 'Weiß',
} as const;

/** The user as the client reads it from an answer of endpoint 13. */
async function read(user: object): Promise<TeamUser> {
  desk().answerNext({ user });
  return valueOf(desk().team.users.get('u-1', going));
}

/** A user of the team with this login type. */
function known(loginType: 'PHONE_NUMBER' | 'DEVICE') {
  const user = desk()
    .simulator.team()
    .users.find((each) => each.login_type === loginType);
  if (user === undefined) throw new Error(`There is no ${loginType}`);
  return user;
}

describe('User', () => {
  it('User | user | user responses are wrapped under this key', async () => {
    expect(await read(phone)).toMatchObject({ id: 'u-1' });
    desk().answerNext(phone);
    expect(await errorOf(desk().team.users.get('u-1', going))).toMatchObject({ code: 'API_SHAPE' });
  });

  it('User | id | string, unique user identifier', async () => {
    expect((await read(phone)).id).toBe('u-1');
  });

  it('User | login_type | PHONE_NUMBER or DEVICE', async () => {
    expect((await read(phone)).loginType).toBe('PHONE_NUMBER');
    expect((await read(device)).loginType).toBe('DEVICE');
  });

  it('User | phone_number | string, + and country code, no spaces', async () => {
    expect((await read(phone)).phoneNumber).toBe('+447700900100');
  });

  it('User | phone_number | may be blank for DEVICE users', async () => {
    expect((await read(device)).phoneNumber ?? '').toBe('');
  });

  it('User | device_id | string or null, may be blank for PHONE_NUMBER users', async () => {
    expect((await read(device)).deviceId).toBe('KB-TA-0001');
    expect((await read(phone)).deviceId ?? '').toBe('');
    expect((await read({ ...phone, device_id: '' })).id).toBe('u-1');
  });

  it('User | first_name | string, only for PHONE_NUMBER users', async () => {
    expect((await read(phone)).firstName).toBe('Jürgen');
    expect(await read(device)).not.toHaveProperty('firstName');
  });

  it('User | last_name | string, only for PHONE_NUMBER users', async () => {
    expect((await read(phone)).lastName).toBe('Weiß');
    expect(await read(device)).not.toHaveProperty('lastName');
  });

  it('User | name | string, device name, only for DEVICE users', async () => {
    expect((await read(device)).name).toBe('Tablet 1, Gate A');
    expect(await read(phone)).not.toHaveProperty('name');
  });

  it('User | email | string', async () => {
    expect((await read(phone)).email).toBe('j.weiss@team.example');
    expect(await read(device)).not.toHaveProperty('email');
  });

  it('User | is_active | boolean, when false the user has no access', async () => {
    expect((await read(phone)).isActive).toBe(true);
    expect((await read(device)).isActive).toBe(false);
  });

  it('User | role | admin, supervisor, member, staff', async () => {
    for (const role of ['admin', 'supervisor', 'member', 'staff'])
      expect((await read({ ...phone, role })).role).toBe(role);
  });

  it('User | created_at | timestamp', async () => {
    expect((await read(phone)).createdAt).toBe(phone.created_at);
  });

  it('User | updated_at | timestamp', async () => {
    expect((await read(phone)).updatedAt).toBe(phone.updated_at);
  });

  it('User | temp_password | only when a new PHONE_NUMBER user is created', async () => {
    desk().answerNext({ user: { ...phone, temp_password: 'Xy7-first' } }, 201);
    const created = await valueOf(desk().team.users.create(newPhone, going));
    expect(created).toMatchObject({ temporaryPassword: 'Xy7-first', wasExisting: false });
    expect(JSON.stringify(created.user)).not.toContain('Xy7-first');
  });

  it('User | temp_password | absent when the number belonged to an existing user', async () => {
    desk().answerNext({ user: phone }, 201);
    const created = await valueOf(desk().team.users.create(newPhone, going));
    expect(created.wasExisting).toBe(true);
    expect(created).not.toHaveProperty('temporaryPassword');
  });

  it('User | not shown: ids as integer or string | gap 25 | both are taken and kept as received', async () => {
    expect((await read({ ...phone, id: 17 })).id).toBe(17);
  });
});

describe('13. Get Specified User', () => {
  it('13 | address | GET /users/{user_id}', async () => {
    const { id } = known('PHONE_NUMBER');
    await valueOf(desk().team.users.get(id, going));
    const request = { method: 'GET', path: `/v1/users/${id}`, search: '', status: 200, bytesReceived: 0 };
    expect(desk().lastRequest()).toMatchObject(request);
  });

  it('13 | 200 | answers the user', async () => {
    const user = known('DEVICE');
    const got = await valueOf(desk().team.users.get(user.id, going));
    expect(got).toMatchObject({ id: user.id, deviceId: user.device_id, isActive: user.is_active });
  });
});

describe('Errors of users', () => {
  it('Errors | not shown: errors of reading a user | gap 23 | told by status, with the text', async () => {
    const failure = await errorOf(desk().team.users.get('nobody', going));
    expect(failure).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(failure.detail).toContain('User not found');
  });
});
