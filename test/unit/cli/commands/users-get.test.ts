import { expect, test } from 'vitest';
import { failure } from '../fake-deps.ts';
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
