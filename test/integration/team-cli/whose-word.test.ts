import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/index.ts';
import { long } from '../../helpers/long.ts';

const program = join(import.meta.dirname, '../../../electron/headless.ts');

/** An account with a valid configuration and key, and a second service run by somebody else. */
async function openAccount() {
  const service = await startSimulator();
  onTestFinished(() => service.stop());
  const strange = await startSimulator();
  onTestFinished(() => strange.stop());
  const home = await mkdtemp(join(tmpdir(), 'whose-word-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const own = join(home, '.config', 'vms-export-agent');
  await mkdir(own, { recursive: true });
  const keyFile = join(own, 'key.txt');
  await writeFile(keyFile, service.apiKey, { mode: 0o600 });
  const watch = [{ path: join(home, 'exports'), settleSeconds: 0.1 }];
  await mkdir(join(home, 'exports'));
  const config = join(own, 'vms-export-agent.json');
  const name = (baseUrl: string, file = config) =>
    writeFile(file, JSON.stringify({ baseUrl, apiKeyFile: keyFile, watch }));
  await name(service.baseUrl);
  async function run(words: readonly string[], cwd = home) {
    const { HOME: _, XDG_CONFIG_HOME: __, ...others } = process.env;
    const env = { ...others, HOME: home, XDG_DATA_HOME: join(home, 'data') };
    const child = spawn(process.execPath, [program, ...words], { cwd, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    let written = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (written += String(text)));
    const [exit] = await once(child, 'close');
    return { exit, written };
  }
  return { service, strange, home, name, run };
}

test('checklist 20: a configuration in the working folder is not obeyed, and one that others can write is refused', async () => {
  const { service, strange, home, name, run } = await openAccount();
  const drop = join(home, 'drop');
  await mkdir(drop);
  await chmod(drop, 0o1777);
  const planted = join(drop, 'vms-export-agent.json');
  await name(strange.baseUrl, planted);
  const answered = await run(['periods'], drop);
  expect(answered).toMatchObject({ exit: 0 });
  expect(answered.written).toContain('is not used. To use it, add --config');
  expect(service.requests.all()).not.toEqual([]);
  await chmod(planted, 0o666);
  const named = await run(['periods', '--config', planted], drop);
  expect(named).toMatchObject({ exit: 10, written: expect.stringMatching(/^CONFIG_UNSAFE: .*chmod go-w /m) });
  expect(strange.requests.all()).toEqual([]);
});

test('the key goes to no other service before a person says so', async () => {
  const { strange, home, name, run } = await openAccount();
  expect(await run(['periods'])).toMatchObject({ exit: 0 });
  await name(strange.baseUrl);
  await mkdir(join(home, 'exports', 'Gate 4'));
  await writeFile(join(home, 'exports', 'Gate 4', 'a.avi'), 'x');
  const { origin } = new URL(strange.baseUrl);
  expect(await run(['run', '--once', '--console', 'off'])).toMatchObject({
    exit: 11,
    written: expect.stringContaining(`vms-export-agent key trust ${origin}`),
  });
  expect(strange.requests.all()).toEqual([]);
  expect(await run(['key', 'trust', `${origin}/v1`])).toMatchObject({
    exit: 0,
    written: expect.stringContaining(`From now on, the API key is sent only to ${origin}`),
  });
  const db = new Database(join(home, 'data', 'vms-export-agent', 'queue.db'), { readonly: true });
  const detail = db.prepare("SELECT detail FROM audit WHERE action = 'key.trusted'").pluck().all();
  db.close();
  expect(detail).toEqual([JSON.stringify({ origin })]);
  expect(await run(['periods'])).toMatchObject({ exit: 0 });
  expect(strange.requests.all()).not.toEqual([]);
}, 60_000);

test(
  'key trust is noted where the agent looks if nothing can be written beside the key',
  long(),
  async () => {
    const { strange, home, name, run } = await openAccount();
    const beside = ['--data-dir', join(home, 'of-a-service')];
    await name(strange.baseUrl);
    const { origin } = new URL(strange.baseUrl);
    // A folder cannot hold the note
    await mkdir(join(home, '.config', 'vms-export-agent', 'key.txt.origin', 'taken'), { recursive: true });
    expect(await run(['key', 'trust', origin, ...beside])).toMatchObject({ exit: 0 });
    const noted = await readFile(join(home, 'of-a-service', 'key-origins.json'), 'utf8');
    expect(noted).toContain(origin);
  },
);

test('key trust refuses what is no origin', long(), async () => {
  const { run } = await openAccount();
  expect(await run(['key', 'trust', 'http://api.example.com'])).toMatchObject({ exit: 2 });
  expect(await run(['key', 'trust'])).toMatchObject({ exit: 2 });
});
