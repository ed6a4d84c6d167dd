import { expect, test, vi, type TestContext } from 'vitest';
import { BENCH_TIMEOUT_MS, type Bench, startBench } from '../../helpers/agent-bench.ts';
import type { FaultAction, LoggedRequest } from '../../simulator/index.ts';
import { sendOthersUntil } from '../../helpers/misbehaviour.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Ramp/big.ts': 11_000_000, 'Ramp/small.avi': 200_000 };

/** Aborts the upload behind the agent's back, as a bucket's life-cycle rule does. */
async function abortBehindItsBack(
  { simulator }: Bench,
  { incidentId, key = '', uploadId = '' }: LoggedRequest,
): Promise<void> {
  const query = new URLSearchParams({ storage_key: key, upload_id: uploadId });
  const url = `${simulator.baseUrl}/vms/incidents/${incidentId}/abort_multipart_upload?${query.toString()}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${simulator.apiKey}` } });
  expect(answer.status).toBe(200);
}

/** A desk that stopped in the middle of an upload, which storage has since forgotten. */
async function startForgotten(context: Pick<TestContext, 'onTestFinished'>) {
  const bench = await startBench(context, {
    files,
    settings: { upload: { concurrentParts: 1 } },
    hold: { call: 'putPart', partNumber: 2 },
  });
  const part = await bench.hold.arrived;
  await bench.stopAgent();
  bench.hold.release();
  await abortBehindItsBack(bench, part);
  return bench;
}

mostlyLong([{ call: 'putPart', partNumber: 2 }, { call: 'completeMultipartUpload' }] as const, 1, (some) =>
  test.concurrent.for(some)(
    'fault 55: an upload that storage forgot before $call starts over under the same id',
    async (match, context) => {
      const bench = await startBench(context, { files, hold: match });
      await abortBehindItsBack(bench, await bench.hold.arrived);
      bench.hold.release();
      await bench.untilIdle();
      await bench.expectWhole({ files });
      const creates = bench.simulator.requests.of('createMultipartUpload');
      expect(creates).toHaveLength(2);
      expect(new Set(creates.map(({ fileId }) => fileId)).size).toBe(1);
      const reasons = bench.of('clip.retrying').map((event) => event.code);
      expect(new Set(reasons)).toEqual(new Set(['STORAGE_NO_UPLOAD']));
      expect(bench.of('clip.failed')).toEqual([]);
    },
  ),
);

test.concurrent(
  'an upload that was forgotten while the PC was off starts over, old parts and all',
  long(),
  async (context) => {
    const bench = await startForgotten(context);
    await bench.startAgent();
    await bench.untilIdle();
    await bench.expectWhole({ files });
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
    expect(bench.of('clip.failed')).toEqual([]);
  },
);

test.concurrent(
  'an upload that was forgotten in a bad hour starts over soon after its end, however long it was',
  long(),
  async (context) => {
    const bench = await startForgotten(context);
    const outage = 3;
    const before = bench.simulator.requests.of('getUploadUrls').length;
    bench.simulator.faults.add({
      match: { call: 'getUploadUrls' },
      times: outage,
      action: answer(503, 'Unavailable'),
    });
    await bench.startAgent();
    await bench.untilIdle();
    await bench.expectWhole({ files });
    const unknown = bench.simulator.requests
      .of('getUploadUrls')
      .slice(before + outage)
      .filter(({ status }) => status === 404);
    expect(unknown).toHaveLength(2);
  },
);

const answer = (status: number, code: string, when: 'before' | 'after' = 'before'): FaultAction => ({
  kind: 'answer',
  status,
  body: { status, message: `${code}: ordered` },
  when,
});
const refusals = [
  { status: 400, code: 'InvalidPart' },
  { status: 400, code: 'EntityTooSmall' },
  { status: 409, code: 'ConditionalRequestConflict' },
  { status: 412, code: 'PreconditionFailed' },
];

