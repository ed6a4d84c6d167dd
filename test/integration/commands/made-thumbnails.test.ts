import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { ThumbnailMaker } from '../../../electron/agent/index.ts';
import type { ThumbnailAnswer } from '../../../shared/domain/thumbnail-answer.ts';
import { BENCH_TIMEOUT_MS, startBench, type Bench } from '../../helpers/agent-bench.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Ramp/a.avi': 200_000 };

/** A thumbnail whose bytes contain the clip's first bytes and the number of the attempt. */
function pictureOf(first: Uint8Array, made: number): ThumbnailAnswer {
  const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...first, made, 0xff, 0xd9]);
  return { kind: 'made', jpeg, facts: { width: 640, height: 360, atMs: 3000, by: 'decoder' } };
}

/** A thumbnail maker that reads the beginning of each clip, and counts. */
function createMaker(
  answer: (first: Uint8Array, made: number) => ThumbnailAnswer | Promise<ThumbnailAnswer>,
) {
  let made = 0;
  const maker: ThumbnailMaker = {
    async make(source) {
      const first = await source.read(0, 16);
      made += 1;
      return answer(first, made);
    },
  };
  return { maker, count: () => made };
}

const plain = () => createMaker((first) => pictureOf(first, 0));
const folderOf = ({ dataDir }: Bench) => join(dataDir, 'thumbnails');
const names = (bench: Bench) => readdir(folderOf(bench)).catch(() => []);

/** The stored thumbnail that the service lists for the only clip; undefined while there is none. */
async function listed({ simulator }: Bench) {
  const videos = [...simulator.incidents().values()].flatMap((incident) => [
    ...incident.uploaded_videos,
    ...incident.failed_videos,
  ]);
  const key = videos[0]?.storage_thumbnail_key;
  return typeof key === 'string' ? simulator.sha256OfObject(key) : undefined;
}
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test.concurrent('a clip without an image gets one, which is listed and never lies beside the evidence', async (context) => {
  const { maker, count } = plain();
  const bench = await startBench(context, { files, thumbnails: maker });
  await bench.untilIdle();
  const { clipId } = await bench.ids('Ramp/a.avi');
  expect(await names(bench)).toEqual([`${clipId}.jpg`]);
  const stored = await readFile(join(folderOf(bench), `${clipId}.jpg`));
  expect(await listed(bench)).toBe(sha256(stored));
  expect(await readdir(join(bench.root, 'Ramp'))).toEqual(['a.avi']);
  expect(count()).toBe(1);
  const { thumbnail } = await bench.call('uploads.getClip', { clipId });
  expect(thumbnail).toMatchObject({ origin: 'made', state: 'uploaded', made: { atMs: 3000 } });
  expect(thumbnail).not.toHaveProperty('file');
  const asked = bench.simulator.requests.of('getUploadUrls', { status: 200 });
  expect(JSON.stringify(asked.map(({ body }) => body))).toContain(`${clipId}-thumbnail`);
});

test.concurrent(
  'without a maker nothing is made, and nothing is left to wait for',
  long(),
  async (context) => {
    const bench = await startBench(context, { files });
    await bench.untilIdle();
    expect(await listed(bench)).toBeUndefined();
    expect(await names(bench)).toEqual([]);
    await bench.expectWhole();
  },
);

test.concurrent('what a desktop left undone holds up no run without a maker', long(), async (context) => {
  const never = createMaker(() => new Promise<never>(() => undefined));
  const bench = await startBench(context, { files, thumbnails: never.maker });
  await bench.until(() => bench.of('clip.uploaded').length === 1 && never.count() === 1);
  await bench.stopAgent();
  await bench.startAgent({});
  await bench.untilIdle();
  await bench.expectWhole();
});

test.concurrent('an image of the export is taken as it is; no other is made', async (context) => {
  const { maker, count } = plain();
  const image = Buffer.from('a picture of the export');
  const bench = await startBench(context, { files: { ...files, 'Ramp/a.jpg': image }, thumbnails: maker });
  await bench.untilIdle();
  expect(await listed(bench)).toBe(sha256(image));
  expect(count()).toBe(0);
});

test.concurrent('a clip that no picture comes out of says why, and is tried no more than is of use', async (context) => {
  const { maker, count } = createMaker(() => ({ kind: 'none', reason: 'codec', codec: 'hevc' }));
  const bench = await startBench(context, { files, thumbnails: maker });
  await bench.untilIdle();
  const { clipId } = await bench.ids('Ramp/a.avi');
  const { noPicture, row } = await bench.call('uploads.getClip', { clipId });
  expect(noPicture).toMatchObject({ code: 'NO_PICTURE', message: 'H.265 cannot be decoded on this PC.' });
  expect(row.state).toBe('uploaded');
  expect(count()).toBe(1);
  await bench.expectWhole();
});

