import { expect, test } from 'vitest';
import { commands } from '../../../electron/cli/commands.ts';
import { parseLine } from './parse-line.ts';

const words = (line: string): string[] => line.split(' ');
const phoneUser = {
  loginType: 'PHONE_NUMBER',
  phoneNumber: '+14155550100',
  firstName: 'Ada',
  lastName: 'L',
} as const;

test.each<[string, object]>([
  ['periods', { kind: 'periods', range: {}, format: 'text' }],
  [
    'periods --from 2026-05-01 --to 2026-05-01 --json',
    {
      kind: 'periods',
      range: { startAt: '2026-05-01T00:00:00.000Z', endAt: '2026-05-01T23:59:59.999Z' },
      format: 'json',
    },
  ],
  [
    'periods --from 2026-05-01T01:00+02:00 --csv --config a.json',
    { kind: 'periods', range: { startAt: '2026-04-30T23:00:00.000Z' }, format: 'csv', config: 'a.json' },
  ],
  ['actions 12', { kind: 'actions', periodId: '12', formFields: [], format: 'text' }],
  [
    'actions 12 --form-field budget --form-field department --form-field budget',
    { kind: 'actions', periodId: '12', formFields: ['budget', 'department'], format: 'text' },
  ],
  [
    'message --channel 5 Hello',
    { kind: 'message', message: { kind: 'channel', channelId: '5', content: 'Hello' }, json: false },
  ],
  [
    'message --channel 5 --image https://a.example/b.gif --image-type gif',
    {
      kind: 'message',
      message: { kind: 'channel', channelId: '5', image: { url: 'https://a.example/b.gif', type: 'gif' } },
      json: false,
    },
  ],
  [
    'message --direct 6 --as 7 --parent 8 --json -- -x',
    {
      kind: 'message',
      message: { kind: 'direct', channelId: '6', content: '-x', userId: '7', parentId: '8' },
      json: true,
    },
  ],
  [
    'message --channel 5 --terse --image https://a.example/b.PNG --image-type PNG Hello',
    {
      kind: 'message',
      message: {
        kind: 'channel',
        channelId: '5',
        content: 'Hello',
        tersePush: true,
        image: { url: 'https://a.example/b.PNG', type: 'png' },
      },
      json: false,
    },
  ],
  ['users list', { kind: 'users list', filter: {}, format: 'text' }],
  [
    'users list --page 2 --inactive --phone +14155550100 --phone +14155550101 --device d1',
    {
      kind: 'users list',
      filter: {
        includeInactive: true,
        phoneNumbers: ['+14155550100', '+14155550101'],
        deviceIds: ['d1'],
      },
      paging: { page: 2, perPage: 100 },
      format: 'text',
    },
  ],
  [
    'users list --per-page 5',
    { kind: 'users list', filter: {}, paging: { page: 1, perPage: 5 }, format: 'text' },
  ],
  [
    'users list --page 1 --per-page 10 --csv',
    { kind: 'users list', filter: {}, paging: { page: 1, perPage: 10 }, format: 'csv' },
  ],
  ['users get 7 --json', { kind: 'users get', userId: '7', json: true }],
  ['users --config a.json get 7', { kind: 'users get', userId: '7', json: false, config: 'a.json' }],
  [
    'users create --phone +14155550100 --first-name Ada --last-name L --invite --role Staff --inactive',
    {
      kind: 'users create',
      user: { ...phoneUser, sendInvitation: true, role: 'staff', isActive: false },
      json: false,
    },
  ],
  [
    'users create --device d1 --name Gate --json',
    { kind: 'users create', user: { loginType: 'DEVICE', deviceId: 'd1', name: 'Gate' }, json: true },
  ],
  [
    'users update 7 --first-name Ada --last-name L --phone +14155550100 --role admin --active',
    {
      kind: 'users update',
      userId: '7',
      changes: {
        firstName: 'Ada',
        lastName: 'L',
        phoneNumber: '+14155550100',
        role: 'admin',
        isActive: true,
      },
      json: false,
    },
  ],
  [
    'users update 7 --name Gate --device d2 --inactive',
    {
      kind: 'users update',
      userId: '7',
      changes: { name: 'Gate', deviceId: 'd2', isActive: false },
      json: false,
    },
  ],
  ['users deactivate 7', { kind: 'users deactivate', userId: '7', json: false }],
  ['users delete 7', { kind: 'users delete', userId: '7', yes: false, json: false }],
  ['users delete --yes --json -- -7', { kind: 'users delete', userId: '-7', yes: true, json: true }],
  ['help users', { kind: 'help', about: 'users' }],
  ['users -h', { kind: 'help', about: 'users' }],
  ['users lst -h', { kind: 'help', about: 'users' }],
  ['help users list', { kind: 'help', about: 'users list' }],
  ['users update --help', { kind: 'help', about: 'users update' }],
])('understands %j', (line, command) => {
  expect(parseLine(words(line))).toEqual({ ok: true, value: command });
});

/** Names of the commands that have an option, in the order of the help. */
const namesWith = (option: string): string =>
  commands
    .filter(({ options }) => Object.hasOwn(options, option))
    .map(({ name }) => name)
    .join(', ');

const create = 'users create --phone +14155550100 --first-name Ada';

