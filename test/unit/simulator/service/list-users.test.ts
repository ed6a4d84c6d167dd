import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulator, type ServiceUser, type Simulator } from '../../../simulator/index.ts';
import { callService } from '../call-service.ts';

let simulator: Simulator;
let users: readonly ServiceUser[];
let active: readonly ServiceUser[];
beforeAll(async () => {
  simulator = await startSimulator();
  ({ users } = simulator.team());
  active = users.filter((user) => user.is_active);
});
afterAll(() => simulator.stop());

const get = (query = '') => callService(simulator, 'GET', `/users${query}`);
const phone = (number: string) => `phone_number[]=${encodeURIComponent(number)}`;
const device = (id: string | null) => `device_id[]=${encodeURIComponent(id ?? '')}`;
const idsOf = (list: readonly ServiceUser[]) => list.map(({ id }) => id);

describe('endpoint 11, Get All Users', () => {
  it('tells a first page of 100 active users, with all counts', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body).toEqual({
      page: 1,
      per_page: 100,
      total_pages: Math.ceil(active.length / 100),
      response_count: 100,
      total_count: active.length,
      users: active.slice(0, 100),
    });
  });

  it('tells each user once over all pages, and nothing after them', async () => {
    const pages = [];
    for (const page of [1, 2, 3]) pages.push((await get(`?page=${page}&per_page=90`)).body);
    expect(pages.flatMap((page) => idsOf(page.users))).toEqual(idsOf(active));
    const last = active.length - 180;
    expect(pages[2]).toMatchObject({ page: 3, per_page: 90, total_pages: 3, response_count: last });
    expect((await get('?page=4&per_page=90')).body).toMatchObject({ page: 4, response_count: 0, users: [] });
  });

  it('includes inactive ones when asked to', async () => {
    expect((await get('?include_inactive=true')).body.total_count).toBe(users.length);
    expect((await get('?include_inactive=false')).body.total_count).toBe(active.length);
  });

  it('shows phones and devices with their own fields', async () => {
    const { body } = await get();
    const told: readonly ServiceUser[] = body.users;
    const fields = (type: string) =>
      Object.keys(told.find((user) => user.login_type === type) ?? {}).toSorted();
    const common = ['created_at', 'device_id', 'email', 'id', 'is_active', 'login_type'];
    const rest = ['phone_number', 'role', 'updated_at'];
    expect(fields('PHONE_NUMBER')).toEqual([...common, 'first_name', 'last_name', ...rest].toSorted());
    expect(fields('DEVICE')).toEqual([...common, 'name', ...rest].toSorted());
  });

  it('filters by several numbers, and by several devices', async () => {
    const phones = active.filter((user) => user.login_type === 'PHONE_NUMBER').slice(3, 6);
    const byPhone = await get(`?${phones.map((user) => phone(user.phone_number)).join('&')}`);
    expect(byPhone.body).toMatchObject({ total_count: 3, response_count: 3, total_pages: 1 });
    expect(idsOf(byPhone.body.users)).toEqual(idsOf(phones));
    const devices = active.filter((user) => user.login_type === 'DEVICE').slice(0, 2);
    const byDevice = await get(`?${devices.map((user) => device(user.device_id)).join('&')}`);
    expect(idsOf(byDevice.body.users)).toEqual(idsOf(devices));
  });

  it('with both filters tells only who fits both', async () => {
    const tablet = active.find((user) => user.device_id !== null && user.phone_number !== '')!;
    const radio = active.find((user) => user.device_id !== null && user.phone_number === '')!;
    const both = await get(
      `?${phone(tablet.phone_number)}&${device(tablet.device_id)}&${device(radio.device_id)}`,
    );
    expect(idsOf(both.body.users)).toEqual([tablet.id]);
    const neither = await get(`?${phone(tablet.phone_number)}&${device(radio.device_id)}`);
    expect(neither.body).toMatchObject({ total_count: 0, total_pages: 1, users: [] });
  });

  it('finds an inactive user by number only when inactive ones are asked for', async () => {
    const user = users.find((each) => !each.is_active && each.login_type === 'PHONE_NUMBER')!;
    expect((await get(`?${phone(user.phone_number)}`)).body.users).toEqual([]);
    expect((await get(`?${phone(user.phone_number)}&include_inactive=true`)).body.users).toEqual([user]);
  });

  it('has none in a team that is empty', async (context) => {
    const empty = await startSimulator({ team: 'empty' });
    context.onTestFinished(() => empty.stop());
    expect((await callService(empty, 'GET', '/users?per_page=1')).body).toEqual({
      page: 1,
      per_page: 1,
      total_pages: 1,
      response_count: 0,
      total_count: 0,
      users: [],
    });
  });

  it.each([
    ['?per_page=101', 'Per page must be less than or equal to 100'],
    ['?per_page=0', 'Per page must be a whole number greater than or equal to 1'],
    ['?per_page=ten', 'Per page must be a whole number greater than or equal to 1'],
    ['?page=0', 'Page must be a whole number greater than or equal to 1'],
    ['?include_inactive=yes', 'Include inactive must be true or false'],
    ['?phone_number[]=+447700900101', 'Phone number is invalid'],
    ['?phone_number[]=%2B44%207700%20900101', 'Phone number is invalid'],
    ['?device_id[]=', "Device id can't be blank"],
  ])('refuses %s', async (query, reason) => {
    expect(await get(query)).toMatchObject({
      status: 422,
      text: JSON.stringify({ status: 422, message: `Validation failed: ${reason}` }),
    });
  });

  it.each(['?phone_number=%2B447700900101', '?per_page=1&per_page=2', '?limit=5'])(
    'does not know %s',
    async (query) => {
      expect((await get(query)).status).toBe(400);
    },
  );
});