test.concurrent('trouble that may pass is tried twice, and not a third time', long(), async (context) => {
  const { maker, count } = createMaker(() => ({ kind: 'none', reason: 'deadline' }));
  const bench = await startBench(context, { files, thumbnails: maker });
  await bench.until(() => bench.of('clip.uploaded').length === 1 && count() === 1);
  bench.skip(31_000);
  await bench.untilIdle();
  bench.skip(3_600_000);
  await bench.untilIdle();
  expect(count()).toBe(2);
});

test.concurrent(
  'a maker that does not answer holds up no clip, and is let go when the agent stops',
  long(),
  async (context) => {
    const { maker, count } = createMaker(() => new Promise<never>(() => undefined));
    const bench = await startBench(context, { files, thumbnails: maker });
    await bench.until(() => bench.of('clip.uploaded').length === 1 && count() === 1);
    await bench.stopAgent();
  },
);

test.concurrent('a restart before the picture is sent leaves one picture, listed once', async (context) => {
  const { maker, count } = plain();
  const hold = { call: 'putIncident', when: 'before' } as const;
  const bench = await startBench(context, { files, thumbnails: maker, hold });
  await bench.hold.arrived;
  // Wait until it is made and noted: one that is still in progress when the agent stops is made again
  const { clipId } = await bench.ids('Ramp/a.avi');
  const isMade = async () => (await bench.call('uploads.getClip', { clipId })).thumbnail?.origin === 'made';
  await bench.until(isMade, 'the picture');
  await bench.stopAgent();
  bench.hold.release();
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole();
  expect(await listed(bench)).toBeDefined();
  expect((await bench.simulator.objects()).length).toBe(2);
  expect(count()).toBe(1);
});

test.concurrent('a picture whose file is lost before it was sent is made again', long(), async (context) => {
  const { maker, count } = plain();
  const bench = await startBench(context, {
    files,
    thumbnails: maker,
    before: (simulator) => simulator.goOffline(),
  });
  await bench.until(async () => (await names(bench)).some((name) => name.endsWith('.jpg')));
  await rm(folderOf(bench), { recursive: true });
  await bench.simulator.goOnline();
  bench.skip(60_000);
  await bench.until(() => bench.of('clip.uploaded').length === 1);
  await bench.until(() => {
    bench.skip(61_000);
    return count() === 2;
  });
  await bench.untilIdle();
  expect(await listed(bench)).toBeDefined();
});

test.concurrent(
  'a changed clip that was sent is a new one with a picture of its own',
  long(),
  async (context) => {
    const { maker } = plain();
    const bench = await startBench(context, { files, thumbnails: maker });
    await bench.untilIdle();
    await bench.write('Ramp/a.avi', 300_000);
    await bench.until(() => bench.of('clip.uploaded').length === 2);
    await bench.untilIdle();
    const ids = await Promise.all([1, 2].map((generation) => bench.ids('Ramp/a.avi', generation)));
    expect((await names(bench)).toSorted()).toEqual(ids.map(({ clipId }) => `${clipId}.jpg`).toSorted());
  },
);

test.concurrent('cancelling takes the picture away; trying the clip again brings one', async (context) => {
  const { maker, count } = plain();
  const bench = await startBench(context, {
    files,
    thumbnails: maker,
    before: (simulator) => simulator.goOffline(),
  });
  await bench.until(async () => (await names(bench)).some((name) => name.endsWith('.jpg')));
  const { clipId } = await bench.ids('Ramp/a.avi');
  const target = { kind: 'clips' as const, clipIds: [clipId] };
  await bench.until(async () => (await bench.call('uploads.getClip', { clipId })).thumbnail !== undefined);
  expect(await bench.call('uploads.cancel', { target })).toEqual({ changed: 1 });
  await bench.until(async () => (await names(bench)).length === 0);
  await bench.simulator.goOnline();
  expect(await bench.call('uploads.retry', { target })).toEqual({ retried: 1, skipped: 0, incidents: 0 });
  await bench.until(() => {
    bench.skip(61_000);
    return count() === 2;
  });
  await bench.untilIdle();
  expect(await listed(bench)).toBeDefined();
});

test.concurrent('a lost database loses no picture that the service has', async (context) => {
  const { maker } = plain();
  const bench = await startBench(context, { files, thumbnails: maker });
  await bench.untilIdle();
  const before = await listed(bench);
  await bench.stopAgent();
  for (const name of await readdir(bench.dataDir))
    if (name.startsWith('queue.db')) await rm(join(bench.dataDir, name));
  await bench.startAgent();
  await bench.untilIdle();
  expect(before).toBeDefined();
  expect(await listed(bench)).toBe(before);
  await bench.expectWhole();
});

test.concurrent(
  'a lost database loses none either where nothing makes pictures any more',
  long(),
  async (context) => {
    const { maker } = plain();
    const bench = await startBench(context, { files, thumbnails: maker });
    await bench.untilIdle();
    const before = await listed(bench);
    await bench.stopAgent();
    for (const name of await readdir(bench.dataDir))
      if (name.startsWith('queue.db')) await rm(join(bench.dataDir, name));
    await bench.startAgent({});
    await bench.untilIdle();
    expect(await listed(bench)).toBe(before);
  },
);
