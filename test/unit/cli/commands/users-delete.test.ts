import { expect, test } from 'vitest';
import { failure } from '../fake-deps.ts';
import { ada } from '../fake-team.ts';
import { runLine } from '../run-line.ts';

/** A person who types an answer; records the questions. */
function person(typed: string | undefined) {
  const asked: string[] = [];
  const prompt = (question: string) => {
    asked.push(question);
    return Promise.resolve(typed);
  };
  return { asked, prompt };
}

test('--yes deletes without a question', async () => {
  const { prompt, asked } = person('no');
  const { exit, stdout, calls } = await runLine('users delete 7 --yes', { prompt });
  expect(calls).toEqual([['users.remove', '7']]);
  expect([exit, stdout, asked]).toEqual([0, 'Ada Lovelace (user 7) was deleted.\n', []]);
});

test('without a terminal and without --yes it refuses before it asks the service anything', async () => {
  const { exit, stderr, stdout, calls } = await runLine('users delete 7');
  expect([exit, stdout, calls]).toEqual([2, '', []]);
  expect(stderr).toBe(
    'users delete asks for confirmation, but there is no terminal. To delete without asking, add --yes.\n',
  );
});

test('--json says so on stdout as well', async () => {
  const { exit, stdout } = await runLine('users delete 7 --json');
  expect(exit).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    event: 'error',
    code: 'CALL_INPUT',
    advice: 'To delete without asking, add --yes.',
  });
});

test('at a terminal it names the user and the better way, and wants the name typed', async () => {
  const { prompt, asked } = person(' Ada Lovelace ');
  const line = 'users delete 7 --config vms-export-agent.json';
  const { exit, calls } = await runLine(line, { prompt });
  expect(asked).toEqual([
    `Ada Lovelace (user 7) will be deleted permanently.
To keep the history of this user, deactivate them instead:
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
  expect(stderr).toBe('CANCELLED: The name was not typed as shown. Nothing was deleted.\n');
});

test('a name is typed as it is shown, in whichever form its accents come', async () => {
  const users = [{ ...ada, firstName: 'Jos\u00e9\u202e', lastName: 'X' }];
  const { calls } = await runLine('users delete 7', { ...person('Jose\u0301<U+202E> X'), users });
  expect(calls.map(([name]) => name)).toEqual(['users.get', 'users.remove']);
});

test('a user without a name is known by what there is', async () => {
  const { prompt, asked } = person('7');
  expect(await runLine('users delete 7', { prompt, users: [{ id: 7 }] })).toMatchObject({ exit: 0 });
  expect(asked[0]).toMatch(/^User 7 will be deleted/);
});

test('asks nobody about a user whom the service does not know', async () => {
  const { prompt, asked } = person('Ada Lovelace');
  const { exit } = await runLine('users delete 7', { prompt, failure: failure('NOT_FOUND') });
  expect([exit, asked]).toEqual([1, []]);
});

test('--json gives the deleted user', async () => {
  const { stdout } = await runLine('users delete 7 --yes --json');
  expect(JSON.parse(stdout)).toEqual(ada);
});
