import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, type Bench, startBench } from '../../helpers/agent-bench.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Gate 4/a.avi': 200_000 };
const HOUR_MS = 3_600_000;

/** Time between the first two requests of a kind, milliseconds of the service's clock. */
function gapMs(bench: Bench, call: 'getUploadUrls' | 'putObject'): number {
  const [first, second] = bench.simulator.requests.of(call);
  if (first === undefined || second === undefined) throw new Error(`${call} was not repeated`);
  return second.at - first.at;
}

// Without Retry-After the clock of the bench gives a delay of 1 s
mostlyLong(
  [
    { form: 'seconds', value: '3', delayMs: 3000 },
    { form: 'a negative number', value: '-5', delayMs: 1000 },
    { form: 'words', value: 'soon', delayMs: 1000 },
    { form: 'nothing', value: undefined, delayMs: 1000 },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 51, input D16: a service that is limiting requests with $form is left alone that long',
      async ({ value, delayMs }, context) => {
        const bench = await startBench(context, {
          files,
          before: ({ faults }) => {
            const headers = value === undefined ? {} : { 'retry-after': value };
            const action = {
              kind: 'answer' as const,
              status: 429,
              body: { message: 'Slow down' },
              headers,
              when: 'before' as const,
            };
            faults.add({ match: { call: 'getUploadUrls' }, times: 1, action });
          },
        });
        await bench.untilIdle();
        await bench.expectWhole();
        expect(bench.of('circuit.paused')).toMatchObject([
          { circuit: 'service', code: 'RATE_LIMITED', delayMs },
        ]);
        expect(gapMs(bench, 'getUploadUrls')).toBeGreaterThanOrEqual(delayMs - 5);
        expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
      },
    ),
);

test.concurrent('fault 51, input D16: a Retry-After of thirty years is honoured for a day', async (context) => {
  const bench = await startBench(context, {
    files,
    before: ({ faults }) =>
      faults.add({
        match: { call: 'getUploadUrls' },
        times: 1,
        action: { kind: 'answer', status: 429, headers: { 'retry-after': '1000000000' }, when: 'before' },
      }),
  });
  await bench.until(() => bench.of('circuit.paused').length > 0);
  expect(bench.of('circuit.paused')[0]?.delayMs).toBe(24 * HOUR_MS);
  bench.skip(24 * HOUR_MS);
  await bench.untilIdle();
  await bench.expectWhole();
});

// service.md gap 27
mostlyLong([0, HOUR_MS, -HOUR_MS], 1, (some) =>
  test.concurrent.for(some)(
    'a Retry-After date is read on the clock of the service, which is %s ms off',
    async (clockOffsetMs, context) => {
      const bench = await startBench(context, {
        files,
        simulator: { clockOffsetMs },
        before: ({ faults }) =>
          faults.add({
            match: { call: 'getUploadUrls' },
            times: 1,
            action: {
              kind: 'answer',
              status: 503,
              headers: { 'retry-after': new Date(Date.now() + clockOffsetMs + 60_000).toUTCString() },
              when: 'before',
            },
          }),
      });
      await bench.until(() => bench.of('circuit.paused').length > 0);
      const delayMs = bench.of('circuit.paused')[0]?.delayMs ?? 0;
      // The rest of the minute when the answer arrives; both clocks have a resolution of a second
      expect(delayMs).toBeGreaterThan(30_000);
      expect(delayMs).toBeLessThanOrEqual(61_000);
      bench.skip(delayMs);
      await bench.untilIdle();
      await bench.expectWhole();
    },
  ),
);

// At storage
test.concurrent('storage that is limiting requests is left alone that long, and no clip is blamed', async (context) => {
  const bench = await startBench(context, {
    files,
    before: ({ faults }) =>
      faults.add({
        match: { call: 'putObject' },
        times: 1,
        action: {
          kind: 'answer',
          status: 503,
          code: 'SlowDown',
          headers: { 'retry-after': '3' },
          when: 'before',
        },
      }),
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.of('circuit.paused')).toMatchObject([
    { circuit: 'storage', code: 'STORAGE_SLOW_DOWN', delayMs: 3000 },
  ]);
  expect(gapMs(bench, 'putObject')).toBeGreaterThanOrEqual(3000);
  expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
});

mostlyLong([500, 503], 1, (some) =>
  test.concurrent.for(some)(
    'fault 52: a service that answers %s for minutes gets ever fewer requests, and all clips arrive later',
    async (status, context) => {
      const folders = ['A', 'B', 'C', 'D'];
      const many = Object.fromEntries(
        folders.flatMap((name) => [`${name}/1.avi`, `${name}/2.avi`]).map((path) => [path, 50_000]),
      );
      const bench = await startBench(context, { files: many });
      const { faults, requests } = bench.simulator;
      // The longest random delays: pauses of 2, 4, 8, 16 and then 30 s
      bench.clock.setRandom(0.999);
      faults.add({
        id: 'burst',
        match: { listener: 'service' },
        action: { kind: 'answer', status, when: 'before' },
      });
      const met = () => requests.all().filter(({ faultId }) => faultId === 'burst');
      // A request in flight when the circuit pauses would be late by the time skipped meanwhile
      await bench.until(() => bench.of('circuit.paused').length > 0, 'the burst');
      // Time passes about twenty times as fast as usual
      await bench.until(() => (bench.skip(400), met().length >= 7), 'the probes');
      const [first = 0, ...later] = met().map(({ at }) => at);
      // Two records that were sent at the same time cause only one pause
      const probes = later.filter((at) => at - first > 1900);
      const gapsMs = probes.map((at, index) => at - (probes[index - 1] ?? first));
      for (const [index, leastMs] of [1900, 3900, 7900, 15_900, 29_900].entries()) {
        expect(gapsMs[index]).toBeGreaterThanOrEqual(leastMs);
      }
      expect(bench.of('circuit.paused')).toHaveLength(1);
      faults.clear();
      bench.clock.setRandom(0);
      bench.skip(60_000);
      await bench.untilIdle();
      await bench.expectWhole();
      expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
    },
  ),
);

// At storage
test.concurrent('a burst of faults in storage loses no clip', async (context) => {
  const bench = await startBench(context, {
    files: { 'A/1.avi': 50_000, 'A/2.avi': 50_000, 'B/3.ts': 6_000_000 },
    before: ({ faults }) =>
      [500, 502, 504, 500].map((status) =>
        faults.add({
          match: { listener: 'storage' },
          times: 1,
          action: { kind: 'answer', status, code: 'InternalError', when: 'before' },
        }),
      ),
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.of('clip.failed')).toEqual([]);
  expect(bench.of('clip.retrying').map(({ code }) => code)).toContain('STORAGE_FAULT');
});
