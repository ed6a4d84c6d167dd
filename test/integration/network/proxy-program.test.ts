import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { basic, startForwardProxy } from '../../helpers/forward-proxy.ts';
import { startFront } from '../../helpers/front.ts';
import { named, SERVICE } from '../../helpers/proxy-desk.ts';
import { startSimulator } from '../../simulator/index.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: 60_000 });

const program = join(import.meta.dirname, '../../../electron/headless.ts');
const authority = join(import.meta.dirname, '../../fixtures/tls/ca.crt');
const PASSWORD = 'pr0xy-pass-word';

/** The program in a folder of its own; only the proxy, set in its environment, can resolve its service. */
async function openFolder(wanted: string) {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.stop());
  const front = await startFront(
    { onTestFinished },
    { target: new URL(simulator.baseUrl).origin, tls: named },
  );
  const knows = { [SERVICE]: Number(new URL(front.url).port) };
  const proxy = await startForwardProxy({ onTestFinished }, { knows, credentials: wanted });
  const folder = await mkdtemp(join(tmpdir(), 'proxy-program-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'key.txt'), simulator.apiKey, { mode: 0o600 });
  await mkdir(join(folder, 'exports/Gate 4'), { recursive: true });
  await writeFile(join(folder, 'exports/Gate 4/a.avi'), 'x');
  const watch = [{ path: 'exports', settleSeconds: 0.1 }];
  const config = { baseUrl: 'https://other.example.com/v1', apiKeyFile: 'key.txt', watch };
  await writeFile(join(folder, 'vms-export-agent.json'), JSON.stringify(config));
  async function run(...words: readonly string[]) {
    const env = {
      ...process.env,
      HOME: folder,
      XDG_DATA_HOME: join(folder, 'data'),
      HTTPS_PROXY: proxy.url.replace('//', `//desk:${PASSWORD}@`),
      NODE_EXTRA_CA_CERTS: authority,
    };
    const child = spawn(process.execPath, [program, ...words, '--config', 'vms-export-agent.json'], {
      cwd: folder,
      env,
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    let written = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (written += String(text)));
    const [exit] = await once(child, 'close');
    return { exit, written };
  }
  return { proxy, run };
}

test('the program takes the proxy of its environment, for the check and for what people order', async () => {
  const { proxy, run } = await openFolder(`desk:${PASSWORD}`);
  const check = await run('check');
  expect(check.written).toContain(`other.example.com is reached through the proxy ${proxy.host}`);
  expect(check.written).toMatch(/OK +permission/);
  expect(check.exit).toBe(0);
  expect(await run('users', 'list', '--csv')).toMatchObject({ exit: 0 });
  expect(new Set(proxy.asked.map(({ authorization }) => authorization))).toEqual(
    new Set([basic(`desk:${PASSWORD}`)]),
  );
});

test(
  'a refused password ends it as out of reach, named by the proxy and printed nowhere',
  long(),
  async () => {
    const { proxy, run } = await openFolder('desk:other');
    for (const words of [['check'], ['users', 'list'], ['run', '--once', '--log-level', 'debug']]) {
      const { exit, written } = await run(...words);
      expect(exit).toBe(12);
      expect(written).toContain(`The proxy ${proxy.host} rejected the user name and password (HTTP 407).`);
      expect(written).not.toContain(PASSWORD);
      expect(written).not.toContain(basic(`desk:${PASSWORD}`).slice(6, 20));
    }
  },
);
