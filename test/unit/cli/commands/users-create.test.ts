import { expect, test } from 'vitest';
import { ada } from '../fake-team.ts';
import { runLine, runWords } from '../run-line.ts';

const createAda = 'users create --phone +14155550100 --first-name Ada --last-name Lovelace';
const password = 'x9!https://a.example/?sig=1';

test('creates a user and shows the temporary password once, on stdout', async () => {
  const created = { user: ada, temporaryPassword: password };
  const { exit, stdout, stderr, calls } = await runLine(`${createAda} --invite`, { created });
  expect(calls).toEqual([
    [
      'users.create',
      {
        loginType: 'PHONE_NUMBER',
        phoneNumber: '+14155550100',
        firstName: 'Ada',
        lastName: 'Lovelace',
        sendInvitation: true,
      },
    ],
  ]);
  expect(stdout).toMatch(/^Ada Lovelace\n {2}ID {8}7\n/);
  expect(stdout.split(password)).toHaveLength(2);
  expect(stdout).toContain(`  Temporary password: ${password}\n`);
  expect(stderr).toBe(
    'The temporary password is shown only once and is not stored. It must be changed at the first sign-in.\n',
  );
  expect(exit).toBe(0);
});

test('--json has the password as a field, and the note stays on stderr', async () => {
  const created = { user: ada, temporaryPassword: password };
  const { stdout, stderr } = await runLine(`${createAda} --json`, { created });
  expect(JSON.parse(stdout)).toEqual({
    user: ada,
    temporaryPassword: password,
    wasExisting: false,
    keptFields: [],
  });
  expect(stderr).not.toContain(password);
});

test('has no note where there is no password', async () => {
  const { stderr, stdout } = await runLine('users create --device d --name Gate');
  expect(stderr).toBe('');
  expect(stdout).not.toContain('password');
});

test('says that a user was known already, what was kept, and how to change it', async () => {
  const words = ['users', 'create', '--phone', '+14155550100', '--first-name', "O'Ada", '--last-name=-L'];
  const options = ['--role', 'admin', '--inactive', '--config', 'vms-export-agent.json'];
  const { ended } = await runWords([...words, ...options], {
    created: {
      user: ada,
      wasExisting: true,
      keptFields: [
        { name: 'firstName', asked: "O'Ada", kept: 'Ada' },
        { name: 'lastName', asked: '-L', kept: 'Lovelace' },
        { name: 'role', asked: 'admin', kept: 'member' },
        { name: 'isActive', asked: 'false', kept: 'true' },
      ],
    },
  });
  const { lines, stderr } = await ended;
  expect(lines[0]).toBe('Ada Lovelace already exists in the service and was added to the team.');
  expect(lines.slice(lines.indexOf('Not changed:'))).toEqual([
    'Not changed:',
    `  first name "Ada" (requested: "O'Ada")`,
    '  last name "Lovelace" (requested: "-L")',
    '  role "member" (requested: "admin")',
    '  active (requested: inactive)',
    'To change this, run the following command, paste the line below it, press Enter, then Ctrl+D:',
    // Other accounts can list arguments, so they contain no name
    '  vms-export-agent users update 7 --stdin --config vms-export-agent.json',
    `  {"first-name":"O'Ada","last-name":"-L","role":"admin","inactive":true}`,
  ]);
  expect(stderr).toBe('');
});

test('the command that it names is one that this program takes', async () => {
  const kept = { name: 'role', asked: 'admin', kept: 'member' } as const;
  const { lines } = await runLine(createAda, {
    created: { user: { ...ada, id: '-7' }, wasExisting: true, keptFields: [kept] },
  });
  const [line = '', input = ''] = lines.slice(-2).map((each) => each.trim());
  expect(line).toBe('vms-export-agent users update --stdin -- -7');
  const { calls } = await runLine(line.slice('vms-export-agent '.length), { input });
  expect(calls).toEqual([['users.update', '-7', { role: 'admin' }]]);
});

test('reads a user from standard input, where no other account can list it', async () => {
  const input = '{"phone": "+14155550100", "first-name": "Ada", "last-name": "Lovelace", "inactive": true}';
  const { exit, calls } = await runLine('users create --stdin --json', { input, created: { user: ada } });
  expect(calls).toEqual([
    [
      'users.create',
      {
        loginType: 'PHONE_NUMBER',
        phoneNumber: '+14155550100',
        firstName: 'Ada',
        lastName: 'Lovelace',
        isActive: false,
      },
    ],
  ]);
  expect(exit).toBe(0);
});

test.each([
  ['no JSON', 'users create --stdin', 'Ada'],
  ['an unknown member', 'users create --stdin', '{"phone": "+14155550100", "nick": "A"}'],
  ['a member of another kind', 'users create --stdin', '{"device": 5, "name": "Gate"}'],
  ['an option as well', 'users create --stdin --name Gate', '{"device": "d", "name": "Gate"}'],
  ['too little', 'users create --stdin', '{"device": "d"}'],
])('creates nobody from standard input with %s', async (_, line, input) => {
  expect(await runLine(line, { input })).toMatchObject({ exit: 2, calls: [] });
});
