import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, PART_BYTES } from '../../helpers/agent-bench.ts';
import { checkInvariants } from '../../helpers/invariants.ts';
import { noise } from '../../helpers/bench-files.ts';
import { mountSmallDisk, noSmallDisk } from '../../helpers/small-disk.ts';
import { PIECE_BYTES, PIECE_MS, startGrowingBench, type GrowingBench } from './growing-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const FILE = 'Gate/recording.ts';
const BYTES = 4 * PART_BYTES + 1_000;
const HOURS_MS = 3_600_000;
/** Most requests that probe whether storage is back, while a circuit is closed for some seconds. */
const MOST_PROBES = 4;
const CIRCUIT_PAUSE_MS = 60_000;

const growToThree = (bench: GrowingBench): Promise<void> =>
  bench.growUntil(FILE, BYTES, () => bench.livePartCount() >= 3);

const countOf = (numbers: readonly number[], part: number): number =>
  numbers.filter((number) => number === part).length;

/** As another program, or a killed process, whose part reaches storage late. */
async function putLate(bench: GrowingBench, number: number, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const [upload] = bench.rows<{ clip: string; incident: string; key: string; id: string; count: number }>(
    `SELECT clip_id AS clip, incident_id AS incident, multiparts.storage_key AS key, upload_id AS id,
     part_count AS count FROM multiparts JOIN clips ON clips.id = clip_id`,
  );
  if (upload === undefined) throw new Error('No upload is open');
  const { clip, incident, key, id, count } = upload;
  const { simulator } = bench;
  const answer = await fetch(`${simulator.baseUrl}/vms/incidents/${incident}/upload_urls`, {
    method: 'POST',
    headers: { authorization: `Bearer ${simulator.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ files: { [clip]: { part_count: count, storage_key: key, upload_id: id } } }),
  });
  const { uploads } = (await answer.json()) as { uploads: Record<string, { signed_urls: string[] }> };
  const url = uploads[clip]?.signed_urls[number - 1] ?? '';
  const put = await fetch(url, { method: 'PUT', body, headers: { 'content-type': '' } });
  expect(put.status).toBe(200);
}

test.concurrent(
  'parts that a late PUT may have overtaken are sent again, not the clip',
  long(),
  async (context) => {
    const bench = await startGrowingBench(context, { hold: { call: 'completeMultipartUpload' } });
    await growToThree(bench);
    const before = await readFile(bench.pathOf(FILE));
    const file = await open(bench.pathOf(FILE), 'r+');
    await file.write(Buffer.from([1]), 0, 1, 2 * PART_BYTES + 77);
    await file.close();
    await bench.hold.arrived;
    await putLate(bench, 3, Uint8Array.from(before.subarray(2 * PART_BYTES, 3 * PART_BYTES)));
    bench.hold.release();
    await bench.untilSent();
    await bench.expectExactly([await bench.note(FILE)]);
    const puts = bench.putParts();
    expect(puts.filter((number) => number !== 3).length).toBe(new Set(puts).size - 1);
    expect(countOf(puts, 3)).toBe(4);
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
    expect(bench.simulator.requests.of('completeMultipartUpload')).toHaveLength(2);
  },
);

test.concurrent('URLs that lapse while the file is written are asked for again', async (context) => {
  const bench = await startGrowingBench(context);
  await growToThree(bench);
  const asked = bench.simulator.requests.of('getUploadUrls').length;
  bench.skip(3 * HOURS_MS);
  await bench.growUntil(FILE, PART_BYTES, () => bench.livePartCount() >= 4);
  expect(bench.simulator.requests.of('getUploadUrls').length).toBeGreaterThan(asked);
  await bench.untilSent();
  await bench.expectExactly([await bench.note(FILE)]);
  expect(new Set(bench.putParts()).size).toBe(bench.putParts().length);
});

test.concurrent(
  'a file that is too large for the service at its end fails, and its parts are aborted',
  long(),
  async (context) => {
    const bench = await startGrowingBench(context);
    await growToThree(bench);
    bench.simulator.configure({ maxUploadSizeMb: 10 });
    await bench.until(() => bench.of('clip.failed').length === 1, 'the failed clip');
    await bench.untilIdle();
    await bench.expectExactly([await bench.note(FILE, 'failed')]);
    expect(await bench.simulator.openUploads()).toEqual([]);
  },
);

const stops: readonly (readonly [
  string,
  (bench: GrowingBench) => unknown,
  (bench: GrowingBench) => unknown,
])[] = [
  [
    'a person has paused the uploads',
    (bench) => bench.call('uploads.pause', { target: { kind: 'all' } }),
    (bench) => bench.call('uploads.resume', { target: { kind: 'all' } }),
  ],
  ['the PC sleeps', (bench) => bench.agent().suspend(), (bench) => bench.agent().resume()],
];

mostlyLong(stops, 1, (some) =>
  test.concurrent.for(some)('nothing is sent ahead while %s', async ([_what, stop, goOn], context) => {
    const bench = await startGrowingBench(context);
    await growToThree(bench);
    await stop(bench);
    const sent = bench.putParts().length;
    const isDue = (): boolean =>
      bench.rows("SELECT 1 FROM jobs WHERE kind = 'send-ahead' AND state = 'ready'").length > 0;
    await bench.growUntil(FILE, 2 * PART_BYTES, isDue);
    expect(bench.putParts().length).toBe(sent);
    await goOn(bench);
    await bench.untilSent();
    await bench.expectExactly([await bench.note(FILE)]);
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
  }),
);

test.concurrent('nothing but probes is sent ahead while storage is down, and the upload goes on after it', async (context) => {
  const bench = await startGrowingBench(context);
  await growToThree(bench);
  const down = {
    match: { call: 'putPart' },
    action: { kind: 'answer', status: 503, when: 'before' },
  } as const;
  bench.simulator.faults.add(down);
  const isPaused = (): boolean => bench.of('circuit.paused').some(({ circuit }) => circuit === 'storage');
  await bench.growUntil(FILE, 2 * PART_BYTES, isPaused);
  const refused = (): number => bench.simulator.requests.of('putPart', { status: 503 }).length;
  const before = refused();
  const looks = bench.looksAt('Gate');
  await bench.growUntil(FILE, 2 * PART_BYTES, () => bench.looksAt('Gate') > looks + 4);
  expect(refused() - before).toBeLessThanOrEqual(MOST_PROBES);
  bench.simulator.faults.clear();
  bench.skip(CIRCUIT_PAUSE_MS);
  await bench.growUntil(FILE, 0, () => bench.livePartCount() >= 5);
  await bench.untilSent();
  await bench.expectExactly([await bench.note(FILE)]);
  expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
});

test.concurrent('what was sent ahead of a clip that a person cancels is aborted', long(), async (context) => {
  const bench = await startGrowingBench(context);
  await growToThree(bench);
  await bench.call('uploads.pause', { target: { kind: 'all' } });
  await bench.until(() => bench.of('incident.found').length === 1, 'the finished clip in the queue');
  const { clipId } = await bench.ids(FILE);
  await bench.call('uploads.cancel', { target: { kind: 'clips', clipIds: [clipId] } });
  await bench.call('uploads.resume', { target: { kind: 'all' } });
  await bench.simulator.requests.ended('abortMultipartUpload', 1);
  await bench.untilIdle();
  expect(await bench.simulator.openUploads()).toEqual([]);
  expect(bench.of('clip.uploaded')).toEqual([]);
});

test.concurrent('the third +faststart file sends nothing in vain', long(), async (context) => {
  const bench = await startGrowingBench(context);
  for (const number of [1, 2]) {
    const file = `Gate ${number}/recording.ts`;
    await bench.growUntil(file, BYTES, () => bench.livePartCount() >= 3);
    // Its writer moves all of it, to make room for the index
    const { size } = await stat(bench.pathOf(file));
    await writeFile(bench.pathOf(file), noise(size), { flag: 'r+' });
    await bench.untilSent(number);
  }
  expect(bench.rows('SELECT 1 FROM live_results WHERE void_bytes = sent_bytes')).toHaveLength(2);
  const sent = bench.putParts().length;
  await bench.growUntil('Gate 3/recording.ts', BYTES, () => bench.looksAt('Gate 3') > 6);
  expect([bench.liveCount(), bench.putParts().length]).toEqual([0, sent]);
  await bench.untilSent(3);
  const files = ['Gate 1', 'Gate 2', 'Gate 3'].map((folder) => bench.note(`${folder}/recording.ts`));
  await bench.expectExactly(await Promise.all(files));
  const { clipId } = await bench.ids('Gate 3/recording.ts');
  const puts = bench.putParts(clipId);
  expect(new Set(puts).size).toBe(puts.length);
});

test.concurrent('what has settled goes first', long(), async (context) => {
  const bench = await startGrowingBench(context, { hold: { call: 'putObject' } });
  await bench.write('Pier/small.ts', 40_000);
  await bench.hold.arrived;
  await bench.growUntil(FILE, BYTES, () => bench.looksAt('Gate') > 6);
  expect(bench.liveCount()).toBe(0);
  bench.hold.release();
  await bench.growUntil(FILE, 0, () => bench.livePartCount() >= 3);
  await bench.untilSent(2);
  await bench.expectExactly([await bench.note(FILE), await bench.note('Pier/small.ts')]);
});

test.concurrent(
  'a service that refuses another number of parts ends it, and has the clip whole',
  long(),
  async (context) => {
    const bench = await startGrowingBench(context);
    await growToThree(bench);
    bench.simulator.faults.add({
      match: { call: 'getUploadUrls' },
      times: 1,
      action: { kind: 'answer', status: 422, body: { status: 422, message: 'part_count differs' } },
    });
    await bench.untilSent();
    await bench.expectExactly([await bench.note(FILE)]);
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
    expect(bench.simulator.requests.of('abortMultipartUpload')).toHaveLength(1);
    expect((await bench.call('health.get', {})).ahead?.refusedUntil).toBeDefined();
    await bench.growUntil('Gate 2/recording.ts', BYTES, () => bench.looksAt('Gate 2') > 6);
    expect(bench.liveCount()).toBe(0);
  },
);

test.concurrent('a share that goes away and comes back costs nothing', long(), async (context) => {
  const bench = await startGrowingBench(context);
  await growToThree(bench);
  // The recorder never pauses, or its file would settle
  const file = await open(bench.pathOf(FILE), 'a');
  let isRecording = true;
  const record = async (): Promise<void> => {
    while (isRecording) {
      await file.appendFile(noise(PIECE_BYTES));
      await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
    }
    await file.close();
  };
  const recording = record();
  const away = join(bench.root, '..', 'away');
  await rename(bench.root, away);
  const isOnline = async () => (await bench.call('health.get', {})).roots[0]?.isOnline;
  await bench.until(async () => (await isOnline()) === false, 'the root to be away');
  await rename(away, bench.root);
  await bench.until(isOnline, 'the root to be back');
  isRecording = false;
  await recording;
  await bench.growUntil(FILE, PART_BYTES, () => bench.livePartCount() >= 4);
  await bench.untilSent();
  await bench.expectExactly([await bench.note(FILE)]);
  expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
});

test.skipIf(noSmallDisk !== undefined)(
  `a data disk that fills while a file is sent ahead loses nothing (${noSmallDisk ?? 'tmpfs'})`,
  async (context) => {
    const disk = mountSmallDisk(context, 16);
    const bench = await startGrowingBench(context, { dataDir: join(disk.folder, 'data') });
    await growToThree(bench);
    disk.fill();
    const isPaused = (): boolean => bench.of('circuit.paused').some(({ circuit }) => circuit === 'desk');
    await bench.growUntil(FILE, PART_BYTES, isPaused);
    disk.free();
    await bench.untilSent();
    const sources = [await bench.note(FILE)];
    expect(await checkInvariants({ simulator: bench.simulator, sources })).toEqual([]);
  },
);

test.concurrent('parts on the line make way for a large clip that has settled', long(), async (context) => {
  const bench = await startGrowingBench(context, {
    hold: { call: 'getIncident' },
    settings: { upload: { maxBytesPerSecond: 2_000_000 } },
  });
  await bench.write('Pier/settled.ts', 6_000_000);
  await bench.hold.arrived;
  await bench.growUntil(FILE, BYTES, () => bench.putParts().length >= 3);
  bench.hold.release();
  await bench.growUntil(FILE, 0, () => bench.of('clip.uploaded').length === 1);
  const { clipId } = await bench.ids(FILE);
  const cut = bench.simulator.requests.of('putPart', { fileId: clipId });
  expect(cut.filter(({ status }) => status === 200).length).toBeLessThan(cut.length);
  expect(bench.rows("SELECT 1 FROM live_results WHERE container = 'made way'").length).toBeGreaterThan(0);
  await bench.stopAgent();
  await bench.startAgent({ upload: { maxBytesPerSecond: null } });
  // They are sent like the others, and not left for the end
  await bench.growUntil(FILE, 0, () => bench.livePartCount() >= 3);
  expect(new Set(bench.putParts(clipId)).size).toBeLessThan(bench.putParts(clipId).length);
  await bench.untilSent(2);
  await bench.expectExactly([await bench.note(FILE), await bench.note('Pier/settled.ts')]);
});
