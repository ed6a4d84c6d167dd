import { expect, test } from 'vitest';
import { failure } from '../fake-deps.ts';
import { ada } from '../fake-team.ts';
import { runLine } from '../run-line.ts';

test('shows a user, a line for each thing that is known', async () => {
  const { exit, lines, calls } = await runLine('users get 7');
  expect(lines).toEqual([
    'Ada Lovelace',
    '  ID        7',
    '  Login     +14155550100',
    '  Role      member',
    '  State     ✓ Active',
    '  Email     ada@example.com',
    '  Created   2026-01-02 03:04 UTC',
    '  Updated   2026-05-01 19:30 UTC',
  ]);
  expect(calls).toEqual([['users.get', '7']]);
  expect(exit).toBe(0);
});

test('leaves out what is not known, and makes visible what is', async () => {
  const { lines } = await runLine('users get 7', { users: [{ id: 7, name: '\u202eGate\n' }] });
  expect(lines).toEqual(['<U+202E>Gate␊', '  ID        7']);
});

test('updates what is given, and shows the user as it is then', async () => {
  const { lines, calls } = await runLine('users update 7 --role staff --first-name Augusta');
  expect(calls).toEqual([['users.update', '7', { firstName: 'Augusta', role: 'staff' }]]);
  expect(lines).toContain('Augusta Lovelace');
  expect(lines).toContain('  Role      staff');
});

test('deactivates', async () => {
  const { lines, calls, exit } = await runLine('users deactivate 7');
  expect(calls).toEqual([['users.update', '7', { isActive: false }]]);
  expect(lines[0]).toBe('Ada Lovelace can no longer sign in.');
  expect(lines).toContain('  State     ○ Inactive');
  expect(exit).toBe(0);
});

test.each(['get', 'deactivate', 'update --role staff'])(
  'users %s --json gives one object',
  async (command) => {
    const { stdout } = await runLine(`users ${command} 7 --json`);
    expect(JSON.parse(stdout)).toMatchObject({ id: 7, firstName: 'Ada' });
  },
);

test('a user whom the service does not know ends with 1', async () => {
  expect(await runLine('users get 99', { failure: failure('NOT_FOUND') })).toMatchObject({
    exit: 1,
    stdout: '',
  });
});

test('does not say that a user is out when the service says otherwise', async () => {
  const { lines } = await runLine('users deactivate 7', { updated: ada });
  expect(lines[0]).toBe('The service accepted the change, but reports that Ada Lovelace is still active.');
});

test('takes the changes from standard input, where no other account can list them', async () => {
  const input = '{"phone": "+14155550199", "last-name": "King", "inactive": true}';
  const { exit, calls } = await runLine('users update 7 --stdin', { input });
  expect(calls).toEqual([
    ['users.update', '7', { phoneNumber: '+14155550199', lastName: 'King', isActive: false }],
  ]);
  expect(exit).toBe(0);
});

test.each([
  ['nothing to change', 'users update 7 --stdin', '{}'],
  ['an option as well', 'users update 7 --stdin --role staff', '{"last-name": "King"}'],
  ['an unknown member', 'users update 7 --stdin', '{"nick": "A"}'],
  ['two answers', 'users update 7 --stdin', '{"active": true, "inactive": true}'],
])('changes nobody from standard input with %s', async (_, line, input) => {
  expect(await runLine(line, { input })).toMatchObject({ exit: 2, calls: [] });
});
