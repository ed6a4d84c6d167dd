import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { mountSmallDisk, noSmallDisk } from '../../helpers/small-disk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const DISK_MIB = 16;
const first = { 'Gate 1/a.ts': 100_000 };
const later = Object.fromEntries(
  Array.from({ length: 12 }, (_, number) => [`Gate ${number + 2}/a.ts`, 50_000 + number] as const),
);
const pauses = (bench: Bench) => bench.of('circuit.paused').filter(({ circuit }) => circuit === 'desk');
const resumed = (bench: Bench) => bench.of('circuit.resumed').filter(({ circuit }) => circuit === 'desk');

async function writeAll(bench: Bench, files: Readonly<Record<string, number>>): Promise<void> {
  for (const [path, spec] of Object.entries(files)) await bench.write(path, spec);
}

test.skipIf(noSmallDisk !== undefined)(
  `fault 14: a full data disk pauses the queue, says which, and the queue goes on by itself (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, DISK_MIB);
    const dataDir = join(disk.folder, 'data');
    const bench = await startBench(context, { files: first, dataDir });
    await bench.untilIdle();
    disk.fill();
    await writeAll(bench, later);
    const filledMs = performance.now();
    await bench.until(() => pauses(bench).length > 0, 'the notice');
    expect(performance.now() - filledMs).toBeLessThan(5_000);
    expect(pauses(bench)[0]).toMatchObject({ code: 'DISK_FULL', message: expect.stringContaining(dataDir) });
    expect(pauses(bench)[0]?.advice).toMatch(/^Free at least 100 MB .* Nothing is lost/);
    // A page that is opened later shows it too
    expect(await bench.call('health.get', {})).toMatchObject({
      pausedCircuits: [{ circuit: 'desk', failure: { code: 'DISK_FULL' } }],
    });
    // It remains one notice, whatever is tried meanwhile
    await bench.until(() => bench.logs.some(({ level }) => level === 'error'), 'a try that failed');
    expect([pauses(bench).length, resumed(bench).length]).toEqual([1, 0]);
    disk.free();
    await bench.until(() => resumed(bench).length === 1, 'the end of the pause');
    await bench.until(() => bench.of('clip.uploaded').length === 13, 'all clips');
    await bench.untilIdle();
    await bench.expectWhole({ files: { ...first, ...later }, mayLogErrors: true });
    expect(bench.of('clip.failed')).toEqual([]);
    expect(await bench.call('health.get', {})).toMatchObject({ pausedCircuits: [] });
  },
);

test.skipIf(noSmallDisk !== undefined)(
  `fault 16: a disk that is full while answers come in loses none of them (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, DISK_MIB);
    const dataDir = join(disk.folder, 'data');
    const files = { ...later, 'Gate 1/large.ts': 12_000_000 };
    const bench = await startBench(context, { files, dataDir, hold: { call: 'putPart', partNumber: 2 } });
    await bench.hold.arrived;
    disk.fill();
    bench.hold.release();
    await bench.until(() => pauses(bench).length > 0, 'the notice');
    disk.free();
    await bench.until(() => bench.of('clip.uploaded').length >= 13, 'all clips');
    await bench.untilIdle();
    // An answer that could not be stored is requested again, which costs at most as much as a kill
    await bench.expectWhole({ files, mayLogErrors: true, kills: 1 });
    expect(bench.of('clip.failed')).toEqual([]);
  },
);

test.skipIf(noSmallDisk !== undefined)(
  `fault 14: a start on a full disk says that it is full, and works once there is room (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, DISK_MIB);
    const dataDir = join(disk.folder, 'data');
    const bench = await startBench(context, { files: first, dataDir });
    await bench.untilIdle();
    await bench.stopAgent();
    disk.fill();
    await bench.write('Gate 2/a.ts', 50_000);
    const refusal = await bench.startAgent().catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      failure: { code: 'DISK_FULL', message: expect.stringContaining(dataDir) },
    });
    await bench.stopAgent();
    disk.free();
    await bench.startAgent();
    await bench.untilIdle();
    await bench.expectWhole({ files: { ...first, 'Gate 2/a.ts': 50_000 } });
  },
);

test.skipIf(noSmallDisk !== undefined)(
  `fault 14: a first start on a full disk says that it is full (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, DISK_MIB);
    disk.fill();
    const dataDir = join(disk.folder, 'data');
    const refusal = await startBench(context, { dataDir }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      failure: { code: 'DISK_FULL', advice: expect.stringMatching(/^Free at least 100 MB/) },
    });
  },
);
