import { describe, expect, it } from 'vitest';
import type { NewUser } from '../../../../shared/domain/team-user.ts';
import { errorOf, going, missingBelow, useTeamDesk, valueOf, type Told } from './team-desk.ts';
import { countUsers } from '../../../../electron/agent/service/users.ts';

const open = useTeamDesk();
const wire = (id: number, more: object = {}) => ({ id, login_type: 'PHONE_NUMBER', ...more });
const pageOf = (url: URL) => Number(url.searchParams.get('page'));
const paging = { page: 2, perPage: 50 };

describe('a page of users', () => {
  it('is asked for with its filters, repeated and encoded', async () => {
    const desk = await open({ body: { users: [] } });
    const filter = {
      includeInactive: true,
      phoneNumbers: ['+4930123', '+4930124'],
      deviceIds: ['a b&c', 'ü'],
    };
    await valueOf(desk.users.listPage(filter, paging, going));
    await valueOf(desk.users.listPage({ includeInactive: false }, paging, going));
    expect(desk.asked()).toEqual([
      'GET /users?page=2&per_page=50&include_inactive=true&phone_number%5B%5D=%2B4930123&phone_number%5B%5D=%2B4930124&device_id%5B%5D=a%20b%26c&device_id%5B%5D=%C3%BC',
      'GET /users?page=2&per_page=50',
    ]);
  });

  it('has the counters of the service', async () => {
    const counters = { page: 2, per_page: 50, total_pages: 4, response_count: 1, total_count: 151 };
    const desk = await open({ body: { ...counters, users: [wire(1)] } });
    expect(await valueOf(desk.users.listPage({}, paging, going))).toEqual({
      page: 2,
      perPage: 50,
      totalPages: 4,
      responseCount: 1,
      totalCount: 151,
      users: [{ id: 1, loginType: 'PHONE_NUMBER' }],
    });
  });
});

