import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, PART_BYTES, startBench } from '../../helpers/agent-bench.ts';
import type { FaultAction, FaultMatch, FaultRule } from '../../simulator/index.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** One rule per action, each for a single request: the first matching request gets the first action. */
const inTurn = (match: FaultMatch, actions: readonly FaultAction[]): FaultRule[] =>
  actions.map((action) => ({ match, times: 1, action }));

const resetsWhileSending = (sizeBytes: number) =>
  [0, 1, 65_536, Math.floor(sizeBytes / 2), sizeBytes - 1, sizeBytes].map((bytes) => ({
    kind: 'reset-after-bytes' as const,
    bytes,
  }));
/** Before the answer, inside its first line, inside its headers, and shortly before its end. */
const resetsInTheAnswer = [0, 1, 12, 60, 170].map((bytes) => ({ kind: 'reset-in-answer' as const, bytes }));

mostlyLong(
  [
    { where: 'while it is sent', actions: resetsWhileSending(PART_BYTES) },
    { where: 'in its answer', actions: resetsInTheAnswer },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 47: a part whose connection is reset at any byte $where is sent again alone',
      async ({ actions }, context) => {
        const bench = await startBench(context, {
          files: { 'Ramp/c.ts': 11_000_000 },
          before: ({ faults }) => inTurn({ call: 'putPart', partNumber: 2 }, actions).map(faults.add),
        });
        await bench.untilIdle();
        await bench.expectWhole();
        const sent = (partNumber: number) => bench.simulator.requests.of('putPart', { partNumber });
        expect(sent(1)).toHaveLength(1);
        expect(sent(3)).toHaveLength(1);
        expect(sent(2)).toHaveLength(actions.length + 1);
        expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
        expect(bench.of('clip.failed')).toEqual([]);
      },
    ),
);

mostlyLong(
  [
    { where: 'while it is sent', actions: resetsWhileSending(400_000) },
    { where: 'in its answer', actions: resetsInTheAnswer },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'a small clip whose connection is reset at any byte $where does not hold up its neighbours',
      async ({ actions }, context) => {
        const bench = await startBench(context, {
          files: { 'Gate 4/broken.avi': 400_000, 'Gate 4/a.avi': 200_000, 'Gate 4/b.avi': 200_000 },
          before: ({ faults }) =>
            inTurn({ call: 'putObject', pathContains: '-broken-' }, actions).map(faults.add),
        });
        await bench.untilIdle();
        await bench.expectWhole();
        const puts = bench.simulator.requests.of('putObject');
        expect(puts.filter(({ path }) => !path.includes('-broken-'))).toHaveLength(2);
        expect(puts).toHaveLength(3 + actions.length);
      },
    ),
);

mostlyLong(
  [
    { call: 'getIncident', files: { 'Ramp/c.avi': 200_000 } },
    { call: 'createMultipartUpload', files: { 'Ramp/c.ts': 6_000_000 } },
    { call: 'getUploadUrls', files: { 'Ramp/c.avi': 200_000 } },
    { call: 'completeMultipartUpload', files: { 'Ramp/c.ts': 6_000_000 } },
    { call: 'putIncident', files: { 'Ramp/c.avi': 200_000 } },
  ] as const,
  2,
  (some) =>
    test.concurrent.for(some)(
      'fault 47: a connection that is reset at any byte of the answer of $call loses and doubles nothing',
      async ({ call, files }, context) => {
        const bench = await startBench(context, {
          files,
          simulator: { repeatedComplete: 'same-answer' },
          before: ({ faults }) => inTurn({ call }, resetsInTheAnswer).map(faults.add),
        });
        await bench.untilIdle();
        await bench.expectWhole();
        const sent = [...bench.simulator.requests.of('putPart'), ...bench.simulator.requests.of('putObject')];
        expect(sent).toHaveLength(
          call === 'createMultipartUpload' || call === 'completeMultipartUpload' ? 2 : 1,
        );
        expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
      },
    ),
);
