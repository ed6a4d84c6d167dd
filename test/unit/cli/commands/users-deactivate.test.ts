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

test('does not say that a user is out when the service does not say so', async () => {
  const { isActive: _unsaid, ...updated } = ada;
  const { lines } = await runLine('users deactivate 7', { updated });
  expect(lines[0]).toBe(
    'The service accepted the change, but did not say whether Ada Lovelace is still active.',
  );
});
