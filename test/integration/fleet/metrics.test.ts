import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type TestContext, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { writeSpec } from '../../helpers/bench-files.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createSkipClock } from '../../helpers/skip-clock.ts';
import { mountSmallDisk, noSmallDisk } from '../../helpers/small-disk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

async function makeFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'vms-metrics-'));
  context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const readText = (file: string): Promise<string> => readFile(file, 'utf8').catch(() => '');

test.concurrent('a refused key, an absent share, a wrong clock and the end of the agent show in its figures', async (context) => {
  const textfile = join(await makeFolder(context), 'desk.prom');
  const bench = await startBench(context, {
    files: { 'Gate 4/a.avi': 200_000 },
    settings: { metrics: { textfile } },
    clock: createSkipClock(),
  });
  const shows = async (sample: string): Promise<boolean> =>
    (await readText(textfile)).includes(`\nvms_export_${sample}\n`);
  const until = (sample: string) =>
    bench.until(() => (bench.skip(5_000), shows(sample)), `the sample ${sample}`);

  await bench.untilIdle();
  await until('clips{state="uploaded"} 1');
  expect(await shows('root_online{root="1"} 1')).toBe(true);

  bench.simulator.setKeys([]);
  await bench.write('Gate 5/b.avi', 200_000);
  await bench.until(() => bench.of('incident.found').length === 2, 'the second export');
  await until('circuit_open{circuit="service",code="KEY_REFUSED"} 1');
  expect(await shows('clips{state="waiting"} 1')).toBe(true);

  await rename(bench.root, `${bench.root}-away`);
  await until('root_online{root="1"} 0');
  await rename(`${bench.root}-away`, bench.root);

  bench.clock.skip(3_600_000);
  bench.simulator.setKeys([{ key: bench.simulator.apiKey, videoPermission: true }]);
  await until('clips{state="uploaded"} 2');
  await bench.until(
    async () =>
      /clock_offset_seconds -3[56]\d\d/.test((bench.clock.skip(15_000), await readFile(textfile, 'utf8'))),
    'the wrong clock',
  );

  await bench.stopAgent();
  expect(await shows('up 0')).toBe(true);
});

test.skipIf(noSmallDisk !== undefined)(
  `a full data disk shows in the figures within a minute (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, 16);
    const textfile = join(await makeFolder(context), 'desk.prom');
    const bench = await startBench(context, {
      files: { 'Gate 1/a.ts': 100_000 },
      dataDir: join(disk.folder, 'data'),
      settings: { metrics: { textfile } },
      clock: createSkipClock(),
    });
    await bench.untilIdle();
    disk.fill();
    for (const number of [2, 3, 4, 5, 6, 7, 8, 9]) await bench.write(`Gate ${number}/a.ts`, 50_000 + number);
    const filledMs = bench.clock.monotonic();
    const shows = (sample: string) => async () => {
      bench.skip(1_000);
      return (await readText(textfile)).includes(sample);
    };
    await bench.until(shows('circuit_open{circuit="desk",code="DISK_FULL"} 1'), 'the full disk');
    expect(bench.clock.monotonic() - filledMs).toBeLessThan(60_000);
    expect(await readText(textfile)).toMatch(/disk_free_bytes \d{1,6}\n/);
    disk.free();
    await bench.until(shows('circuit_open{circuit="desk",code=""} 0'), 'the room');
  },
);

const AGENT = fileURLToPath(new URL('../../helpers/agent-on-disk.ts', import.meta.url));

test.concurrent('an agent that was killed shows as figures that grow old', async (context) => {
  const folder = await makeFolder(context);
  const textfile = join(folder, 'desk.prom');
  const root = join(folder, 'exports');
  await writeSpec(join(folder, 'staging'), join(root, 'Gate 4', 'a.ts'), 100_000);
  // A service that never answers keeps the agent busy
  const service = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(service, 'listening');
  context.onTestFinished(() => void service.close().closeAllConnections());
  const place = service.address();
  if (place === null || typeof place === 'string') throw new Error('It does not listen');
  const settings = {
    baseUrl: `http://127.0.0.1:${place.port}`,
    watch: [{ path: root, settleSeconds: 0.1 }],
    metrics: { textfile },
  };
  const input = JSON.stringify({ settings, dataDir: join(folder, 'data'), apiKey: 'key-12345678' });
  const agent = spawn(process.execPath, [AGENT, input], { stdio: 'ignore' });
  context.onTestFinished(() => void agent.kill('SIGKILL'));
  await eventually(
    async () => (await readText(textfile)).includes('\nvms_export_up 1\n'),
    'the first figures',
  );
  const ended = once(agent, 'exit');
  agent.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
  const killedMs = Date.now();
  const text = await readText(textfile);
  // Complete, and not the final state of a stop: only its age shows, after a minute
  expect(text).toMatch(/\nvms_export_up 1\n[^]*# EOF\n$/);
  const writtenMs = Number(/^vms_export_written_timestamp_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
  expect(writtenMs).toBeGreaterThan(killedMs - 60_000);
  expect(killedMs + 60_000 - writtenMs).toBeGreaterThanOrEqual(60_000);
  const rules = await readFile('build/monitoring/alerts.yml', 'utf8');
  expect(rules).toContain('time() - vms_export_written_timestamp_seconds > 60\n');
});
