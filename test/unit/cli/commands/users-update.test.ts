import { expect, test } from 'vitest';
import { runLine } from '../run-line.ts';

test('updates what is given, and shows the user as it is then', async () => {
  const { lines, calls } = await runLine('users update 7 --role staff --first-name Augusta');
  expect(calls).toEqual([['users.update', '7', { firstName: 'Augusta', role: 'staff' }]]);
  expect(lines).toContain('Augusta Lovelace');
  expect(lines).toContain('  Role      staff');
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
