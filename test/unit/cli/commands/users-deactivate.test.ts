import { expect, test } from 'vitest';
import { ada } from '../fake-team.ts';
import { runLine } from '../run-line.ts';

test('deactivates', async () => {
  const { lines, calls, exit } = await runLine('users deactivate 7');
  expect(calls).toEqual([['users.update', '7', { isActive: false }]]);
  expect(lines[0]).toBe('Ada Lovelace can no longer sign in.');
  expect(lines).toContain('  State     ○ Inactive');
  expect(exit).toBe(0);
});

test('does not say that a user is out when the service says otherwise', async () => {
  const { lines } = await runLine('users deactivate 7', { updated: ada });
  expect(lines[0]).toBe('The service accepted the change, but reports that Ada Lovelace is still active.');
});
