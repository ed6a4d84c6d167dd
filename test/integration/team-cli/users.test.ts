import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { displayName, type PhoneUser, type ServiceUser } from '../../simulator/team/team.ts';
import { openDesk } from './team-desk.ts';

type Desk = Awaited<ReturnType<typeof openDesk>>;

const isPhone = (user: ServiceUser): user is PhoneUser => user.login_type === 'PHONE_NUMBER';

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not in the sample');
  return value;
}

const userOf = ({ simulator }: Desk, id: string) => simulator.team().users.find((user) => user.id === id);
const member = ({ simulator }: Desk) =>
  found(simulator.team().users.find((user) => user.is_active && isPhone(user)));

test('lists all users of the team over all pages, and the inactive ones when asked', async () => {
  const { simulator, runLine } = await openDesk();
  const { users } = simulator.team();
  const active = await runLine('users list --json');
  expect(JSON.parse(active.stdout)).toHaveLength(users.filter((user) => user.is_active).length);
  const all = await runLine('users list --inactive');
  for (const { id } of users) expect(all.stdout).toContain(id);
  expect(all.lines.at(-1)).toMatch(new RegExp(`^${users.length} users, \\d+ inactive\\.$`));
});

test('lists one page, and by phone number or device', async () => {
  const desk = await openDesk();
  const page = await desk.runLine('users list --page 2 --per-page 7 --json');
  expect(JSON.parse(page.stdout)).toMatchObject({ page: 2, perPage: 7, users: { length: 7 } });
  const { id, phone_number } = member(desk);
  const one = await desk.runLine(`users list --phone ${phone_number} --phone +19995550100 --json`);
  expect(JSON.parse(one.stdout)).toMatchObject([{ id }]);
});

test('no name of the team steers a terminal or starts a formula', async () => {
  const { simulator, runLine } = await openDesk();
  const evil = simulator.team().users.map((user) => displayName(user));
  expect(evil.filter((name) => name.includes('\u202e'))).not.toEqual([]);
  expect(evil.filter((name) => name.startsWith('='))).not.toEqual([]);
  for (const format of ['', ' --json', ' --csv']) {
    const { stdout } = await runLine(`users list --inactive${format}`);
    expect(stdout).not.toMatch(/[^\P{Cc}\n\r\t]|[\u202a-\u202e\u2066-\u2069]/u);
    const cells = format === ' --csv' ? Papa.parse<string[]>(stdout.slice(1)).data.flat() : [];
    expect(cells.filter((cell) => /^[=+@\-\t\r\n]/.test(cell))).toEqual([]);
  }
});

test('creates a user, shows the temporary password once, and sends the invitation', async () => {
  const { simulator, runLine } = await openDesk();
  const line =
    'users create --phone +14155550199 --first-name Ada --last-name Lovelace --invite --role staff';
  const { exit, stdout, stderr } = await runLine(line);
  expect(exit).toBe(0);
  const [, password = ''] = /^ {2}Temporary password: (\S+)$/m.exec(stdout) ?? [];
  expect(password.length).toBeGreaterThan(5);
  expect(stdout.split(password)).toHaveLength(2);
  expect(stderr).not.toContain(password);
  expect(simulator.team().users.at(-1)).toMatchObject({ first_name: 'Ada', role: 'staff', is_active: true });
  expect(simulator.invitations()).toHaveLength(1);
});

test('a refused creation says which fields, in the words of the service', async () => {
  const { runLine, simulator } = await openDesk();
  simulator.faults.add({
    match: { call: 'createUser' },
    action: {
      kind: 'answer',
      status: 422,
      body: { status: 422, message: "Validation failed: Name can't be blank, Device has already been taken" },
      when: 'before',
    },
  });
  const { exit, stdout, stderr } = await runLine('users create --device d1 --name Gate');
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^VALIDATION: .*Validation failed: Name can't be blank, Device has already been taken/,
  );
});

test('someone whom the service knows is added with the names that are there; the command that is named changes them', async () => {
  const desk = await openDesk();
  const outsider = found(desk.simulator.team().outsiders.find(isPhone));
  const words = ['users', 'create', '--phone', outsider.phone_number];
  const { exit, lines } = await desk.run([...words, '--first-name', "O'Neill", '--last-name', 'de la Tour']);
  expect(exit).toBe(0);
  expect(lines[0]).toMatch(/ already exists in the service and was added to the team\.$/);
  expect(userOf(desk, outsider.id)).toMatchObject({ first_name: outsider.first_name });

  const [command, input] = lines.slice(-2).map((line) => line.trim());
  // Other accounts of the PC can see arguments, so they contain no name
  expect(command).toBe(`vms-export-agent users update ${outsider.id} --stdin`);
  const update = ['users', 'update', outsider.id, '--stdin'];
  expect(await desk.run(update, { input: found(input) })).toMatchObject({ exit: 0 });
  expect(userOf(desk, outsider.id)).toMatchObject({ first_name: "O'Neill", last_name: 'de la Tour' });
});

test('an update changes what is given and nothing else, by the method of the settings', async () => {
  const desk = await openDesk({ userUpdateMethod: 'PUT' });
  const user = member(desk);
  const line = `users update ${user.id} --last-name Other`;
  const refused = await desk.runLine(line);
  expect(refused).toMatchObject({ exit: 1, stdout: '' });
  expect(refused.stderr).toMatch(/^METHOD_REFUSED: .*users\.updateMethod/);
  expect(await desk.runLine(line, { settings: { users: { updateMethod: 'PUT' } } })).toMatchObject({
    exit: 0,
  });
  expect(userOf(desk, user.id)).toEqual({ ...user, last_name: 'Other', updated_at: expect.any(String) });
});

test('a deactivated user is out of the list and still there', async () => {
  const desk = await openDesk();
  const { id } = member(desk);
  expect(await desk.runLine(`users deactivate ${id}`)).toMatchObject({ exit: 0 });
  expect(userOf(desk, id)).toMatchObject({ is_active: false });
  expect((await desk.runLine('users list')).stdout).not.toContain(id);
  expect((await desk.runLine(`users get ${id}`)).stdout).toContain('○ Inactive');
});

test('deletes when the name is typed, and not otherwise', async () => {
  const desk = await openDesk();
  const user = member(desk);
  const line = `users delete ${user.id}`;
  const wrong = await desk.runLine(line, { prompt: () => Promise.resolve('someone') });
  expect([wrong.exit, userOf(desk, user.id)]).toEqual([1, user]);
  const right = await desk.runLine(line, { prompt: () => Promise.resolve(displayName(user)) });
  expect([right.exit, userOf(desk, user.id)]).toEqual([0, undefined]);
  const gone = await desk.runLine(`users get ${user.id}`);
  expect(gone.exit).toBe(1);
  expect(gone.stderr).toMatch(/^NOT_FOUND: .*User not found/);
});

test('a page beyond the last is said to be none', async () => {
  const { simulator, runLine } = await openDesk();
  const pages = Math.ceil(simulator.team().users.length / 2);
  const { exit, stdout, stderr } = await runLine('users list --inactive --page 999 --per-page 2');
  expect([exit, stdout]).toEqual([1, '']);
  expect(stderr).toBe(`NOT_FOUND: There is no page 999; the list has ${pages} pages.\n`);
});
