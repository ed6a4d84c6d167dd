import { expect, test, vi } from 'vitest';
import { type FailureCode, FailureError } from '../../../shared/domain/failure.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const KEY = 'bench-key-7d1f0c2a9b';
/** Pause between two checks whether a refused key was replaced. */
const KEY_PAUSE_MS = 15_000;

test.concurrent('fault 53: a key that is revoked on a Friday night stops everything with one message and fails nothing', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/big.ts': 11_000_000, 'Gate 4/a.avi': 200_000, 'Gate 4/b.avi': 200_000 },
    simulator: { apiKey: KEY },
    hold: { call: 'putPart', partNumber: 1 },
  });
  await bench.hold.arrived;
  bench.simulator.setKeys([]);
  bench.hold.release();
  await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
  expect(bench.of('circuit.paused')).toMatchObject([{ circuit: 'service', code: 'KEY_REFUSED' }]);
  expect(JSON.stringify([bench.events, bench.logs])).not.toContain(KEY);
  const looks: readonly (string | undefined)[] = ['getUsers', 'getPeriods'];
  const refused = () =>
    bench.simulator.requests.all().filter(({ status, call }) => status === 401 && !looks.includes(call));
  // After a refusal the agent checks whether the key is valid for anything. This is the second look: a key that
  // is restored before it looks like one that lacks the video permission
  const explained = () => bench.simulator.requests.of('getPeriods', { status: 401 });
  await bench.until(() => explained().length === refused().length, 'the first refusals');
  const before = refused().length;
  await bench.until(() => (bench.skip(500), explained().length > before), 'a probe');
  expect(refused()).toHaveLength(before + 1);
  expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
  expect(bench.progress()).toMatchObject({ clipsFailed: 0, pausedBecause: { code: 'KEY_REFUSED' } });

  bench.simulator.setKeys([{ key: KEY, videoPermission: true }]);
  await bench.until(() => (bench.skip(500), bench.of('circuit.resumed').length > 0), 'the resumption');
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.of('circuit.paused')).toHaveLength(1);
  for (const partNumber of [1, 2, 3])
    expect(bench.simulator.requests.of('putPart', { partNumber })).toHaveLength(1);
});

// service.md gap 3
test.concurrent('input D24: a key without the video permission is told apart from a wrong key', async (context) => {
  const bench = await startBench(context, {
    files: { 'Gate 4/a.avi': 200_000 },
    simulator: { keys: [{ key: KEY, videoPermission: false }] },
    secrets: { apiKey: async () => KEY },
  });
  await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
  expect(bench.of('circuit.paused')).toMatchObject([
    { circuit: 'service', code: 'VIDEO_PERMISSION_MISSING' },
  ]);
  expect(bench.of('circuit.paused')[0]?.message).toContain('lacks the video permission');
  bench.simulator.setKeys([{ key: KEY, videoPermission: true }]);
  bench.skip(KEY_PAUSE_MS);
  await bench.untilIdle();
  await bench.expectWhole();
  expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
});

// service.md gaps 3 and 33
test.concurrent('an incident of another team holds the others up once, and fails alone with a reason of its own', async (context) => {
  const bench = await startBench(context, {
    files: { 'Gate 4/incident.json': '{"id": "CASE-42"}', 'Gate 4/a.avi': 200_000 },
    before: ({ faults }) =>
      faults.add({
        match: { incidentId: 'CASE-42', listener: 'service' },
        action: { kind: 'answer', status: 403, body: { message: 'Not yours' }, when: 'before' },
      }),
  });
  await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
  const isSent = (name: string) => bench.of('clip.uploaded').some(({ file }) => file === name);
  for (let clip = 0; bench.of('clip.failed').length === 0; clip += 1) {
    const path = `Ramp/${clip}.avi`;
    await bench.write(path, 200_000);
    await bench.until(() => (bench.skip(2_000), isSent(`${clip}.avi`)), path);
    bench.skip(30_000);
  }
  expect(bench.of('circuit.paused')).toHaveLength(1);
  expect(bench.of('clip.failed')).toMatchObject([{ code: 'VIDEO_PERMISSION_MISSING', file: 'a.avi' }]);
  expect(bench.of('clip.failed')[0]?.message).toContain('accepts others with the same key. Get incident');
  expect(bench.progress()).toMatchObject({ clipsFailed: 1, incidentsRefused: 1 });
});

test.concurrent('a key that was replaced in its file is used without a restart', async (context) => {
  let key = 'an-old-key-0000000';
  const bench = await startBench(context, {
    files: { 'Gate 4/a.avi': 200_000 },
    simulator: { apiKey: KEY },
    secrets: { apiKey: async () => key },
  });
  await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
  key = KEY;
  bench.skip(KEY_PAUSE_MS);
  await bench.untilIdle();
  await bench.expectWhole();
});

// No key, or one that cannot be read
mostlyLong(['KEY_MISSING', 'KEY_FILE_OPEN', 'KEY_FORMAT'] as const, 1, (some) =>
  test.concurrent.for(some)(
    'a key that cannot be used (%s) pauses everything and says why',
    async (code, context) => {
      let isMended = false;
      const bench = await startBench(context, {
        files: { 'Gate 4/a.avi': 200_000 },
        simulator: { apiKey: KEY },
        secrets: { apiKey: () => (isMended ? Promise.resolve(KEY) : unusable(code)) },
      });
      await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
      expect(bench.of('circuit.paused')).toMatchObject([{ circuit: 'service', code }]);
      expect(bench.simulator.requests.all()).toEqual([]);
      isMended = true;
      bench.skip(KEY_PAUSE_MS);
      await bench.untilIdle();
      await bench.expectWhole();
      expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
    },
  ),
);

async function unusable(code: FailureCode): Promise<undefined> {
  if (code === 'KEY_MISSING') return undefined;
  throw new FailureError({
    code,
    message: 'The key file can be used by others.',
    advice: 'chmod 600',
    retryable: false,
  });
}
