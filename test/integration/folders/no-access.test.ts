import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test, vi, type TestContext } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import type { AgentEvent } from '../../../electron/agent/index.ts';
import { writeSpec } from '../../helpers/bench-files.ts';
import { underPermissions } from '../../helpers/under-permissions.ts';
import { startSimulator } from '../../simulator/index.ts';
import { long } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const program = fileURLToPath(new URL('agent-under-permissions.ts', import.meta.url));

/** A watched folder, and an agent to which file permissions apply. */
async function openDesk({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'vms-no-access-')));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const simulator = await startSimulator();
  onTestFinished(() => simulator.stop());
  const root = join(home, 'exports');
  const dataDir = join(home, 'data');
  for (const folder of [root, dataDir]) await mkdir(folder);
  const write = (path: string, bytes: number) => writeSpec(join(home, 'staging'), join(root, path), bytes);
  await write('Gate 4/good.avi', 3_000);

  function run(onEvent: (event: AgentEvent) => unknown = () => undefined): Promise<readonly AgentEvent[]> {
    const settings = { baseUrl: simulator.baseUrl, watch: [{ path: root, settleSeconds: 0.1 }] };
    const given = JSON.stringify({ settings, dataDir, apiKey: simulator.apiKey });
    const child = spawn(...underPermissions(program, given), { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const events: AgentEvent[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event: AgentEvent = JSON.parse(line);
      events.push(event);
      onEvent(event);
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => (code === 0 ? resolve(events) : reject(new Error(`Ended with ${code}`))));
    });
  }

  const videos = () => [...simulator.incidents().values()].flatMap((one) => one.uploaded_videos);
  const failed = () => [...simulator.incidents().values()].flatMap((one) => one.failed_videos);
  return { root, write, run, videos, failed };
}

test.concurrent('fault 40, input A14: an unreadable clip is held with FILE_NO_ACCESS naming the account, and is sent when it may be read', async (context) => {
  const desk = await openDesk(context);
  await desk.write('Gate 4/secret.avi', 4_000);
  await desk.write('Gate 4/secret.mp4', 4_000);
  for (const name of ['secret.avi', 'secret.mp4']) await chmod(join(desk.root, 'Gate 4', name), 0o000);
  const events = await desk.run();
  const held = events.filter((event) => event.event === 'file.held');
  expect(held.map(({ file, code }) => `${file} ${code}`).toSorted()).toEqual([
    'secret.avi FILE_NO_ACCESS',
    'secret.mp4 FILE_NO_ACCESS',
  ]);
  for (const { message } of held) {
    expect(message).toContain(`The account ${userInfo().username} cannot read`);
    expect(message).toContain(`Location: ${desk.root}.`);
  }
  expect(events.some((event) => event.event === 'clip.failed')).toBe(false);
  expect(desk.videos()).toHaveLength(1);
  expect(desk.failed()).toEqual([]);
  for (const name of ['secret.avi', 'secret.mp4']) await chmod(join(desk.root, 'Gate 4', name), 0o644);
  await desk.run();
  expect(desk.videos()).toHaveLength(3);
  expect(desk.failed()).toEqual([]);
});

// The rest of the export is sent before; once the clip is readable, it is sent after the next start
test.concurrent(
  'input B11: a subfolder that may not be listed is named, and the rest of the export is sent',
  long(),
  async (context) => {
    const desk = await openDesk(context);
    await desk.write('Gate 4/closed/inside.avi', 4_000);
    await chmod(join(desk.root, 'Gate 4/closed'), 0o000);
    const events = await desk.run();
    expect(events.filter((event) => event.event === 'file.held')).toMatchObject([
      { folder: 'Gate 4', code: 'FOLDER_NO_ACCESS' },
    ]);
    expect(desk.videos()).toHaveLength(1);
    await chmod(join(desk.root, 'Gate 4/closed'), 0o755);
    await desk.run();
    expect(desk.videos()).toHaveLength(2);
    expect(desk.failed()).toEqual([]);
  },
);
