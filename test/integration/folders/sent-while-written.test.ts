import { appendFile, open, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, PART_BYTES } from '../../helpers/agent-bench.ts';
import { noise } from '../../helpers/bench-files.ts';
import { startGrowingBench, type GrowingBench } from './growing-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const FILE = 'Gate/recording.ts';
/** Five parts, of which the three in the middle are sent ahead. */
const BYTES = 4 * PART_BYTES + 1_000;

const growToThree = (bench: GrowingBench): Promise<void> =>
  bench.growUntil(FILE, BYTES, () => bench.livePartCount() >= 3);

test.concurrent('parts are sent while the file grows, and the rest with the finished file', async (context) => {
  const bench = await startGrowingBench(context);
  await growToThree(bench);
  expect(bench.of('incident.found')).toEqual([]);
  await bench.untilSent();
  await bench.expectExactly([await bench.note(FILE)]);
  const puts = bench.putParts();
  expect(new Set(puts).size).toBe(puts.length);
  expect(puts.slice(0, 3).toSorted()).toEqual([2, 3, 4]);
  expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
  expect(bench.rows('SELECT clip_id FROM live_uploads UNION SELECT clip_id FROM taken_over')).toEqual([]);
  const [{ detail } = { detail: '' }] = bench.rows<{ detail: string }>(
    "SELECT detail FROM history WHERE kind = 'ahead'",
  );
  expect(JSON.parse(detail)).toMatchObject({
    parts: puts.length - 2,
    sizeBytes: (puts.length - 2) * PART_BYTES,
  });
});

test.concurrent(
  'a byte that changed under an old size and time costs its part, and nothing else',
  long(),
  async (context) => {
    const bench = await startGrowingBench(context);
    await growToThree(bench);
    const { atime, mtime } = await stat(bench.pathOf(FILE));
    const file = await open(bench.pathOf(FILE), 'r+');
    await file.write(Buffer.from([1]), 0, 1, 2 * PART_BYTES + 77);
    await file.close();
    await utimes(bench.pathOf(FILE), atime, mtime);
    await bench.untilSent();
    await bench.expectExactly([await bench.note(FILE)]);
    const puts = bench.putParts();
    expect(puts.filter((number) => number === 3)).toHaveLength(2);
    expect(puts.filter((number) => number === 2 || number === 4)).toHaveLength(2);
    expect(bench.rows('SELECT void_bytes FROM live_results')).toEqual([{ void_bytes: PART_BYTES }]);
  },
);