mostlyLong(refusals, 1, (some) =>
  test.concurrent.for(some)(
    'fault 56: a completion that storage refuses twice with $status $code is repaired by one new upload',
    async ({ status, code }, context) => {
      const bench = await startBench(context, {
        files,
        before: ({ faults }) =>
          faults.add({ match: { call: 'completeMultipartUpload' }, times: 2, action: answer(status, code) }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
      expect(bench.simulator.requests.of('abortMultipartUpload')).toHaveLength(1);
      expect(bench.of('clip.retrying').map((event) => event.code)).toEqual([
        'STORAGE_REJECTED',
        'STORAGE_REJECTED',
      ]);
    },
  ),
);

// Our bytes are already there
mostlyLong([409, 412], 1, (some) =>
  test.concurrent.for(some)(
    'fault 56: a completion that is answered %s although it was done lists the clip once',
    async (status, context) => {
      const bench = await startBench(context, {
        files,
        before: ({ faults }) =>
          faults.add({
            match: { call: 'completeMultipartUpload' },
            times: 1,
            action: answer(status, 'Conflict', 'after'),
          }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
    },
  ),
);

test.concurrent(
  'a completion that was carried out in a bad hour, and never answered, is made good at the first clear answer',
  long(),
  async (context) => {
    const lost = 5;
    const bench = await startBench(context, {
      files,
      before: ({ faults }) =>
        faults.add({
          match: { call: 'completeMultipartUpload' },
          times: lost,
          action: answer(507, 'InsufficientStorage', 'after'),
        }),
    });
    await bench.untilIdle();
    await bench.expectWhole({ files });
    // The one that reports that the upload is unknown, and that of the new upload
    expect(bench.simulator.requests.of('completeMultipartUpload')).toHaveLength(lost + 2);
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(2);
    expect(bench.of('clip.failed')).toEqual([]);
  },
);

test.concurrent('a clip whose completion is always refused while others pass is given up with the reason, and leaves nothing open', async (context) => {
  const bench = await startBench(context, { files, hold: { call: 'createMultipartUpload' } });
  const { incidentId = '' } = await bench.hold.arrived;
  bench.simulator.faults.add({
    match: { call: 'completeMultipartUpload', incidentId },
    action: answer(400, 'InvalidPart'),
  });
  bench.hold.release();
  const isGivenUp = () => bench.of('clip.failed').length > 0;
  const others = await sendOthersUntil(bench, isGivenUp, { extension: 'ts', sizeBytes: 6_000_000 });
  await bench.untilIdle();
  await bench.expectWhole({ files: { ...files, ...others }, failed: ['Ramp/big.ts'] });
  expect(bench.of('clip.failed')).toMatchObject([{ code: 'STORAGE_REJECTED', file: 'big.ts' }]);
  expect(bench.of('clip.failed')[0]?.message).toContain('InvalidPart');
  // It starts over only after the 2nd, 4th and 8th refusal
  const creates = bench.simulator.requests.of('createMultipartUpload', { incidentId });
  expect(creates.length).toBeLessThanOrEqual(4);
});

// service.md gap 22: completion is JSON of the service, errors may come with HTTP 200
mostlyLong(['before', 'after'] as const, 1, (some) =>
  test.concurrent.for(some)(
    'fault 57: a completion that answers 200 with an error inside, %s its effect, does not count as done',
    async (when, context) => {
      const bench = await startBench(context, {
        files,
        simulator: { repeatedComplete: 'same-answer' },
        before: ({ faults }) =>
          faults.add({
            match: { call: 'completeMultipartUpload' },
            times: 1,
            action: { kind: 'answer', status: 200, body: { status: 500, message: 'InternalError' }, when },
          }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.simulator.requests.of('completeMultipartUpload')).toHaveLength(2);
      expect(bench.simulator.requests.of('putPart')).toHaveLength(3);
    },
  ),
);

// At storage
mostlyLong(['putObject', 'putPart'] as const, 1, (some) =>
  test.concurrent.for(some)(
    'a %s that storage answers with 200 and an error document is sent again',
    async (call, context) => {
      const bench = await startBench(context, {
        files,
        before: ({ faults }) =>
          faults.add({
            match: { call },
            times: 1,
            action: { kind: 'answer', status: 200, code: 'InternalError', when: 'before' },
          }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('clip.retrying')).toMatchObject([{ code: 'STORAGE_FAULT' }]);
    },
  ),
);
