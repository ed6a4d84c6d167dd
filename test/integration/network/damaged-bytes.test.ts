import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { sendOthersUntil } from '../../helpers/misbehaviour.ts';
import { mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const files = { 'Ramp/big.ts': 12_000_000, 'Gate 4/a.avi': 200_000, 'Gate 4/odd.avi': 200_000 };
const places = [
  { what: 'part', match: { call: 'putPart', partNumber: 2, pathContains: '-big-' }, file: 'big.ts' },
  { what: 'clip in one piece', match: { call: 'putObject', pathContains: '-odd-' }, file: 'odd.avi' },
] as const;

mostlyLong(places, 1, (some) =>
  test.concurrent.for(some)(
    'fault 58: a $what whose etag tells of other bytes is sent again',
    async ({ match, file }, context) => {
      const bench = await startBench(context, {
        files,
        before: ({ faults }) => faults.add({ match, times: 1, action: { kind: 'mangle-etag' } }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('clip.retrying')).toMatchObject([{ code: 'BYTES_DAMAGED', file }]);
      expect(
        bench.simulator.requests.all().filter(({ call }) => call === 'putPart' || call === 'putObject'),
      ).toHaveLength(6);
    },
  ),
);

mostlyLong(places, 1, (some) =>
  test.concurrent.for(some)(
    'fault 58: a $what that is damaged each time while others pass is given up as such, never listed as uploaded',
    async ({ match, file }, context) => {
      const bench = await startBench(context, {
        files,
        before: ({ faults }) => faults.add({ match, action: { kind: 'mangle-etag' } }),
      });
      const isGivenUp = () => bench.of('clip.failed').length > 0;
      const others = await sendOthersUntil(
        bench,
        isGivenUp,
        file === 'big.ts' ? { extension: 'ts', sizeBytes: 6_000_000 } : {},
      );
      await bench.untilIdle();
      const failed = [file === 'big.ts' ? 'Ramp/big.ts' : 'Gate 4/odd.avi'];
      await bench.expectWhole({ failed, files: { ...files, ...others } });
      expect(bench.of('clip.failed')).toMatchObject([{ code: 'BYTES_DAMAGED', file }]);
      const [video] = [...bench.simulator.incidents().values()].flatMap((incident) => incident.failed_videos);
      expect(video?.upload_errors.join(' ')).toContain('damaged in transit');
    },
  ),
);

mostlyLong(places, 1, (some) =>
  test.concurrent.for(some)(
    'a $what that storage took without an etag is sent again',
    async ({ match, file }, context) => {
      const bench = await startBench(context, {
        files,
        before: ({ faults }) => faults.add({ match, times: 1, action: { kind: 'no-etag' } }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('clip.retrying')).toMatchObject([{ code: 'API_ETAG', file }]);
    },
  ),
);

mostlyLong(['"a b"', '"ümlaut"', '""', `"${'e'.repeat(600)}"`], 1, (some) =>
  test.concurrent.for(some)('input D23: an etag of the odd form %s is not used', async (etag, context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/big.ts': 6_000_000 },
      before: ({ faults }) =>
        faults.add({
          match: { call: 'putPart', partNumber: 2 },
          times: 1,
          action: {
            kind: 'raw',
            bytes: `HTTP/1.1 200 OK\r\netag: ${etag}\r\ncontent-length: 0\r\n\r\n`,
            base64: false,
          },
        }),
    });
    await bench.untilIdle();
    await bench.expectWhole();
    expect(bench.of('clip.retrying')).toMatchObject([{ code: 'API_ETAG' }]);
  }),
);
