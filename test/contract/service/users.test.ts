import { afterEach, describe, expect, it } from 'vitest';
import { connectTo, errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

const team = () => desk().simulator.team().users;
const page = (number: number, perPage: number, filter = {}) =>
  desk().team.users.listPage(filter, { page: number, perPage }, going);

const wirePage = { page: 3, per_page: 20, total_pages: 12, response_count: 1, total_count: 161 };
const wireUser = { id: 'u-1', login_type: 'DEVICE', device_id: 'd', name: 'Tablet', role: 'member' };

/** The page as the client reads it from an answer. */
async function read(more: object = {}) {
  desk().answerNext({ ...wirePage, users: [wireUser], ...more });
  return valueOf(page(3, 20));
}

describe('11. Get All Users', () => {
  it('11 | address | GET /users', async () => {
    await valueOf(page(1, 20));
    expect(desk().lastRequest()).toMatchObject({
      method: 'GET',
      path: '/v1/users',
      status: 200,
      bytesReceived: 0,
    });
  });

  it('11 | page | query, default 1, page of results', async () => {
    const second = await valueOf(page(2, 20));
    expect(desk().lastRequest().query['page']).toBe('2');
    expect(second.users[0]?.id).toBe(team().filter((user) => user.is_active)[20]?.id);
    await valueOf(page(1, 20));
    expect(desk().lastRequest().query['page'] ?? '1').toBe('1');
  });

  it('11 | per_page | query, default 100, maximum users per request', async () => {
    const first = await valueOf(page(1, 7));
    expect(desk().lastRequest().query['per_page']).toBe('7');
    expect(first.users).toHaveLength(7);
  });

  it('11 | per_page | the maximum allowed value is 100', async () => {
    await valueOf(desk().team.users.listAll({}, going));
    const asked = desk().simulator.requests.of('getUsers');
    for (const { query } of asked) expect(Number(query['per_page'] ?? 100)).toBe(100);
    expect(asked.map(({ status }) => status)).not.toContain(422);
  });

  it('11 | include_inactive | query, default false: inactive users are omitted', async () => {
    const users = await valueOf(desk().team.users.listAll({}, going));
    expect(desk().lastRequest().query['include_inactive'] ?? 'false').toBe('false');
    expect(users.map(({ isActive }) => isActive)).not.toContain(false);
    expect(users).toHaveLength(team().filter((user) => user.is_active).length);
  });

  it('11 | include_inactive | when true, inactive users are included', async () => {
    const users = await valueOf(desk().team.users.listAll({ includeInactive: true }, going));
    expect(desk().lastRequest().query['include_inactive']).toBe('true');
    expect(users.map(({ isActive }) => isActive)).toContain(false);
    expect(users).toHaveLength(team().length);
  });

  it('11 | phone_number[] | filter, repeatable, with the URL-encoded + and no spaces', async () => {
    const numbers = team()
      .filter((user) => user.login_type === 'PHONE_NUMBER' && user.is_active)
      .slice(0, 2)
      .map((user) => user.phone_number);
    const found = await valueOf(page(1, 100, { phoneNumbers: numbers }));
    expect(found.users.map(({ phoneNumber }) => phoneNumber).toSorted()).toEqual(numbers.toSorted());
    const search = decodeURIComponent(desk().lastRequest().search.replaceAll('%2B', '{plus}'));
    for (const number of numbers) {
      expect(search).toContain(`phone_number[]=${number.replace('+', '{plus}')}`);
    }
  });

  it('11 | device_id[] | filter, repeatable', async () => {
    const ids = team()
      .filter((user) => user.login_type === 'DEVICE' && user.is_active)
      .slice(0, 2)
      .map((user) => user.device_id ?? '');
    const found = await valueOf(page(1, 100, { deviceIds: ids }));
    expect(found.users.map(({ deviceId }) => deviceId).toSorted()).toEqual(ids.toSorted());
    const search = decodeURIComponent(desk().lastRequest().search);
    for (const id of ids) expect(search).toContain(`device_id[]=${id}`);
  });

  it('11 | filters | both together: only users matching both are returned', async () => {
    const device = team().find((user) => user.is_active && user.device_id && user.phone_number !== '');
    const other = team().find((user) => user.is_active && user.login_type === 'PHONE_NUMBER');
    const [id, number] = [device?.device_id ?? '', device?.phone_number ?? ''];
    const both = await valueOf(page(1, 100, { phoneNumbers: [number], deviceIds: [id] }));
    expect(both.users.map((user) => user.id)).toEqual([device?.id]);
    const apart = { phoneNumbers: [other?.phone_number ?? ''], deviceIds: [id] };
    expect((await valueOf(page(1, 100, apart))).users).toEqual([]);
  });

  it('11 | page | 200: integer', async () => {
    expect((await read()).page).toBe(3);
  });

  it('11 | per_page | 200: integer', async () => {
    expect((await read()).perPage).toBe(20);
  });

  it('11 | total_pages | 200: integer', async () => {
    expect((await read()).totalPages).toBe(12);
  });

  it('11 | response_count | 200: integer, users in this response', async () => {
    expect((await read()).responseCount).toBe(1);
    const real = await valueOf(page(1, 7));
    expect(real.responseCount).toBe(real.users.length);
  });

  it('11 | total_count | 200: integer, all available users', async () => {
    expect((await read()).totalCount).toBe(161);
    const real = await valueOf(page(1, 7, { includeInactive: true }));
    expect(real.totalCount).toBe(team().length);
  });

  it('11 | users | 200: array of User', async () => {
    expect((await read()).users).toMatchObject([{ id: 'u-1', deviceId: 'd', name: 'Tablet' }]);
    desk().answerNext({ ...wirePage, users: {} });
    expect(await errorOf(page(3, 20))).toMatchObject({ code: 'API_SHAPE' });
  });

  it('Limits | users per page | at most 100, default 100', async () => {
    expect((await valueOf(page(1, 100))).users).toHaveLength(100);
    expect(await errorOf(page(1, 101))).toMatchObject({ code: 'VALIDATION' });
  });
});

describe('14. Update User', () => {
  const someone = (loginType: string) => {
    const user = team().find((each) => each.login_type === loginType && each.is_active);
    if (user === undefined) throw new Error(`There is no ${loginType}`);
    return user;
  };

  it('14 | address | POST /users/{user_id}', async () => {
    const { id } = someone('PHONE_NUMBER');
    await valueOf(desk().team.users.update(id, { lastName: 'Weiß' }, going));
    expect(
      desk()
        .simulator.requests.of('updateUser')
        .map(({ method, path }) => [method, path]),
    ).toEqual([['POST', `/v1/users/${id}`]]);
  });

  it('14 | body | the same fields as Create User, for PHONE_NUMBER', async () => {
    const user = someone('PHONE_NUMBER');
    const changes = { firstName: 'Änne', lastName: 'Weiß', role: 'staff' } as const;
    await valueOf(desk().team.users.update(user.id, changes, going));
    expect(desk().simulator.requests.of('updateUser')[0]?.body).toEqual({
      login_type: 'PHONE_NUMBER',
      first_name: 'Änne',
      last_name: 'Weiß',
      phone_number: user.phone_number,
      role: 'staff',
      is_active: true,
    });
  });

  it('14 | body | the same fields as Create User, for DEVICE', async () => {
    const user = someone('DEVICE');
    await valueOf(desk().team.users.update(user.id, { name: 'Tablet of gate 4' }, going));
    expect(desk().simulator.requests.of('updateUser')[0]?.body).toEqual({
      login_type: 'DEVICE',
      name: 'Tablet of gate 4',
      device_id: user.device_id,
      role: user.role,
      is_active: true,
    });
  });

  it('14 | 200 | same body as Get Specified User', async () => {
    const { id } = someone('PHONE_NUMBER');
    const updated = await valueOf(desk().team.users.update(id, { firstName: 'Søren' }, going));
    expect(updated).toEqual(await valueOf(desk().team.users.get(id, going)));
    expect(updated.firstName).toBe('Søren');
  });

  it('14 | not shown: POST or PUT | gap 24 | POST unless the setting users.updateMethod says PUT', async () => {
    const client = connectTo(desk().simulator, { users: { updateMethod: 'PUT' } });
    desk().simulator.configure({ userUpdateMethod: 'PUT' });
    const { id } = someone('DEVICE');
    await valueOf(client.team.users.update(id, { name: 'Tablet of gate 5' }, going));
    expect(
      desk()
        .simulator.requests.of('updateUser')
        .map(({ method }) => method),
    ).toEqual(['PUT']);
    client.stop();
  });

  it('14 | not shown: POST or PUT | gap 24 | a method that is not known there names the setting', async () => {
    desk().simulator.configure({ userUpdateMethod: 'PUT' });
    const failed = desk().team.users.update(someone('DEVICE').id, { name: 'Tablet' }, going);
    const failure = await errorOf(failed);
    expect(failure.code).toBe('METHOD_REFUSED');
    expect(`${failure.message} ${failure.advice}`).toMatch(/users\.updateMethod/);
  });

  it('User activity | active to inactive | Update User with is_active false', async () => {
    const { id } = someone('PHONE_NUMBER');
    const updated = await valueOf(desk().team.users.update(id, { isActive: false }, going));
    expect(updated.isActive).toBe(false);
    expect(team().find((user) => user.id === id)?.is_active).toBe(false);
  });

  it('User activity | inactive | omitted from the list unless include_inactive is true', async () => {
    const inactive = team().find((user) => !user.is_active)?.id;
    const shown = await valueOf(desk().team.users.listAll({}, going));
    expect(shown.map(({ id }) => id)).not.toContain(inactive);
    const all = await valueOf(desk().team.users.listAll({ includeInactive: true }, going));
    expect(all.map(({ id }) => id)).toContain(inactive);
  });

  it('Authentication | not shown: what each role may do | none | every role can be given and taken', async () => {
    const { id } = someone('PHONE_NUMBER');
    for (const role of ['admin', 'supervisor', 'staff', 'member'] as const) {
      expect(await valueOf(desk().team.users.update(id, { role }, going))).toMatchObject({ role });
    }
  });

  it('Errors | not shown: errors of updating a user | gap 23 | told by status, with the text', async () => {
    const failed = desk().team.users.update('nobody', { name: 'Tablet' }, going);
    expect(await errorOf(failed)).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });

  afterEach(() => desk().simulator.configure({ userUpdateMethod: 'POST' }));
});

describe('15. Delete User', () => {
  it('15 | address | DELETE /users/{user_id}', async () => {
    const id = team().at(-1)?.id ?? '';
    await valueOf(desk().team.users.remove(id, going));
    const request = { method: 'DELETE', path: `/v1/users/${id}`, search: '', bytesReceived: 0, status: 200 };
    expect(desk().lastRequest()).toMatchObject(request);
  });

  it('15 | 200 | same body as Get Specified User', async () => {
    const id = team().at(-1)?.id ?? '';
    const before = await valueOf(desk().team.users.get(id, going));
    expect(await valueOf(desk().team.users.remove(id, going))).toEqual(before);
  });

  it('15 | alternative | is_active false by an update, which keeps the user', async () => {
    const id = team().find((user) => user.is_active)?.id ?? '';
    await valueOf(desk().team.users.update(id, { isActive: false }, going));
    expect(await valueOf(desk().team.users.get(id, going))).toMatchObject({ id, isActive: false });
    expect(desk().simulator.requests.of('deleteUser')).toEqual([]);
  });

  it('User activity | active or inactive to deleted | Delete User, the user is returned', async () => {
    for (const isActive of [true, false]) {
      const id = team().findLast((user) => user.is_active === isActive)?.id ?? '';
      const removed = await valueOf(desk().team.users.remove(id, going));
      expect(removed).toMatchObject({ id, isActive });
      expect(team().map((user) => user.id)).not.toContain(id);
    }
  });

  it('Errors | not shown: errors of deleting a user | gap 23 | told by status, with the text', async () => {
    const failure = await errorOf(desk().team.users.remove('nobody', going));
    expect(failure).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});
