import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startSimulator, type ServiceUser, type Simulator } from '../../../simulator/index.ts';
import { callService } from '../call-service.ts';

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.stop());

const create = (body: unknown) => callService(simulator, 'POST', '/users', { body });
const get = (id: string) => callService(simulator, 'GET', `/users/${id}`);
const update = (id: string, body: unknown, method = 'POST') =>
  callService(simulator, method, `/users/${id}`, { body });
const anna = {
  login_type: 'PHONE_NUMBER',
  first_name: 'Anna',
  last_name: 'Berg',
  phone_number: '+447700900999',
};
const radio = { login_type: 'DEVICE', name: 'Radio 99', device_id: 'KB-NEW-1' };
const some = (type: string, list: readonly ServiceUser[] = simulator.team().users) =>
  list.find((user) => user.login_type === type)!;
const refusal = (reason: string) => ({
  status: 422,
  text: JSON.stringify({ status: 422, message: `Validation failed: ${reason}` }),
});

describe('endpoint 12, Create User', () => {
  it('makes a user with a phone, with a temporary password that is told once', async () => {
    const { status, body } = await create(anna);
    expect(status).toBe(201);
    expect(body.user).toMatchObject({ ...anna, role: 'member', is_active: true, device_id: null });
    expect(body.user.temp_password).toMatch(/^\w{12}$/);
    const { temp_password: _password, ...user } = body.user;
    expect((await get(user.id)).body).toEqual({ user });
    expect(simulator.team().users).toContainEqual(user);
    expect(simulator.invitations()).toEqual([]);
  });

  it('makes a user with a device, without a password', async () => {
    const { status, body } = await create({ ...radio, role: 'staff', is_active: false });
    expect(status).toBe(201);
    expect(body.user).toMatchObject({ ...radio, role: 'staff', is_active: false, phone_number: '' });
    expect(body.user).not.toHaveProperty('temp_password');
    expect((await get(body.user.id)).body).toEqual(body);
  });

  it('sends an invitation when asked to', async () => {
    const { body } = await create({ ...anna, send_invitation: true });
    expect(simulator.invitations()).toMatchObject([{ userId: body.user.id, phoneNumber: anna.phone_number }]);
    await create({ ...anna, phone_number: '+447700900998', send_invitation: false });
    expect(simulator.invitations()).toHaveLength(1);
  });

  it('adds the user whom the service knows by the number, and leaves the names', async () => {
    const known = some('PHONE_NUMBER', simulator.team().outsiders);
    expect((await get(known.id)).status).toBe(404);
    const { status, body } = await create({ ...anna, phone_number: known.phone_number, role: 'supervisor' });
    expect(status).toBe(201);
    expect(body.user).toEqual({ ...known, role: 'supervisor', updated_at: expect.any(String) });
    expect((await get(known.id)).body).toEqual(body);
    expect(simulator.team().outsiders.map(({ id }) => id)).not.toContain(known.id);
  });

  it('adds the user whom the service knows by the device', async () => {
    const known = some('DEVICE', simulator.team().outsiders);
    const { status, body } = await create({ ...radio, device_id: known.device_id });
    expect(status).toBe(201);
    expect(body.user).toEqual({ ...known, updated_at: expect.any(String) });
  });

  it('leaves one who is in the team as he is', async () => {
    const known = some('PHONE_NUMBER');
    const count = simulator.team().users.length;
    const { status, body } = await create({ ...anna, phone_number: known.phone_number, role: 'admin' });
    expect(status).toBe(201);
    expect(body).toEqual({ user: known });
    expect(simulator.team().users).toHaveLength(count);
  });

  it.each<[string, unknown, string]>([
    ['no login type', { ...anna, login_type: undefined }, "Login type can't be blank"],
    ['an unknown login type', { ...anna, login_type: 'EMAIL' }, 'Login type is not included in the list'],
    [
      'a phone without its fields',
      { login_type: 'PHONE_NUMBER' },
      "First name can't be blank, Last name can't be blank, Phone number can't be blank",
    ],
    [
      'a device without its fields',
      { login_type: 'DEVICE' },
      "Name can't be blank, Device id can't be blank",
    ],
    [
      'blank names',
      { ...anna, first_name: ' ', last_name: null },
      "First name can't be blank, Last name can't be blank",
    ],
    [
      'a long name',
      { ...anna, first_name: 'x'.repeat(256) },
      'First name is too long (maximum is 255 characters)',
    ],
    ['a number for a name', { ...radio, name: 7 }, 'Name must be a string'],
    ['a number without +', { ...anna, phone_number: '447700900999' }, 'Phone number is invalid'],
    ['a number with spaces', { ...anna, phone_number: '+44 7700 900999' }, 'Phone number is invalid'],
    ['an unknown role', { ...anna, role: 'owner' }, 'Role is not included in the list'],
    ['text for a switch', { ...anna, is_active: 'yes' }, 'Is active must be true or false'],
    [
      'a device with a phone',
      { ...radio, phone_number: '+447700900999' },
      'Phone number is not a field of DEVICE users',
    ],
    ['a phone with a device', { ...anna, device_id: 'd1' }, 'Device id is not a field of PHONE_NUMBER users'],
    [
      'an invitation for a device',
      { ...radio, send_invitation: true },
      'Send invitation is not a field of DEVICE users',
    ],
    ['an unknown field', { ...anna, email: 'a@b.example' }, 'Email is not a known field'],
    ['a list', [], 'Body must be an object'],
  ])('refuses %s', async (_what, body, reason) => {
    const count = simulator.team().users.length;
    expect(await create(body)).toMatchObject(refusal(reason));
    expect(simulator.team().users).toHaveLength(count);
  });
});

