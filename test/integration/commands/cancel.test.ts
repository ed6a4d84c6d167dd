import { setTimeout as delay } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Ramp/big.ts': 12_000_000, 'Ramp/done.avi': 200_000 };
const settings = { upload: { concurrentParts: 1 } };

test.concurrent('a clip that is cancelled in the middle is aborted at the service and listed as failed; retried by its id, it is sent', async (context) => {
  const bench = await startBench(context, { files, settings, hold: { call: 'putPart', partNumber: 2 } });
  const { uploadId } = await bench.hold.arrived;
  await bench.until(() => bench.of('clip.uploaded').length === 1, 'the small clip');
  const { incidentId, clipId } = await bench.ids('Ramp/big.ts');
  expect(await bench.call('uploads.cancel', { target: { kind: 'incident', incidentId } })).toEqual({
    changed: 1,
  });
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole({ failed: ['Ramp/big.ts'] });
  const aborts = bench.simulator.requests.of('abortMultipartUpload', { status: 200 });
  expect(aborts.map(({ query }) => query['upload_id'])).toEqual([uploadId]);
  expect(bench.simulator.incidents().get(incidentId)?.failed_videos).toMatchObject([
    { id: clipId, upload_errors: [expect.stringContaining('cancelled')] },
  ]);
  const { row } = await bench.call('uploads.getClip', { clipId });
  expect(row).toMatchObject({ state: 'failed', bytesSent: 0, failure: { code: 'CANCELLED' } });
  expect(await bench.call('uploads.cancel', { target: { kind: 'incident', incidentId } })).toEqual({
    changed: 0,
  });

  for (const target of [{ kind: 'all' as const }, { kind: 'incident' as const, incidentId }])
    expect(await bench.call('uploads.retry', { target })).toEqual({ retried: 0, skipped: 1, incidents: 0 });
  const target = { kind: 'clips' as const, clipIds: [clipId] };
  expect(await bench.call('uploads.retry', { target })).toEqual({ retried: 1, skipped: 0, incidents: 0 });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
});

test.concurrent('a clip that completes while it is cancelled stays uploaded', long(), async (context) => {
  const bench = await startBench(context, { files, settings });
  await bench.untilIdle();
  const hold = bench.simulator.faults.hold({ call: 'completeMultipartUpload' }, 'after');
  await bench.write('Pier/big.ts', 6_000_000);
  await hold.arrived;
  const { incidentId } = await bench.ids('Pier/big.ts');
  const cancelled = bench.call('uploads.cancel', { target: { kind: 'incident', incidentId } });
  await delay(300);
  hold.release();
  expect(await cancelled).toEqual({ changed: 0 });
  await bench.untilIdle();
  await bench.expectWhole({ files: { ...files, 'Pier/big.ts': 0 } });
  expect(bench.simulator.requests.of('abortMultipartUpload')).toEqual([]);
});

test.concurrent('clips that wait are cancelled by name, and the others of their incident go on', async (context) => {
  const several = { 'Ramp/a.avi': 200_000, 'Ramp/b.avi': 200_000, 'Ramp/c.avi': 200_000 };
  const bench = await startBench(context, { files: several, hold: { call: 'putObject' } });
  await bench.hold.arrived;
  const ids = await Promise.all(['Ramp/a.avi', 'Ramp/c.avi'].map((path) => bench.ids(path)));
  const target = { kind: 'clips' as const, clipIds: ids.map(({ clipId }) => clipId) };
  expect(await bench.call('uploads.cancel', { target })).toEqual({ changed: 2 });
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole({ files: several, failed: ['Ramp/a.avi', 'Ramp/c.avi'] });
  expect(bench.of('clip.failed').map(({ code }) => code)).toEqual(['CANCELLED', 'CANCELLED']);
});
