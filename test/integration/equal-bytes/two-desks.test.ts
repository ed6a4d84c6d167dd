import { expect, test, vi } from 'vitest';
import { clipQuerySchema } from '../../../shared/domain/upload-view.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { startEqualBench, type EqualBench } from './equal-bench.ts';
import { long } from '../../helpers/long.ts';

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

/** A desk that was paused, asked the service, and learns nothing more until it is resumed. */
async function startPaused(bench: EqualBench) {
  const desk = await bench.start(second);
  await desk.call('uploads.pause', { target: { kind: 'all' } });
  for (const [path, spec] of Object.entries(files)) await bench.write(`exports/${path}`, spec);
  await desk.settle();
  const states = async (): Promise<readonly string[]> => {
    const answer = await desk.call('uploads.listClips', clipQuerySchema.parse({}));
    return answer.ok ? answer.value.rows.map(({ state }) => state) : [];
  };
  return { ...desk, states };
}

// It asked the service before the first desk had sent anything
test.concurrent('what another desk of the site has sent meanwhile is not sent', long(), async (context) => {
  const bench = await startEqualBench(context);
  const late = await startPaused(bench);
  await bench.runOnce(first);
  expect(await late.states()).toEqual(['paused', 'paused', 'paused']);
  await late.call('uploads.resume', { target: { kind: 'all' } });
  await late.settle();
  expect(await late.states()).toEqual(['uploaded', 'uploaded', 'uploaded']);
  await late.stop();
  expect(bench.listed().flatMap(({ ids }) => ids)).toHaveLength(3);
  expect(await bench.objects()).toBe(3);
});

test.concurrent('a clip that waits is taken over when a record finds it listed', long(), async (context) => {
  const bench = await startEqualBench(context);
  const late = await startPaused(bench);
  await bench.runOnce(first);
  for (const { id: incidentId } of bench.listed())
    await late.call('incidents.edit', { incidentId, changes: { title: 'East side' } });
  await bench.until(async () => (await late.states()).every((state) => state === 'uploaded'));
  await late.settle();
  await late.stop();
  expect(bench.listed()).toMatchObject([{ title: 'East side' }, { title: 'East side' }]);
  expect(bench.listed().flatMap(({ ids }) => ids)).toHaveLength(3);
  expect(await bench.objects()).toBe(3);
});

test.concurrent('a desk that joins a site keeps the ids of what it has sent', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce({ dataDir: 'first' });
  const before = await bench.standing();
  await bench.runOnce(first);
  expect(await bench.standing()).toEqual(before);
});

test.concurrent('two desks of their own double a folder, as the manual says', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce({ dataDir: 'first' });
  await bench.runOnce({ dataDir: 'second' });
  expect(bench.listed()).toHaveLength(4);
  expect(await bench.objects()).toBe(6);
});
