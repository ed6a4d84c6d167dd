import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const oneByOne = { upload: { concurrentFiles: 1, concurrentParts: 1 } };
const bigFile = { 'Ramp/big.ts': 12_000_000 };
/** Longer than the lifetime of the simulator's URLs, milliseconds. */
const A_NIGHT_MS = 9 * 3_600_000;

test.concurrent('a clip that is under way when the PC falls asleep goes on after it, with URLs of its own time, and is not blamed', async (context) => {
  const bench = await startBench(context, {
    files: bigFile,
    settings: oneByOne,
    hold: { call: 'putPart', partNumber: 2 },
  });
  await bench.hold.arrived;
  await bench.agent().suspend();
  const asked = bench.simulator.requests.of('getUploadUrls').length;
  bench.skip(A_NIGHT_MS);
  bench.hold.release();
  await bench.agent().resume();
  await bench.untilIdle();

  await bench.expectWhole();
  const { requests } = bench.simulator;
  expect(requests.of('createMultipartUpload')).toHaveLength(1);
  expect(requests.of('putPart', { partNumber: 1 })).toHaveLength(1);
  expect(requests.of('getUploadUrls').length).toBeGreaterThan(asked);
  expect(bench.of('clip.retrying')).toEqual([]);
  expect(bench.of('circuit.paused')).toEqual([]);
});

test.concurrent('nothing is begun while the PC sleeps, and no person has paused anything', async (context) => {
  const bench = await startBench(context);
  await bench.agent().suspend();
  await bench.write('Pier/small.ts', 40_000);
  await bench.until(() => bench.of('incident.found').length === 1, 'the export is in the queue');
  expect(await bench.call('health.get', {})).toMatchObject({ isPaused: false, queue: { waiting: 1 } });
  expect(bench.simulator.requests.all()).toEqual([]);

  await bench.agent().resume();
  await bench.untilIdle();
  await bench.expectWhole({ files: { 'Pier/small.ts': 40_000 } });
});

test.concurrent('after the sleep it waits till the service can be reached before anything is sent', async (context) => {
  const bench = await startBench(context);
  await bench.agent().suspend();
  await bench.write('Pier/small.ts', 40_000);
  await bench.until(() => bench.of('incident.found').length === 1, 'the export is in the queue');
  bench.simulator.faults.add({
    match: { call: 'getPeriods' },
    times: 2,
    action: { kind: 'drop', when: 'before' },
  });
  await bench.agent().resume();
  await bench.untilIdle();

  const calls = bench.simulator.requests.all().map(({ call }) => call);
  expect(calls.slice(0, 3)).toEqual(['getPeriods', 'getPeriods', 'getPeriods']);
  expect(bench.of('circuit.paused')).toEqual([]);
  await bench.expectWhole({ files: { 'Pier/small.ts': 40_000 } });
});

test.concurrent('fault 6: a program that is about to end lets the part on the line arrive and begins no other', async (context) => {
  const bench = await startBench(context, {
    files: bigFile,
    settings: oneByOne,
    hold: { call: 'putPart', partNumber: 2 },
  });
  await bench.hold.arrived;
  const drained = bench.agent().drain();
  bench.hold.release();
  await drained;
  const { requests } = bench.simulator;
  expect(requests.of('putPart').map(({ partNumber }) => partNumber)).toEqual([1, 2]);

  await bench.stopAgent();
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole();
  expect(requests.of('putPart').map(({ partNumber }) => partNumber)).toEqual([1, 2, 3]);
  expect(bench.of('clip.retrying')).toEqual([]);
});
