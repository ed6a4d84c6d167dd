import type * as FileSystem from 'node:fs/promises';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { copyFolder, startEqualBench, type EqualBench, type EqualDesk } from './equal-bench.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

// Simulates a share without birth times, which cannot be mounted here, in the one call that reads them
vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof FileSystem>();
  const lstat = async (...parameters: Parameters<typeof original.lstat>) => {
    const stats = await original.lstat(...parameters);
    const none = typeof stats.birthtimeMs === 'bigint' ? 0n : 0;
    return Object.assign(stats, { birthtimeMs: none, birthtimeNs: none });
  };
  return { ...original, lstat, default: { ...original, lstat } };
});

const files = { 'Gate 4/a.avi': 50_000, 'Gate 4/b.avi': 60_000, 'Ramp/c.avi': 70_000 };

/** Without birth times a folder counts as another one only after it was seen gone, because inodes are reused. */
async function untilGone(bench: EqualBench, desk: EqualDesk, incidentId = ''): Promise<void> {
  await bench.until(async () => {
    const incident = await desk.call('uploads.getIncident', { incidentId });
    return incident.ok && JSON.stringify(incident.value).includes('"folderGone":true');
  }, 'the folder that is gone');
}

// service.md gap 11
test.concurrent('a folder name that is used again is a new incident', async (context) => {
  const bench = await startEqualBench(context, files);
  const desk = await bench.start();
  await desk.settle();
  const before = bench.listed();
  expect(before).toHaveLength(2);
  await rm(bench.at('exports/Gate 4'), { recursive: true });
  await untilGone(bench, desk, before[0]?.id);
  await bench.write('exports/Gate 4/a.avi', 51_000);
  await bench.until(() => desk.of('clip.uploaded').length === 4, 'the clip of the new folder');
  await desk.settle();
  await desk.stop();
  const after = bench.listed();
  expect(after).toHaveLength(3);
  // The old incident is unchanged; a restart and a late clip find the new one
  expect(after.find(({ id }) => id === before[0]?.id)).toEqual(before[0]);
  await bench.write('exports/Gate 4/late.avi', 5_000);
  await bench.runOnce();
  expect(bench.listed().map(({ ids }) => ids.length)).toEqual([2, 1, 2]);
  expect(await bench.objects()).toBe(5);
});

test.concurrent('a folder that was renamed stays its incident', long(), async (context) => {
  const bench = await startEqualBench(context, files);
  await bench.runOnce();
  const before = await bench.standing();
  await rename(bench.at('exports/Gate 4'), bench.at('exports/Gate 5'));
  await bench.runOnce();
  const ids = bench.listed().map(({ id, ids: clips }) => ({ id, clips }));
  expect(ids).toEqual(before.listed.map(({ id, ids: clips }) => ({ id, clips })));
  expect(await bench.objects()).toBe(3);
  // The old name can now be used by a new incident
  await bench.write('exports/Gate 4/other.avi', 52_000);
  await bench.runOnce();
  expect(bench.listed()).toHaveLength(3);
});

test.concurrent('a folder that was taken away and brought back stays its incident', async (context) => {
  const bench = await startEqualBench(context, files);
  const desk = await bench.start();
  await desk.settle();
  const before = await bench.standing();
  await mkdir(bench.at('away'));
  await rename(bench.at('exports/Gate 4'), bench.at('away/Gate 4'));
  await bench.write('exports/Ramp/meanwhile.avi', 5_000);
  await untilGone(bench, desk, before.listed[0]?.id);
  await copyFolder(join(bench.at('away'), 'Gate 4'), bench.at('exports/Gate 4'));
  await bench.write('exports/Gate 4/late.avi', 6_000);
  await bench.until(() => desk.of('clip.uploaded').length === 5, 'the late clip');
  await desk.settle();
  await desk.stop();
  expect(bench.listed().map(({ ids }) => ids.length)).toEqual([3, 2]);
  expect(await bench.objects()).toBe(5);
});
