import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = {
  'Gate 4/a.avi': 200_000,
  'Gate 4/b.mp4': { fixture: 'gate-4-north.mp4' },
  'Ramp/c.ts': 11_000_000,
};

test.concurrent('fault 45: a service that is down pauses everything with one message, and all is sent once it is back', async (context) => {
  const bench = await startBench(context, { files, before: (simulator) => simulator.goOffline() });
  await bench.until(() => bench.of('circuit.paused').length > 0);
  const [pause] = bench.of('circuit.paused');
  expect(pause).toMatchObject({ circuit: 'service', code: 'NETWORK' });
  expect(pause?.message).toContain(new URL(bench.simulator.baseUrl).host);
  expect(pause?.message).toContain('ECONNREFUSED');
  await bench.simulator.goOnline();
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.of('circuit.paused')).toHaveLength(1);
  expect(bench.of('circuit.resumed')).toHaveLength(1);
  expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
});

test.concurrent('fault 45: a service whose name is not found is named, and no clip is blamed', async (context) => {
  const bench = await startBench(context, { files, baseUrl: () => 'https://service.invalid/v1' });
  await bench.until(() => bench.of('circuit.paused').length > 0);
  expect(bench.of('circuit.paused')[0]).toMatchObject({ circuit: 'service', code: 'NETWORK' });
  expect(bench.of('circuit.paused')[0]?.message).toMatch(/service\.invalid \((ENOTFOUND|EAI_AGAIN)\)/);
  await bench.until(() => bench.progress()?.clips === 3, 'all clips in the queue');
  expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
});

test.concurrent(
  'storage that goes away between two parts costs no part that it has',
  long(),
  async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/c.ts': 16_000_000 },
      settings: { upload: { concurrentParts: 1 } },
      hold: { call: 'putPart', partNumber: 2 },
    });
    await bench.hold.arrived;
    await bench.simulator.goOffline('storage');
    bench.hold.release();
    await bench.until(
      () => bench.of('circuit.paused').some((pause) => pause.circuit === 'storage'),
      'the pause',
    );
    expect(bench.of('circuit.paused').find((pause) => pause.circuit === 'storage')).toMatchObject({
      code: 'NETWORK',
    });
    await bench.simulator.goOnline('storage');
    await bench.untilIdle();
    await bench.expectWhole();
    expect(bench.simulator.requests.of('putPart', { partNumber: 1 })).toHaveLength(1);
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
  },
);

// The product's time-outs are a minute and more, so the black hole ends in a reset here
mostlyLong(['getIncident', 'getUploadUrls', 'putIncident', 'putObject'] as const, 2, (some) =>
  test.concurrent.for(some)(
    'fault 46: a black hole on %s holds up one incident, not the other, and its end is noticed',
    async (call, context) => {
      const bench = await startBench(context, {
        files: { 'Gate 4/a.avi': 200_000, 'Ramp/b.avi': 200_000 },
        before: (simulator) =>
          simulator.faults.add({ id: 'hole', match: { call }, times: 1, action: { kind: 'hang' } }),
      });
      await bench.until(() => bench.simulator.requests.of(call).length > 1, 'the other incident');
      const [stuck] = bench.simulator.requests.of(call);
      const others = () =>
        [...bench.simulator.incidents().values()].filter(({ id }) => id !== stuck?.incidentId);
      await bench.until(
        () => others().some((incident) => incident.uploaded_videos.length === 1),
        'the other incident',
      );
      expect(stuck?.endedAt).toBeUndefined();
      bench.simulator.faults.clear();
      await bench.simulator.goOffline();
      await bench.simulator.goOnline();
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('clip.failed')).toEqual([]);
    },
  ),
);
