import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/index.ts';

const program = join(import.meta.dirname, '../../../electron/headless.ts');

/** The program as started from a shell, in a folder with only a configuration and a key. */
async function openFolder() {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.stop());
  const folder = await mkdtemp(join(tmpdir(), 'team-cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'key.txt'), simulator.apiKey, { mode: 0o600 });
  const config = { baseUrl: simulator.baseUrl, apiKeyFile: 'key.txt' };
  await writeFile(join(folder, 'vms-export-agent.json'), JSON.stringify(config));
  function start(words: readonly string[], flags: readonly string[] = []) {
    const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: join(folder, 'data') };
    const config = words[0]?.startsWith('--') === true ? [] : ['--config', 'vms-export-agent.json'];
    const child = spawn(process.execPath, [...flags, program, ...words, ...config], {
      cwd: folder,
      env: environment,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const written = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (written.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (written.stderr += text));
    const ended = once(child, 'close').then(([exit]) => ({ exit, ...written }));
    return { child, ended };
  }
  return { simulator, folder, start, run: (...words: string[]) => start(words).ended };
}

test('a pipe gets whole lines and nothing else, and the queue is not touched', async () => {
  const { simulator, folder, run } = await openFolder();
  const { exit, stdout, stderr } = await run('users', 'list', '--csv', '--inactive');
  expect([exit, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\ufeff"id","loginType",/);
  expect(stdout.trimEnd().split('\r\n')).toHaveLength(simulator.team().users.length + 1);
  expect(await readdir(folder)).toEqual(['key.txt', 'key.txt.origin', 'vms-export-agent.json']);
});

test('Ctrl+C ends a call that hangs, with 130, and says that a message may be there', async () => {
  const { simulator, start } = await openFolder();
  const [channel] = simulator.team().channels;
  const hold = simulator.faults.hold({ call: 'addChannelMessage' });
  const { child, ended } = start(['message', '--channel', channel?.id ?? '', 'Hello']);
  await hold.arrived;
  child.kill('SIGINT');
  const { exit, stdout, stderr } = await ended;
  expect([exit, stdout]).toEqual([130, '']);
  expect(stderr).toMatch(/^Interrupted\.\n\nATTENTION: the request was sent, but/);
});

test('deletes nothing where there is no terminal to ask at', async () => {
  const { simulator, run } = await openFolder();
  const [user] = simulator.team().users;
  expect(await run('users', 'delete', user?.id ?? '')).toMatchObject({ exit: 2, stdout: '' });
  expect(simulator.requests.all()).toEqual([]);
  expect(await run('users', 'delete', user?.id ?? '', '--yes')).toMatchObject({ exit: 0 });
  expect(simulator.team().users).not.toContainEqual(user);
});

test('the key is in nothing that is written, also when the service repeats it', async () => {
  const { simulator, run } = await openFolder();
  const { apiKey } = simulator;
  const body = { periods: [{ id: 1, name: `key ${apiKey}`, markers: null }] };
  simulator.faults.add({
    match: { call: 'getPeriods' },
    action: { kind: 'answer', status: 200, body, when: 'before' },
  });
  for (const format of [[], ['--json'], ['--csv']]) {
    const { stdout, stderr, exit } = await run('periods', ...format);
    expect(exit).toBe(0);
    expect(stdout).toContain('key [removed]');
    expect(stdout + stderr).not.toContain(apiKey);
  }
});

/** Prints to stderr the name of each package from which a file is loaded. */
const NOTE_PACKAGES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name !== undefined) process.stderr.write('package ' + name + '\\n');
      return next(url, context);
    },
  });
`)}`;

test.each([
  { words: ['--version'], loaded: /./ },
  { words: ['periods'], loaded: /sqlite|chokidar|mediainfo/ },
])('$words loads no package that it has no use for', async ({ words, loaded }) => {
  const { start } = await openFolder();
  const { exit, stderr } = await start(words, ['--import', NOTE_PACKAGES]).ended;
  const packages = new Set([...stderr.matchAll(/^package (.+)$/gm)].map(([, name = '']) => name));
  expect(exit).toBe(0);
  expect([...packages].filter((name) => loaded.test(name))).toEqual([]);
  expect(packages.has('got')).toBe(words[0] === 'periods');
});

test('the launcher that npm scripts use starts the program with the flags of its first line', async () => {
  const [firstLine = ''] = (await readFile(program, 'utf8')).split('\n');
  const flags = firstLine.split(' ').slice(3);
  const say = `data:text/javascript,console.error(JSON.stringify(process.execArgv))`;
  const child = spawn(process.execPath, ['scripts/launch.mjs', 'electron/headless.ts', '--version'], {
    env: { ...process.env, NODE_OPTIONS: `--import="${say}"` },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(flags).not.toEqual([]);
  expect(stderr.trim().split('\n').at(-1)).toBe(JSON.stringify(flags));
});
