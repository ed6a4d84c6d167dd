import { expect, test } from 'vitest';
import { parseLine } from './parse-line.ts';

const run = {
  kind: 'run',
  once: false,
  console: undefined,
  isDemo: false,
  logLevel: 'warn',
  json: false,
} as const;

test.each<[string, object]>([
  ['run', run],
  ['run --once --json', { ...run, once: true, json: true }],
  ['run --console off', { ...run, console: 'off' }],
  ['run --console=8080', { ...run, console: 8080 }],
  ['run --log-level debug', { ...run, logLevel: 'debug' }],
  ['run --config a.json --data-dir /d', { ...run, config: 'a.json', dataDir: '/d' }],
  ['--config a.json run', { ...run, config: 'a.json' }],
  ['push a b', { kind: 'push', folders: ['a', 'b'], json: false }],
  [
    'push a --title T --description D --incident-at 2026-05-01T19:30:05Z --json',
    {
      kind: 'push',
      folders: ['a'],
      json: true,
      title: 'T',
      description: 'D',
      incidentAt: '2026-05-01T19:30:05.000Z',
    },
  ],
  ['push a b --description D', { kind: 'push', folders: ['a', 'b'], json: false, description: 'D' }],
  ['push --title=-x a', { kind: 'push', folders: ['a'], json: false, title: '-x' }],
  ['push -- -odd --folder', { kind: 'push', folders: ['-odd', '--folder'], json: false }],
  ['status', { kind: 'status', summary: false, json: false }],
  ['status --json --data-dir d', { kind: 'status', summary: false, json: true, dataDir: 'd' }],
  ['retry --all', { kind: 'retry', target: { kind: 'all' } }],
  ['retry 1b4e28ba-2fa1', { kind: 'retry', target: { kind: 'id', id: '1b4e28ba-2fa1' } }],
  ['check --json', { kind: 'check', json: true }],
  ['help', { kind: 'help' }],
  ['--help', { kind: 'help' }],
  ['-h', { kind: 'help' }],
  ['help push', { kind: 'help', about: 'push' }],
  ['push --help', { kind: 'help', about: 'push' }],
  ['run --what -h', { kind: 'help', about: 'run' }],
  ['--version', { kind: 'version' }],
])('understands %j', (line, command) => {
  expect(parseLine(line.split(' '))).toEqual({ ok: true, value: command });
});

test.each<[readonly string[], string, string?]>([
  [[], 'No command was given.'],
  [['statsu'], '"statsu" is not a command.', 'Did you mean "status"?'],
  [['\u001b[2J'], '"␛[2J" is not a command.'],
  [['--onc'], '--onc is not a known option.', 'Did you mean --once?'],
  [['run', '--cofnig', 'x'], '--cofnig is not a known option.', 'Did you mean --config?'],
  [['run', '--zzz'], '--zzz is not a known option.'],
  [['run', '-x'], '-x is not a known option.'],
  [['run', '--all'], '--all is not an option of run.', 'It belongs to: retry.'],
  [['push', 'a', '--log-level', 'debug'], '--log-level is not an option of push.', 'It belongs to: run.'],
  [
    ['retry', '--all', '--json'],
    '--json is not an option of retry.',
    'It belongs to: run, push, status, explain, custody, verify, check, periods, actions, message, users list, users get, users create, users update, users deactivate, users delete.',
  ],
  [['run', '--version'], '--version is not an option of run.'],
  [['run', '--key', 'secret'], '--key is not a known option.'],
  [['run', '--config'], '--config needs a value.'],
  [['run', '--config='], '--config needs a value.'],
  [['run', '--config', '--once'], '--config needs a value.'],
  [['run', '--once=yes'], '--once takes no value.'],
  [['run', '--json', '--json'], '--json can be given only once.'],
  [['run', '--config', 'a', '--config', 'b'], '--config can be given only once.'],
  [['run', 'folder'], 'run does not take "folder".'],
  [['status', 'x'], 'status does not take "x".'],
  [['run', '--console', 'on'], '--console must be a port from 1024 to 65535, or off.'],
  [['run', '--console', '0'], '--console must be a port from 1024 to 65535, or off.'],
  [['run', '--console', '80'], '--console must be a port from 1024 to 65535, or off.'],
  [['run', '--console', '65536'], '--console must be a port from 1024 to 65535, or off.'],
  [['run', '--console', '8080x'], '--console must be a port from 1024 to 65535, or off.'],
  [
    ['run', '--log-level', 'warning'],
    '--log-level must be debug, info, warn or error.',
    'Did you mean "warn"?',
  ],
  [['push'], 'push needs at least one folder.'],
  [['push', ''], 'A folder name is empty.'],
  [
    ['push', 'a', 'b', '--title', 'T'],
    '--title can be used with one folder only; push the others separately.',
  ],
  [['push', 'a', '--title', ' '], '--title is blank.'],
  [['push', 'a', '--incident-at', '2026-05-01T19:30:05'], '--incident-at must end in Z or an offset'],
  [['retry'], 'retry needs either one ID or --all.'],
  [['retry', 'a', '--all'], 'retry needs either one ID or --all.'],
  [['retry', 'a', 'b'], 'retry needs either one ID or --all.'],
])('refuses %j', (args, message, advice) => {
  const parsed = parseLine(args);
  expect(parsed).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
  if (advice !== undefined) expect(parsed).toMatchObject({ error: { advice } });
});