describe('all users', () => {
  it('are read page by page, 100 at a time, each once', async () => {
    const desk = await open((_index, url) => {
      const page = pageOf(url);
      return { body: { page, total_pages: 3, users: [wire(page), wire(page), wire(page + 1)] } };
    });
    const users = await valueOf(desk.users.listAll({ deviceIds: ['d'] }, going));
    expect(users.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    expect(desk.asked()).toEqual(
      [1, 2, 3].map((page) => `GET /users?page=${page}&per_page=100&device_id%5B%5D=d`),
    );
  });

  it('without counters end with the first page that is not full', async () => {
    const users = Array.from({ length: 250 }, (_, index) => wire(index));
    const desk = await open((_index, url) => ({
      body: { users: users.slice((pageOf(url) - 1) * 100, pageOf(url) * 100) },
    }));
    expect(await valueOf(desk.users.listAll({}, going))).toHaveLength(250);
    expect(desk.asked()).toHaveLength(3);
  });

  it.each([
    ['repeat one another', (): Told => ({ body: { page: 1, total_pages: 5, users: [wire(1)] } })],
    [
      'are empty before the last',
      (index: number): Told => ({ body: { total_pages: 5, users: index === 0 ? [wire(1)] : [] } }),
    ],
  ])('are given up when the pages %s', async (_what, told) => {
    const desk = await open(told);
    expect(await errorOf(desk.users.listAll({}, going))).toMatchObject({ code: 'API_PAGING' });
    expect(desk.asked()).toHaveLength(2);
  });
});

describe('creating a user', () => {
  const phone = { firstName: 'Ann', lastName: 'Lee', phoneNumber: '+4930123' } as const;

  it.each([
    [
      { loginType: 'PHONE_NUMBER', ...phone },
      { login_type: 'PHONE_NUMBER', first_name: 'Ann', last_name: 'Lee', phone_number: '+4930123' },
    ],
    [
      { loginType: 'PHONE_NUMBER', ...phone, role: 'staff', isActive: false, sendInvitation: true },
      {
        login_type: 'PHONE_NUMBER',
        first_name: 'Ann',
        last_name: 'Lee',
        phone_number: '+4930123',
        role: 'staff',
        is_active: false,
        send_invitation: true,
      },
    ],
    [
      { loginType: 'DEVICE', name: 'Gate tablet', deviceId: 'd-1', isActive: true },
      { login_type: 'DEVICE', name: 'Gate tablet', device_id: 'd-1', is_active: true },
    ],
  ] satisfies [NewUser, object][])('sends %o as %o', async (user, body) => {
    const desk = await open({ status: 201, body: { user: wire(1) } });
    await valueOf(desk.users.create(user, going));
    expect(desk.asked()).toEqual(['POST /users']);
    expect(desk.sent()).toEqual([body]);
  });

  it.each([200, 201])('brings the temporary password of a new user (HTTP %i)', async (status) => {
    const told = wire(1, { first_name: 'Ann', last_name: 'Lee', temp_password: 's3cret' });
    const desk = await open({ status, body: { user: told } });
    expect(await valueOf(desk.users.create({ loginType: 'PHONE_NUMBER', ...phone }, going))).toEqual({
      user: { id: 1, loginType: 'PHONE_NUMBER', firstName: 'Ann', lastName: 'Lee' },
      temporaryPassword: 's3cret',
      wasExisting: false,
      keptFields: [],
    });
  });

  it('tells a device that was there before by its age on the clock of the service', async () => {
    // The service's clock is in 2031: a user created a minute ago there may be the one just requested
    const date = 'Wed, 01 Jan 2031 12:00:00 GMT';
    const device: NewUser = { loginType: 'DEVICE', name: 'Tablet', deviceId: 'd-1' };
    const made = async (created_at: string) => {
      const user = { id: 1, login_type: 'DEVICE', name: 'Tablet', created_at };
      const desk = await open({ status: 201, body: { user }, headers: { date } });
      return (await valueOf(desk.users.create(device, going))).wasExisting;
    };
    expect(await made('2031-01-01T11:59:59.000Z')).toBe(false);
    expect(await made('2031-01-01T11:50:00.000Z')).toBe(true);
    expect(await made('2026-01-01T00:00:00.000Z')).toBe(true);
  });
});

it('a list is shown, its ids whole, where counters and ids are beyond 2^53', async () => {
  const text =
    '{"users":[{"id":9007199254740993,"login_type":"DEVICE"}],"page":1,"total_pages":1,"total_count":90071992547409931}';
  const desk = await open({ text });
  const page = await valueOf(desk.users.listPage({}, { page: 1, perPage: 100 }, going));
  expect(page).toMatchObject({ totalPages: 1, totalCount: 1, users: [{ id: '9007199254740993' }] });
});

describe('one user', () => {
  it('is read and removed by id', async () => {
    const desk = await open({ body: { user: wire(1) } });
    expect(await valueOf(desk.users.get('a/b', going))).toMatchObject({ id: 1 });
    expect(await valueOf(desk.users.remove(1, going))).toMatchObject({ id: 1 });
    expect(desk.asked()).toEqual(['GET /users/a%2Fb', 'DELETE /users/1']);
  });

  it('that is not there is to be looked for in the list', async () => {
    const desk = await open(missingBelow(wire(2)));
    const failure = await errorOf(desk.users.remove(1, going));
    expect(failure).toMatchObject({ code: 'NOT_FOUND', detail: 'User not found' });
    expect(failure.advice).toContain('Refresh the list');
  });
});

const users = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

const asked = { page: 2, perPage: 10 };

const counters = (count: number, told: Parameters<typeof countUsers>[1]) => {
  const { page, perPage, totalPages, responseCount, totalCount } = countUsers(users(count), told, asked);
  return [page, perPage, totalPages, responseCount, totalCount];
};

describe('the counters of a page of users', () => {
  it.each([
    [
      'are those of the service',
      3,
      { page: 4, per_page: 5, total_pages: 6, response_count: 7, total_count: 8 },
      [4, 5, 6, 7, 8],
    ],
    ['follow from the total', 10, { total_count: 31 }, [2, 10, 4, 10, 31]],
    ['follow from nothing on a full page: one more comes', 10, {}, [2, 10, 3, 10, 20]],
    ['follow from nothing on a page that is not full: it is the last', 3, { page: null }, [2, 10, 2, 3, 13]],
    ['survive a page size of 0', 3, { per_page: 0, total_count: 3 }, [2, 0, 3, 3, 3]],
  ])('%s', (_what, count, told, expected) => {
    expect(counters(count, told)).toEqual(expected);
  });
});