describe('endpoints 13 to 15', () => {
  it('tell a user, change and delete him', async () => {
    const user = some('PHONE_NUMBER');
    expect(await get(user.id)).toMatchObject({ status: 200, body: { user } });
    const changed = await update(user.id, { first_name: 'Änne', role: 'staff', is_active: false });
    expect(changed.status).toBe(200);
    expect(changed.body.user).toEqual({
      ...user,
      first_name: 'Änne',
      role: 'staff',
      is_active: false,
      updated_at: expect.any(String),
    });
    expect(changed.body.user.updated_at).not.toBe(user.updated_at);
    const removed = await callService(simulator, 'DELETE', `/users/${user.id}`);
    expect(removed).toMatchObject({ status: 200, body: changed.body });
    expect((await get(user.id)).status).toBe(404);
    expect(simulator.team().users.map(({ id }) => id)).not.toContain(user.id);
  });

  it.each(['GET', 'POST', 'DELETE'])('do not find another user: %s', async (method) => {
    const options = method === 'POST' ? { body: {} } : {};
    const outsider = some('DEVICE', simulator.team().outsiders);
    for (const id of ['nobody', outsider.id]) {
      expect(await callService(simulator, method, `/users/${id}`, options)).toMatchObject({
        status: 404,
        text: '{"status":404,"message":"User not found"}',
      });
    }
  });

  it('take the whole body of a user as well as a part of it', async () => {
    const { id } = some('DEVICE');
    const answer = await update(id, { ...radio, role: 'staff', is_active: true });
    expect(answer).toMatchObject({ status: 200, body: { user: { id, ...radio, role: 'staff' } } });
    expect((await update(id, {})).status).toBe(200);
  });

  it('send an invitation with an update, when asked to', async () => {
    const user = some('PHONE_NUMBER');
    await update(user.id, { send_invitation: true });
    expect(simulator.invitations()).toMatchObject([{ userId: user.id, phoneNumber: user.phone_number }]);
  });

  it.each<[string, 'PHONE_NUMBER' | 'DEVICE', unknown, string]>([
    ['another login type', 'PHONE_NUMBER', { login_type: 'DEVICE' }, "Login type can't be changed"],
    ['the other login type', 'DEVICE', { login_type: 'PHONE_NUMBER' }, "Login type can't be changed"],
    ['a blank name', 'PHONE_NUMBER', { first_name: '' }, "First name can't be blank"],
    ['null', 'DEVICE', { device_id: null }, "Device id can't be blank"],
    ['a number that is none', 'PHONE_NUMBER', { phone_number: '+0' }, 'Phone number is invalid'],
    ['an unknown role', 'DEVICE', { role: 'owner' }, 'Role is not included in the list'],
    ['a field of the other type', 'DEVICE', { first_name: 'A' }, 'First name is not a field of DEVICE users'],
    ['an unknown field', 'PHONE_NUMBER', { email: 'a@b.example' }, 'Email is not a known field'],
    ['a list', 'PHONE_NUMBER', [], 'Body must be an object'],
  ])('refuse to update with %s', async (_what, type, body, reason) => {
    const user = some(type);
    expect(await update(user.id, body)).toMatchObject(refusal(reason));
    expect((await get(user.id)).body).toEqual({ user });
  });

  it('refuse a number or a device that another user has', async () => {
    const { users, outsiders } = simulator.team();
    const [phone, device] = [some('PHONE_NUMBER'), some('DEVICE')];
    for (const list of [users.filter(({ id }) => id !== phone.id && id !== device.id), outsiders]) {
      const [number, id] = [some('PHONE_NUMBER', list).phone_number, some('DEVICE', list).device_id];
      expect(await update(phone.id, { phone_number: number })).toMatchObject(
        refusal('Phone number has already been taken'),
      );
      expect(await update(device.id, { device_id: id })).toMatchObject(
        refusal('Device id has already been taken'),
      );
    }
    expect((await update(phone.id, { phone_number: phone.phone_number })).status).toBe(200);
  });

  it.each([
    ['POST', 200, 405],
    ['PUT', 405, 200],
    ['both', 200, 200],
  ] as const)('update by %s when set so', async (userUpdateMethod, byPost, byPut) => {
    simulator.configure({ userUpdateMethod });
    const { id } = some('PHONE_NUMBER');
    expect((await update(id, { role: 'staff' }, 'POST')).status).toBe(byPost);
    expect((await update(id, { role: 'staff' }, 'PUT')).status).toBe(byPut);
    const refused = simulator.requests.all().find(({ status }) => status === 405);
    expect(refused?.method).toBe({ POST: 'PUT', PUT: 'POST', both: undefined }[userUpdateMethod]);
  });

  it('name the methods that there are', async () => {
    const answer = await update(some('DEVICE').id, {}, 'PUT');
    expect(answer.headers.allow).toBe('GET, POST, DELETE');
  });
});

describe('faults of these calls', () => {
  it.each([
    ['getUser', 'GET', '/users/u1'],
    ['createUser', 'POST', '/users'],
    ['updateUser', 'POST', '/users/u1'],
    ['deleteUser', 'DELETE', '/users/u1'],
    ['getActions', 'GET', '/periods/1/actions'],
    ['addChannelMessage', 'PUT', '/channels/c1/chat_messages'],
    ['addDirectMessage', 'PUT', '/direct_message_channels/c1/chat_messages'],
  ] as const)('can be ordered for %s', async (call, method, path) => {
    simulator.faults.add({ match: { call }, action: { kind: 'answer', status: 418 } });
    const options = method === 'POST' || method === 'PUT' ? { body: {} } : {};
    expect((await callService(simulator, method, path, options)).status).toBe(418);
    expect(simulator.requests.of(call)).toHaveLength(1);
  });
});
