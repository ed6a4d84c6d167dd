import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { startEqualBench } from './equal-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 50_000, 'Gate 4/b.ts': 6_000_000, 'Ramp/c.avi': 70_000 };
const first = { dataDir: 'first', siteId: 'north-stand' };
const second = { dataDir: 'second', siteId: 'north-stand' };

// service.md gap 11
test.concurrent('a second desk of the same site sends only what is missing', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce(first);
  const before = await bench.standing();
  await bench.runOnce(second);
  expect(await bench.standing()).toEqual(before);
  await bench.write('exports/Gate 4/late.avi', 5_000);
  await bench.runOnce(second);
  await bench.runOnce(first);
  expect(
    bench
      .listed()
      .map(({ ids }) => ids.length)
      .toSorted(),
  ).toEqual([1, 3]);
  expect(await bench.objects()).toBe(4);
});

test.concurrent('a clip that two desks of a site send at once is listed once', async (context) => {
  const bench = await startEqualBench(context, files);
  const hold = bench.simulator.faults.hold({ call: 'getUploadUrls' });
  const desks = await Promise.all([bench.start(first), bench.start(second)]);
  await hold.arrived;
  hold.release();
  await Promise.all(desks.map((desk) => desk.settle()));
  for (const desk of desks) await desk.stop();
  expect(bench.listed()).toHaveLength(2);
  const ids = bench.listed().flatMap(({ ids: clips }) => clips);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(3);
});

test.concurrent('a desk that joins a site keeps the ids of what it has sent', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce({ dataDir: 'first' });
  const before = await bench.standing();
  await bench.runOnce(first);
  expect(await bench.standing()).toEqual(before);
});

test.concurrent('two desks of their own double a folder, as the manual says', async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce({ dataDir: 'first' });
  await bench.runOnce({ dataDir: 'second' });
  expect(bench.listed()).toHaveLength(4);
  expect(await bench.objects()).toBe(6);
});
