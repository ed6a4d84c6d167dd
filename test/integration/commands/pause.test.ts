import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { clipQuerySchema, type ClipRowView } from '../../../shared/domain/upload-view.ts';
import { BENCH_TIMEOUT_MS, PART_BYTES, startBench, type Bench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const oneByOne = { upload: { concurrentFiles: 1, concurrentParts: 1 } };
/** Time in which an upload that must not be sent would have been sent, milliseconds. */
const LONG_ENOUGH_MS = 400;

async function clipOf(bench: Bench, path: string): Promise<ClipRowView | undefined> {
  const { clipId } = await bench.ids(path);
  const { rows } = await bench.call('uploads.listClips', clipQuerySchema.parse({}));
  return rows.find(({ id }) => id === clipId);
}
const sent = (bench: Bench) => bench.simulator.requests.of('putObject', { status: 200 });

test.concurrent('a clip that is paused in the middle goes on with the same upload, and only missing parts are sent', async (context) => {
  const files = { 'Ramp/big.ts': 12_000_000 };
  const bench = await startBench(context, {
    files,
    settings: oneByOne,
    hold: { call: 'putPart', partNumber: 2 },
  });
  await bench.hold.arrived;
  const { clipId } = await bench.ids('Ramp/big.ts');
  const target = { kind: 'clips' as const, clipIds: [clipId] };
  expect(await bench.call('uploads.pause', { target })).toEqual({ changed: 1 });
  expect(await clipOf(bench, 'Ramp/big.ts')).toMatchObject({
    state: 'paused',
    bytesSent: PART_BYTES,
    attempts: 0,
  });
  // Paused uploads do not keep the agent busy
  await bench.untilIdle();
  expect(bench.of('clip.uploaded')).toEqual([]);

  bench.hold.release();
  expect(await bench.call('uploads.resume', { target })).toEqual({ changed: 1 });
  await bench.untilIdle();
  await bench.expectWhole();
  const { requests } = bench.simulator;
  expect(requests.of('createMultipartUpload')).toHaveLength(1);
  expect([1, 2, 3].map((partNumber) => requests.of('putPart', { partNumber }).length)).toEqual([1, 2, 1]);
  expect(bench.of('clip.retrying')).toEqual([]);
});

test.concurrent('a pause waits for the upload that is just being opened, which is then used', async (context) => {
  const files = { 'Ramp/big.ts': 6_000_000 };
  const bench = await startBench(context, { files });
  await bench.untilIdle();
  const hold = bench.simulator.faults.hold({ call: 'createMultipartUpload' }, 'after');
  await bench.write('Pier/big.ts', 6_000_000);
  await hold.arrived;
  const paused = bench.call('uploads.pause', { target: { kind: 'all' } });
  await delay(LONG_ENOUGH_MS);
  hold.release();
  expect(await paused).toEqual({ changed: 1 });
  await bench.untilIdle();
  expect(await clipOf(bench, 'Pier/big.ts')).toMatchObject({ state: 'paused' });
  await bench.call('uploads.resume', { target: { kind: 'all' } });
  await bench.untilIdle();
  await bench.expectWhole({ files: { ...files, 'Pier/big.ts': 0 } });
  expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
});

test.concurrent('a pause of all outlives a restart, and the record is told all the same', async (context) => {
  const files = { 'Ramp/a.avi': 200_000, 'Pier/big.ts': 6_000_000 };
  const bench = await startBench(context, { files, hold: { call: 'getUploadUrls' } });
  await bench.hold.arrived;
  await bench.call('uploads.pause', { target: { kind: 'all' } });
  bench.hold.release();
  await bench.stopAgent();
  await bench.startAgent();
  await bench.write('Dock/late.avi', 100_000);
  await bench.until(async () => (await clipOf(bench, 'Dock/late.avi')) !== undefined, 'the late clip');
  await bench.untilIdle();
  await delay(LONG_ENOUGH_MS);
  expect(sent(bench)).toEqual([]);
  const { counts } = await bench.call('uploads.listClips', {});
  expect(counts).toEqual({ waiting: 0, uploading: 0, paused: 3, uploaded: 0, failed: 0, leftOut: 0 });
  expect((await bench.call('uploads.listIncidents', { state: 'paused' })).total).toBe(3);
  expect(bench.simulator.incidents().size).toBe(3);
  await bench.until(() => bench.progress()?.clipsPaused === 3, 'the clips that wait for a person');

  await bench.call('uploads.resume', { target: { kind: 'all' } });
  await bench.untilIdle();
  await bench.expectWhole({ files: { ...files, 'Dock/late.avi': 0 } });
});

test.concurrent('a paused incident gets its new clips and does not send them; others go on', async (context) => {
  const bench = await startBench(context, { files: { 'Ramp/a.avi': 200_000 } });
  await bench.untilIdle();
  const { incidentId } = await bench.ids('Ramp/a.avi');
  const target = { kind: 'incident' as const, incidentId };
  expect(await bench.call('uploads.pause', { target })).toEqual({ changed: 0 });
  await bench.write('Ramp/b.avi', 100_000);
  await bench.write('Pier/c.avi', 100_000);
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the clip of the other incident');
  await bench.until(async () => (await clipOf(bench, 'Ramp/b.avi')) !== undefined, 'the new clip');
  await bench.untilIdle();
  await delay(LONG_ENOUGH_MS);
  expect(sent(bench)).toHaveLength(2);
  expect(await clipOf(bench, 'Ramp/b.avi')).toMatchObject({ state: 'paused' });
  // Clips that wait for a person do not count as being sent
  await bench.until(() => bench.progress()?.bytesTotal === 300_000, 'the bytes that are to be sent');
  expect((await bench.call('uploads.getIncident', { incidentId })).row).toMatchObject({
    state: 'paused',
    uploaded: 1,
    pending: 1,
  });

  expect(await bench.call('uploads.resume', { target })).toEqual({ changed: 1 });
  await bench.untilIdle();
  await bench.expectWhole({ files: { 'Ramp/a.avi': 0, 'Ramp/b.avi': 0, 'Pier/c.avi': 0 } });
});
