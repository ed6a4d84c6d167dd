import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import type { Call, FaultMatch } from '../../simulator/index.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const small = { 'Ramp/a.avi': 200_000, 'Ramp/b.avi': 200_000 };
const big = { 'Ramp/big.ts': 11_000_000, 'Ramp/small.avi': 200_000 };
/** Calls, and how often each is made when nothing goes wrong. */
const lost: readonly { call: Exclude<Call, 'unknown'>; match?: FaultMatch; files: object; usual: number }[] =
  [
    { call: 'createMultipartUpload', files: big, usual: 1 },
    // After a pause, a circuit is probed with one file before the others follow
    { call: 'getUploadUrls', files: small, usual: 2 },
    { call: 'putPart', match: { partNumber: 2 }, files: big, usual: 3 },
    { call: 'putObject', files: small, usual: 2 },
    { call: 'completeMultipartUpload', files: big, usual: 1 },
    // Once when it is new, and once before each PUT
    { call: 'getIncident', files: small, usual: 3 },
    { call: 'putIncident', files: small, usual: 2 },
  ];
const cases = [1, 2].flatMap((times) => lost.map((one) => ({ ...one, times })));

mostlyLong(cases, lost.length, (some) =>
  test.concurrent.for(some)(
    'fault 50: a clip is listed exactly once when the answer of $call is lost after its effect, $times times',
    async ({ call, match, files, times, usual }, context) => {
      const bench = await startBench(context, {
        files: { ...files },
        simulator: { repeatedComplete: 'same-answer' },
        before: ({ faults }) =>
          faults.add({ match: { call, ...match }, times, action: { kind: 'drop', when: 'after' } }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      const requests = bench.simulator.requests.of(call);
      expect(requests.filter(({ dropped }) => dropped === true)).toHaveLength(times);
      // Only the lost part is requested or sent again
      expect(requests.length).toBeLessThanOrEqual(usual + times);
      expect(bench.of('clip.failed')).toEqual([]);
      expect(bench.of('clip.uploaded')).toHaveLength(2);
    },
  ),
);

// service.md gap 15, a store that forgets a completed upload
mostlyLong([1, 2], 1, (some) =>
  test.concurrent.for(some)(
    'a clip whose completion was never answered, %s times, and is unknown then, is uploaded again under the same id',
    async (times, context) => {
      const bench = await startBench(context, {
        files: big,
        before: ({ faults }) =>
          faults.add({
            match: { call: 'completeMultipartUpload' },
            times,
            action: { kind: 'drop', when: 'after' },
          }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      const completes = bench.simulator.requests.of('completeMultipartUpload');
      const lost = Array.from({ length: times }, () => undefined);
      expect(completes.map(({ status }) => status)).toEqual([...lost, 404, 200]);
      expect(new Set(completes.slice(0, -1).map(({ uploadId }) => uploadId)).size).toBe(1);
      expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
      const fileIds = bench.simulator.requests.of('createMultipartUpload').map(({ fileId }) => fileId);
      expect(new Set(fileIds).size).toBe(1);
      expect(bench.simulator.requests.of('putPart')).toHaveLength(6);
    },
  ),
);

// service.md gap 15, a store that repeats its answer; the agent was stopped before the answer arrived
test.concurrent('fault 3: a completion whose answer came after the agent stopped is repeated, not the upload', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/big.ts': 11_000_000 },
    simulator: { repeatedComplete: 'same-answer' },
    before: ({ faults }) => faults.hold({ call: 'completeMultipartUpload' }, 'after'),
  });
  await bench.until(async () => (await bench.simulator.objects()).length === 1, 'the completed object');
  await bench.stopAgent();
  bench.simulator.faults.clear();
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.simulator.requests.of('completeMultipartUpload')).toHaveLength(2);
  expect(bench.simulator.requests.of('putPart')).toHaveLength(3);
});

// service.md gap 12: a new URL has a new key, and the first object would remain in storage without an incident
mostlyLong(['drop', 'no-etag', 'fault'] as const, 1, (some) =>
  test.concurrent.for(some)(
    'a clip in one piece whose answer was lost (%s) is sent to the same key again, so that nothing lies in storage unlisted',
    async (kind, context) => {
      const action =
        kind === 'drop'
          ? ({ kind, when: 'after' } as const)
          : kind === 'no-etag'
            ? ({ kind } as const)
            : ({ kind: 'answer', status: 500, code: 'InternalError', when: 'after' } as const);
      const bench = await startBench(context, {
        files: small,
        simulator: { singleKeys: 'per-request' },
        before: ({ faults }) => faults.add({ match: { call: 'putObject' }, times: 2, action }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      const listed = [...bench.simulator.incidents().values()].flatMap(({ uploaded_videos: videos }) =>
        videos.map(({ storage_key: key }) => key),
      );
      const stored = (await bench.simulator.objects()).map(({ key }) => key);
      expect(stored.toSorted()).toEqual(listed.toSorted());
    },
  ),
);

test.concurrent('a clip in one piece that was stored when the agent ended is sent to the same key again by the next one', async (context) => {
  const bench = await startBench(context, {
    files: small,
    simulator: { singleKeys: 'per-request' },
    before: ({ faults }) => void faults.hold({ call: 'putObject' }, 'after'),
  });
  await bench.until(async () => (await bench.simulator.objects()).length === 2, 'the stored objects');
  // The disk is now as a kill would leave it; the URL on it is useless without the key
  const onDisk = await Promise.all(
    (await readdir(bench.dataDir)).map((name) =>
      readFile(join(bench.dataDir, name), 'latin1').catch(() => ''),
    ),
  );
  expect(onDisk.some((text) => text.includes('kept_grants'))).toBe(true);
  expect(onDisk.filter((text) => /x-amz-signature/i.test(text))).toEqual([]);
  await bench.stopAgent();
  bench.simulator.faults.clear();
  await bench.startAgent();
  await bench.untilIdle();
  await bench.expectWhole();
  expect(bench.simulator.requests.of('getUploadUrls')).toHaveLength(1);
  expect(await bench.simulator.objects()).toHaveLength(2);
  const kept = new Database(join(bench.dataDir, 'queue.db'), { readonly: true });
  context.onTestFinished(() => void kept.close());
  expect(kept.prepare('SELECT count(*) FROM kept_grants').pluck().get()).toBe(0);
});
