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

/** A person who answers; what was asked is kept. */
function person(typed: string | undefined) {
  const asked: string[] = [];
  const askPerson = (question: string) => {
    asked.push(question);
    return Promise.resolve(typed);
  };
  return { asked, askPerson };
}

test('--yes deletes without a question', async () => {
  const { askPerson, asked } = person('no');
  const { exit, stdout, calls } = await runLine('users delete 7 --yes', { askPerson });
  expect(calls).toEqual([['users.remove', '7']]);
  expect([exit, stdout, asked]).toEqual([0, 'Ada Lovelace (user 7) was deleted.\n', []]);
});

test('without a terminal and without --yes it refuses before it asks the service anything', async () => {
  const { exit, stderr, stdout, calls } = await runLine('users delete 7');
  expect([exit, stdout, calls]).toEqual([2, '', []]);
  expect(stderr).toBe('users delete asks before it deletes, and there is no terminal. Add --yes.\n');
});

test('at a terminal it names the user and the better way, and wants the name typed', async () => {
  const { askPerson, asked } = person(' Ada Lovelace ');
  const line = 'users delete 7 --config vms-export-agent.json';
  const { exit, calls } = await runLine(line, { askPerson });
  expect(asked).toEqual([
    `Ada Lovelace (user 7) will be deleted permanently.
For users with history, end their access instead and keep the rest:
  vms-export-agent users deactivate 7 --config vms-export-agent.json
Type the name "Ada Lovelace" to delete: `,
  ]);
  expect(calls.map(([name]) => name)).toEqual(['users.get', 'users.remove']);
  expect(exit).toBe(0);
});

test.each(['ada lovelace', 'yes', '', undefined])('deletes nothing when %j is typed', async (typed) => {
  const { exit, stdout, stderr, calls } = await runLine('users delete 7', person(typed));
  expect(calls.map(([name]) => name)).toEqual(['users.get']);
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toBe('CANCELLED: The name was not typed. Nothing was deleted.\n');
});

test('a name is typed as it is shown, in whichever form its accents come', async () => {
  const users = [{ ...ada, firstName: 'Jos\u00e9\u202e', lastName: 'X' }];
  const { calls } = await runLine('users delete 7', { ...person('Jose\u0301<U+202E> X'), users });
  expect(calls.map(([name]) => name)).toEqual(['users.get', 'users.remove']);
});

test('a user without a name is known by what there is', async () => {
  const { askPerson, asked } = person('7');
  expect(await runLine('users delete 7', { askPerson, users: [{ id: 7 }] })).toMatchObject({ exit: 0 });
  expect(asked[0]).toMatch(/^User 7 will be deleted/);
});

test('asks nobody about a user whom the service does not know', async () => {
  const { askPerson, asked } = person('Ada Lovelace');
  const { exit } = await runLine('users delete 7', { askPerson, failure: failure('NOT_FOUND') });
  expect([exit, asked]).toEqual([1, []]);
});

test('--json gives the deleted user', async () => {
  const { stdout } = await runLine('users delete 7 --yes --json');
  expect(JSON.parse(stdout)).toEqual(ada);
});
