import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/index.ts';

const root = join(import.meta.dirname, '../../..');
const LAUNCHER = ['scripts/launch.mjs', 'electron/headless.ts'];

/** IDs of the process and of everything that it started. */
async function family(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const ids = children
    .split(' ')
    .filter((id) => id !== '')
    .map(Number);
  return [pid, ...(await Promise.all(ids.map(family))).flat()];
}

test.skipIf(process.platform !== 'linux').each([
  ['by the launcher of the npm scripts', LAUNCHER],
  ['without any flag', ['electron/headless.ts']],
])(
  'checklist 7: no signal opens a debugger in the program, started %s',
  async (_, words) => {
    const simulator = await startSimulator();
    onTestFinished(() => simulator.stop());
    const [channel] = simulator.team().channels;
    const folder = await mkdtemp(join(tmpdir(), 'signals-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'key.txt'), simulator.apiKey, { mode: 0o600 });
    const config = join(folder, 'config.json');
    await writeFile(config, JSON.stringify({ baseUrl: simulator.baseUrl, apiKeyFile: 'key.txt' }));
    const hold = simulator.faults.hold({ call: 'addChannelMessage' });
    const more = ['message', '--config', config, '--channel', String(channel?.id), '-'];
    const child = spawn(process.execPath, [...words, ...more], { cwd: root });
    onTestFinished(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (text) => (stderr += String(text)));
    child.stdin.end('Hello');
    await hold.arrived;
    const ids = await family(child.pid ?? 0);
    const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8')));
    for (const id of ids) process.kill(id, 'SIGUSR1');
    hold.release();
    const [exit] = await once(child, 'close');
    expect([exit, stderr]).toEqual([0, '']);
    expect(lines.join(' ')).not.toContain('Hello');
    if (words !== LAUNCHER) return;
    const flags = ['--disable-sigusr1', '--use-system-ca', '--max-semi-space-size=2'];
    expect(lines.at(-1)?.split('\0')).toEqual(expect.arrayContaining(flags));
  },
  60_000,
);