test.concurrent('zeros where nothing was written yet are not sent ahead', long(), async (context) => {
  const bench = await startGrowingBench(context);
  await bench.growUntil(FILE, 100_000, () => true);
  let size = BYTES;
  const isOpen = (): boolean =>
    bench.rows('SELECT 1 FROM live_uploads WHERE upload_id IS NOT NULL').length > 0;
  while (!isOpen()) {
    await truncate(bench.pathOf(FILE), (size += 10_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // A part that is only half written when it is read is rightly sent twice
  await bench.call('uploads.pause', { target: { kind: 'all' } });
  await writeFile(bench.pathOf(FILE), noise(size + 10_000), { flag: 'r+' });
  await bench.call('uploads.resume', { target: { kind: 'all' } });
  await bench.untilSent();
  await bench.expectExactly([await bench.note(FILE)]);
  const puts = bench.putParts();
  expect(new Set(puts).size).toBe(puts.length);
});

const ends: readonly (readonly [string, (bench: GrowingBench) => Promise<unknown>])[] = [
  ['the file is deleted', ({ pathOf }) => rm(pathOf(FILE))],
  ['the file becomes shorter', ({ pathOf }) => truncate(pathOf(FILE), 2 * PART_BYTES)],
  ['the file is renamed', ({ pathOf }) => rename(pathOf(FILE), join(dirname(pathOf(FILE)), 'other.ts'))],
  [
    'the file is replaced',
    async ({ pathOf, root }) => {
      await writeFile(join(root, '..', 'new.ts'), noise(5 * PART_BYTES));
      await rename(join(root, '..', 'new.ts'), pathOf(FILE));
    },
  ],
  ['the folder is renamed', ({ root }) => rename(join(root, 'Gate'), join(root, 'Other gate'))],
];

mostlyLong(ends, 1, (some) =>
  test.concurrent.each(some)('what was sent is aborted when %s', async (_what, end) => {
    const cleanups: (() => unknown)[] = [];
    const bench = await startGrowingBench({
      onTestFinished: (work) => void cleanups.unshift(work as () => unknown),
    });
    try {
      await growToThree(bench);
      const [{ upload_id: uploadId } = { upload_id: '' }] = bench.rows<{ upload_id: string }>(
        'SELECT upload_id FROM live_uploads',
      );
      await end(bench);
      await bench.simulator.requests.ended('abortMultipartUpload', 1, { uploadId });
      await bench.untilIdle();
      expect(bench.rows('SELECT clip_id FROM live_uploads')).toEqual([]);
      expect(await bench.simulator.openUploads()).toEqual([]);
    } finally {
      for (const cleanup of cleanups) await cleanup();
    }
  }),
);

// The name is a clip's, but the content is only known at the end
test.concurrent('what was sent is aborted as soon as the content proves to be no clip', async (context) => {
  const bench = await startGrowingBench(context);
  const line = Buffer.from('2026-11-23 10:00:00 Gate 4 opened\n');
  const log = (length: number): Uint8Array => Buffer.alloc(length, line);
  await bench.growUntil(FILE, BYTES, () => bench.livePartCount() >= 3, log);
  await bench.simulator.requests.ended('abortMultipartUpload', 1);
  expect(bench.rows('SELECT clip_id FROM live_uploads')).toEqual([]);
  expect(await bench.simulator.openUploads()).toEqual([]);
  expect(bench.of('clip.uploaded')).toEqual([]);
});

test.concurrent(
  'a folder that was renamed while the agent did not run leaves nothing behind',
  long(),
  async (context) => {
    const bench = await startGrowingBench(context);
    await growToThree(bench);
    await bench.stopAgent();
    await rename(join(bench.root, 'Gate'), join(bench.root, 'Other gate'));
    await bench.startAgent();
    await bench.simulator.requests.ended('abortMultipartUpload', 1);
    await bench.untilSent();
    expect(await bench.simulator.openUploads()).toEqual([]);
  },
);

test.concurrent('a restart goes on with the upload that was begun', async (context) => {
  const bench = await startGrowingBench(context);
  await growToThree(bench);
  await bench.stopAgent();
  await bench.startAgent();
  await bench.growUntil(FILE, 2 * PART_BYTES, () => bench.livePartCount() >= 5);
  await bench.untilSent();
  await bench.expectExactly([await bench.note(FILE)]);
  expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
  expect(new Set(bench.putParts()).size).toBe(bench.putParts().length);
});

test.concurrent(
  'turned off again, what was begun is aborted and the clip is sent as ever',
  long(),
  async (context) => {
    const bench = await startGrowingBench(context);
    await growToThree(bench);
    await bench.stopAgent();
    await bench.startAgent({ upload: { whileWriting: 'off' } });
    await bench.untilSent();
    await bench.expectExactly([await bench.note(FILE)]);
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
  },
);

test.concurrent(
  'a sidecar that comes last and names another incident voids what was sent',
  long(),
  async (context) => {
    const bench = await startGrowingBench(context);
    await growToThree(bench);
    await writeFile(
      join(bench.root, 'Gate', 'incident.json'),
      JSON.stringify({ id: 'from-the-vms', title: 'Gate' }),
    );
    await bench.untilSent();
    expect([...bench.simulator.incidents().keys()]).toEqual(['from-the-vms']);
    expect(await bench.simulator.openUploads()).toEqual([]);
    expect(bench.simulator.requests.of('abortMultipartUpload')).toHaveLength(1);
  },
);

mostlyLong(['was sent', 'waits to be sent'], 1, (some) =>
  test.concurrent.for(some)(
    'what was sent of a copy of a clip that %s is aborted as soon as that is known',
    async (standing, context) => {
      const isWaiting = standing === 'waits to be sent';
      const bench = await startGrowingBench(context, isWaiting ? { hold: { call: 'getIncident' } } : {});
      await bench.write('Pier/recording.ts', 9 * PART_BYTES);
      if (isWaiting) await bench.hold.arrived;
      else await bench.untilSent();
      const bytes = await readFile(bench.pathOf('Pier/recording.ts'));
      let size = 0;
      await bench.growUntil(
        FILE,
        0,
        () => bench.livePartCount() >= 3,
        (length) => bytes.subarray(size, (size += size === 0 ? BYTES : length)),
      );
      await appendFile(bench.pathOf(FILE), bytes.subarray(size));
      await bench.simulator.requests.ended('abortMultipartUpload', 1);
      expect(bench.rows('SELECT clip_id FROM live_uploads')).toEqual([]);
      bench.hold.release();
      await bench.untilSent();
      await bench.expectExactly([await bench.note('Pier/recording.ts')]);
    },
  ),
);