test.each<[readonly string[], string, string?]>([
  [words('periods may'), 'periods does not take "may".'],
  [words('periods --from yesterday'), '--from must be a date like 2026-05-01 or a time like'],
  [words('periods --to 2026-02-30'), '--to is not a valid date or time.'],
  [words('periods --from 2026-05-01T10:00'), '--from must end in Z or an offset'],
  [words('periods --from 2026-05-02 --to 2026-05-01'), '--from is later than --to.'],
  [words('periods --json --csv'), '--json and --csv cannot be used together.'],
  [words('periods --from 2026-05-01 --from 2026-05-02'), '--from can be given only once.'],
  [
    words('periods --data-dir d'),
    '--data-dir is not an option of periods.',
    `It belongs to: ${namesWith('data-dir')}.`,
  ],
  [words('actions'), 'actions needs one period ID.'],
  [words('actions 1 2'), 'actions needs one period ID.'],
  [['actions', ''], 'The ID is blank or too long.'],
  [words('message --channel 5'), 'message needs text or an image.'],
  [words('message --channel 5 two words'), 'The text must be a single argument; put it in quotes.'],
  [['message', '--channel', '5', ' \n'], 'The text is blank.'],
  [
    ['message', '--channel', '5', 'bell\u0007'],
    'The text contains control characters other than tabs and line breaks. Remove them.',
  ],
  [words('message Hello'), 'message needs either --channel or --direct.'],
  [words('message --channel 5 --direct 6 Hello'), 'message needs either --channel or --direct.'],
  [words('message --direct 6 --terse Hello'), '--terse cannot be used with --direct.'],
  [
    words('message --channel 5 --image https://a.example/b Hello'),
    '--image and --image-type must be used together.',
  ],
  [words('message --channel 5 --image-type png Hello'), '--image and --image-type must be used together.'],
  [
    words('message --channel 5 --image https://a.example/b --image-type gfi Hello'),
    '--image-type must be png, jpg or gif, not "gfi".',
    'Did you mean "gif"?',
  ],
  [
    words('message --channel 5 --image http://a.example/b --image-type png Hello'),
    '--image must be a valid address that begins with https://.',
  ],
  ...['HTTPS://a.example/b.png', 'https:a.example/b.png', 'https:/a.example/b.png'].map(
    (url): [string[], string] => [
      words(`message --channel 5 --image ${url} --image-type png Hello`),
      '--image must be a valid address that begins with https://.',
    ],
  ),
  [words('users'), 'users needs one of: list, get, create, update, deactivate, delete.'],
  [words('users lst'), '"lst" is not a command of users.', 'Did you mean "list"?'],
  [words('users remove 7'), '"remove" is not a command of users.'],
  [['users', '\u001b[2J'], '"␛[2J" is not a command of users.'],
  [words('users list 7'), 'users list does not take "7".'],
  [words('users list --page 0'), '--page must be a whole number from 1 to'],
  [words('users list --page -1'), '--page must be a whole number from 1 to'],
  [words('users list --page 1 --per-page 101'), '--per-page must be a whole number from 1 to 100.'],
  [
    words('users list --phone 14155550100'),
    '--phone must be + followed by 4 to 15 digits, country code first',
  ],
  [words('users get'), 'users get needs one user ID.'],
  [
    words('users get 7 --csv'),
    '--csv is not an option of users get.',
    'It belongs to: periods, actions, users list.',
  ],
  [words('users create'), 'users create needs either --phone or --device.'],
  [words('users create --phone +14155550100 --device d'), 'users create needs either --phone or --device.'],
  [words(create), 'users create needs --last-name with --phone.'],
  [words('users create --device d'), 'users create needs --name with --device.'],
  [words(`${create} --last-name L --name N`), '--name cannot be used with --phone.'],
  [words('users create --device d --name N --invite'), '--invite cannot be used with --device.'],
  [
    words('users create --device d --name N --role amdin'),
    '--role must be admin, supervisor, member or staff.',
    'Did you mean "admin"?',
  ],
  [words(`${create} --last-name L --phone +14155550101`), '--phone can be given only once.'],
  [['users', 'create', '--device', 'd', '--name', ' '], '--name is blank.'],
  [words('users create x --device d --name n'), 'users create does not take "x".'],
  [words('users update 7'), 'users update needs at least one field to change.'],
  [words('users update --role staff'), 'users update needs one user ID.'],
  [words('users update 7 --active --inactive'), '--active and --inactive cannot be used together.'],
  [words('users update 7 --phone 0155'), '--phone must be + followed by 4 to 15 digits, country code first'],
  [words('users delete 7 --force'), '--force is not a known option.'],
])('refuses %j', (args, message, advice) => {
  const parsed = parseLine(args);
  expect(parsed).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
  if (advice !== undefined) expect(parsed).toMatchObject({ error: { advice } });
});

const long = 'x'.repeat(1025);

test.each<[string, readonly string[], string]>([
  ['an id', ['actions', long], 'The ID is blank or too long.'],
  ['a form field', ['actions', '1', `--form-field=${long}`], '--form-field can have at most 200 characters.'],
  ['a channel', ['message', '--channel', long, 'Hello'], '--channel is too long.'],
  ['a sender', ['message', '--direct', '1', '--as', long, 'Hello'], '--as is too long.'],
  ['a name', ['users', 'create', '--device', 'd', '--name', long], '--name is too long.'],
])('refuses %s that is too long', (_, args, message) => {
  expect(parseLine(args)).toMatchObject({ ok: false, error: { message } });
});

test.each<[string, readonly string[], number, string]>([
  ['--form-field', ['actions', '1'], 50, '--form-field can be given at most 50 times.'],
  ['--device', ['users', 'list'], 100, 'At most 100 phone numbers and 100 devices can be given.'],
])('takes %s only so often', (option, command, most, message) => {
  const line = (count: number) => [...command, ...Array.from({ length: count }, (_, i) => `${option}=${i}`)];
  expect(parseLine(line(most))).toMatchObject({ ok: true });
  expect(parseLine(line(most + 1))).toMatchObject({ ok: false, error: { message } });
});
