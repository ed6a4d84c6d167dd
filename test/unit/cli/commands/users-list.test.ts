import { expect, test } from 'vitest';
import { ada } from '../fake-team.ts';
import { runLine } from '../run-line.ts';

const gate = {
  id: 'd-9',
  loginType: 'DEVICE',
  deviceId: 'watch-17',
  phoneNumber: '',
  name: '北门 1',
  isActive: false,
  role: 'staff',
} as const;

test('lists all users with their login, role and state', async () => {
  const { exit, lines, calls } = await runLine('users list --inactive', { users: [ada, gate, { id: 3 }] });
  expect(lines).toEqual([
    'ID   NAME          LOGIN         STATE       ROLE    EMAIL',
    '7    Ada Lovelace  +14155550100  ✓ Active    member  ada@example.com',
    'd-9  北门 1        watch-17      ○ Inactive  staff',
    '3    3',
    '',
    '3 users, 1 inactive.',
  ]);
  expect(calls).toEqual([['users.listAll', { includeInactive: true }]]);
  expect(exit).toBe(0);
});

test('lists one page and says which', async () => {
  const page = { page: 2, totalPages: 3, totalCount: 21 };
  const { lines, calls } = await runLine('users list --page 2 --per-page 10', { page });
  expect(lines.at(-1)).toBe('Page 2 of 3: 1 of 21 users.');
  expect(calls).toEqual([['users.listPage', {}, { page: 2, perPage: 10 }]]);
});

test('says that there are none', async () => {
  expect(await runLine('users list', { users: [] })).toMatchObject({ stdout: 'No users.\n' });
});

test('--json gives a list, or a page with its counts', async () => {
  const all = await runLine('users list --json', { users: [ada, gate] });
  expect(JSON.parse(all.stdout)).toEqual([ada, gate]);
  const page = await runLine('users list --json --page 1', { users: [ada, gate] });
  expect(JSON.parse(page.stdout)).toMatchObject({ page: 1, totalPages: 1, users: [ada, gate] });
});

test('--csv guards phone numbers and names that look like formulas', async () => {
  const evil = { id: 4, firstName: "=cmd|'/c calc'!A1", lastName: '"x"', phoneNumber: '+14155550104' };
  const { stdout } = await runLine('users list --csv', { users: [evil] });
  expect(stdout).toBe(
    '\ufeff"id","loginType","phoneNumber","deviceId","firstName","lastName","name","email","isActive","role","createdAt","updatedAt"\r\n' +
      `"4","","'+14155550104","","'=cmd|'/c calc'!A1","""x""","","","","","",""\r\n`,
  );
});

test('hostile names steer no terminal, in no form', async () => {
  const evil = {
    id: '\u001b]0;x\u0007',
    firstName: '\u202eevil\u001b[2J',
    email: 'a\r\nb',
    role: '\u009b2J',
  };
  for (const format of ['', ' --json', ' --csv']) {
    const { stdout } = await runLine(`users list${format}`, { users: [evil] });
    expect(stdout).not.toMatch(/[^\P{Cc}\n\r]|[\u202e\ufffd]/u);
  }
});

test('leaves columns out at 80 characters rather than cutting ids, and says so', async () => {
  const id = '352c79ad-b992-5fc4-b0e4-131c6a5bf3dc';
  const users = [{ ...ada, id, isActive: false }];
  const { lines } = await runLine('users list', { users, columns: 80 });
  expect(lines).toEqual([
    'ID                                    NAME          LOGIN         STATE',
    `${id}  Ada Lovelace  +14155550100  ○ Inactive`,
    '',
    'Not shown at this width: ROLE, EMAIL. --json shows everything.',
    '1 user, 1 inactive.',
  ]);
});

test('needs no column of states when all users are active', async () => {
  const { lines } = await runLine('users list', { users: [ada] });
  expect(lines[0]).toBe('ID  NAME          LOGIN         ROLE    EMAIL');
});

test('takes numbers and devices from standard input, where no other account can list them', async () => {
  const input = '{"phone": ["+14155550100", "+14155550101"], "device": ["watch-17"]}';
  const { exit, calls } = await runLine('users list --stdin --inactive', { input, users: [ada] });
  const wanted = { phoneNumbers: ['+14155550100', '+14155550101'], deviceIds: ['watch-17'] };
  expect(calls).toEqual([['users.listAll', { includeInactive: true, ...wanted }]]);
  expect(exit).toBe(0);
});

test.each([
  ['a text for a list', 'users list --stdin', '{"phone": "+14155550100"}'],
  ['an option as well', 'users list --stdin --phone +14155550100', '{"device": []}'],
])('asks for nobody from standard input with %s', async (_, line, input) => {
  expect(await runLine(line, { input })).toMatchObject({ exit: 2, calls: [] });
});
