import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DATABASE_FILE } from '../../../electron/agent/store/open-db.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { mountSmallDisk, noSmallDisk } from '../../helpers/small-disk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const HOUR_MS = 3_600_000;
const KEY = 'two-faults-key-58c1';
const files = { 'Gate 4/a.avi': 100_000, 'Ramp/c.ts': 6_000_000 };

test.skipIf(noSmallDisk !== undefined)(
  `fault 64: a full disk while a damaged queue is rebuilt costs nothing once there is room (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, 16);
    const dataDir = join(disk.folder, 'data');
    const bench = await startBench(context, { files, dataDir });
    await bench.untilIdle();
    await bench.stopAgent();
    await truncate(join(dataDir, DATABASE_FILE), 5_000);
    disk.fill();
    const refusal = await bench.startAgent().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ failure: { code: 'DISK_FULL' } });
    await bench.stopAgent();
    disk.free();
    await bench.startAgent();
    await bench.untilIdle();
    await bench.expectWhole({ mayLogErrors: true });
    const sent = bench.simulator.requests.of('putObject').length;
    expect(sent).toBe(1);
    expect((await readdir(dataDir)).some((name) => name.startsWith('queue.db.broken-'))).toBe(true);
  },
);

test.concurrent('fault 64: an agent that ends while it asks what became of a lost answer asks again, and sends nothing twice', async (context) => {
  const bench = await startBench(context, {
    files,
    before: ({ faults }) =>
      faults.add({ match: { call: 'putIncident' }, times: 2, action: { kind: 'drop', when: 'after' } }),
  });
  await bench.until(
    () => bench.simulator.requests.of('putIncident').some(({ faultId }) => faultId !== undefined),
    'the lost answer',
  );
  const asking = bench.simulator.faults.hold({ call: 'getIncident' });
  bench.skip(60_000);
  await asking.arrived;
  await bench.stopAgent();
  asking.release();
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole({ kills: 1 });
  expect(bench.of('clip.failed')).toEqual([]);
});

test.concurrent('fault 64: a clock that jumps while the key is refused holds nothing up once the key is right', async (context) => {
  const bench = await startBench(context, { files, simulator: { apiKey: KEY } });
  bench.simulator.setKeys([]);
  await bench.write('Gate 5/late.avi', 40_000);
  await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
  bench.clock.setWrongBy(-72 * HOUR_MS);
  bench.simulator.setKeys([{ key: KEY, videoPermission: true }]);
  await bench.until(() => (bench.skip(500), bench.of('circuit.resumed').length > 0), 'the resumption');
  await bench.untilIdle();
  await bench.expectWhole({ files: { ...files, 'Gate 5/late.avi': 40_000 } });
  expect(bench.of('clip.failed')).toEqual([]);
});
