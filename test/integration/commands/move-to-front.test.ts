import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'A/a.ts': 6_000_000, 'B/b.ts': 6_000_000, 'C/c.ts': 6_000_000, 'D/d.ts': 6_000_000 };

test.concurrent('an incident that is moved to the front overtakes what waits, and not what runs', async (context) => {
  const bench = await startBench(context, {
    files,
    settings: { upload: { concurrentFiles: 1, concurrentParts: 1 } },
    hold: { call: 'createMultipartUpload' },
  });
  const first = await bench.hold.arrived;
  await bench.until(() => bench.of('incident.found').length === 4, 'all incidents');
  await bench.until(() => {
    const asked = bench.simulator.requests.of('getIncident', { status: 404 });
    return new Set(asked.map(({ incidentId }) => incidentId)).size === 4;
  }, 'all checks');
  const waiting = bench.of('incident.found').filter(({ incidentId }) => incidentId !== first.incidentId);
  const last = waiting.at(-1)?.incidentId ?? '';
  const target = { kind: 'incident' as const, incidentId: last };
  expect(await bench.call('uploads.moveToFront', { target })).toEqual({ changed: 1 });
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole();
  const order = bench.simulator.requests.of('createMultipartUpload').map(({ incidentId }) => incidentId);
  expect(order.slice(0, 2)).toEqual([first.incidentId, last]);
});

test.concurrent('an order about something that is not in the queue changes nothing and says so', async (context) => {
  const bench = await startBench(context, { files: { 'A/a.avi': 100_000 } });
  const { clipId } = await bench.ids('A/a.avi');
  await bench.untilIdle();
  const unknown = { kind: 'clips' as const, clipIds: [clipId, 'nobody'] };
  for (const call of [
    'uploads.pause',
    'uploads.resume',
    'uploads.cancel',
    'uploads.moveToFront',
    'uploads.retry',
  ] as const)
    await expect(bench.call(call, { target: unknown }), call).rejects.toMatchObject({
      failure: { code: 'NOT_FOUND', message: expect.stringContaining('nobody') },
    });
  await bench.expectWhole();
});
