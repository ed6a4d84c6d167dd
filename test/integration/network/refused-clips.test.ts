import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const others = { 'Gate 4/a.avi': 200_000, 'Gate 4/b.avi': 200_000, 'Ramp/c.avi': 200_000 };
const files = { ...others, 'Gate 4/huge.avi': 200_000 };
const huge = { call: 'putObject', pathContains: '-huge-' } as const;

test.concurrent('fault 59: a clip that storage finds too large fails with the reason, the others go on', async (context) => {
  const bench = await startBench(context, {
    files,
    before: ({ faults }) =>
      faults.add({
        match: huge,
        action: { kind: 'answer', status: 413, code: 'EntityTooLarge', when: 'before' },
      }),
  });
  await bench.untilIdle();
  await bench.expectWhole({ failed: ['Gate 4/huge.avi'] });
  expect(bench.of('clip.failed')).toMatchObject([{ code: 'FILE_TOO_LARGE', file: 'huge.avi' }]);
  expect(bench.of('clip.failed')[0]?.message).toContain('413');
});

// The answer arrives before the body was read
test.concurrent('a part that is refused as too large while it is being sent fails the clip with advice on parts, and "retry all" tries it again', async (context) => {
  const bench = await startBench(context, {
    files: { ...others, 'Ramp/huge.ts': 12_000_000 },
    before: ({ faults }) =>
      faults.add({
        match: { call: 'putPart', pathContains: '-huge-' },
        action: { kind: 'early-answer', status: 413, code: 'EntityTooLarge' },
      }),
  });
  await bench.untilIdle();
  await bench.expectWhole({ failed: ['Ramp/huge.ts'] });
  expect(bench.of('clip.failed')).toMatchObject([
    { code: 'STORAGE_REJECTED', file: 'huge.ts', message: expect.stringContaining('it is too large') },
  ]);
  const [failed] = [...bench.simulator.incidents().values()].flatMap((incident) => incident.failed_videos);
  expect(failed?.upload_errors.join(' ')).toContain('upload.partSizeBytes');
  bench.simulator.faults.clear();
  expect(await bench.call('uploads.retry', { target: { kind: 'all' } })).toMatchObject({ retried: 1 });
  await bench.untilIdle();
  await bench.expectWhole();
});

test.concurrent(
  'a clip in one piece that a limit on requests stops is sent in parts once the settings say so',
  long(),
  async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/huge.ts': 12_000_000 },
      settings: { upload: { multipartThresholdBytes: 100_000_000 } },
      before: ({ faults }) =>
        faults.add({ match: huge, action: { kind: 'early-answer', status: 413, code: 'EntityTooLarge' } }),
    });
    await bench.untilIdle();
    await bench.expectWhole({ failed: ['Ramp/huge.ts'] });
    await bench.stopAgent();
    await bench.startAgent({ upload: { multipartThresholdBytes: 5_242_880, partSizeBytes: 5_242_880 } });
    expect(await bench.call('uploads.retry', { target: { kind: 'all' } })).toMatchObject({ retried: 1 });
    await bench.untilIdle();
    await bench.expectWhole();
  },
);

mostlyLong(['putObject', 'getUploadUrls'] as const, 1, (some) =>
  test.concurrent.for(some)(
    'fault 59: a full store (507 on %s) holds a clip back, and it is sent once there is room',
    async (call, context) => {
      const match = call === 'putObject' ? huge : ({ call } as const);
      const bench = await startBench(context, {
        files,
        before: ({ faults }) =>
          faults.add({ match, times: 2, action: { kind: 'answer', status: 507, when: 'before' } }),
      });
      await bench.untilIdle();
      await bench.expectWhole();
      expect(bench.of('clip.failed')).toEqual([]);
      const reasons = [...bench.of('clip.retrying'), ...bench.of('circuit.paused')].map(({ code }) => code);
      expect(new Set(reasons)).toEqual(new Set([call === 'putObject' ? 'STORAGE_FAULT' : 'SERVICE_FAULT']));
    },
  ),
);

// The other clips do not wait for the one that does not fit
test.concurrent(
  'clips are sent while a full store (507) still refuses another one',
  long(),
  async (context) => {
    const bench = await startBench(context, {
      files,
      before: ({ faults }) =>
        faults.add({ id: 'full', match: huge, action: { kind: 'answer', status: 507, when: 'before' } }),
    });
    await bench.until(() => bench.of('clip.uploaded').length === 3, 'the other clips');
    expect(bench.of('clip.retrying').every(({ file }) => file === 'huge.avi')).toBe(true);
    bench.simulator.faults.remove('full');
    bench.skip(60_000);
    await bench.untilIdle();
    await bench.expectWhole();
  },
);

// service.md gap 6
test.concurrent.for([
  { what: 'in one piece', path: 'Gate 4/huge.avi', sizeBytes: 2_500_000, maxUploadSizeMb: 2 },
  { what: 'in parts', path: 'Ramp/huge.ts', sizeBytes: 12_000_000, maxUploadSizeMb: 11 },
])(
  'a clip $what over max_upload_size_mb is never sent and says so',
  async ({ path, sizeBytes, maxUploadSizeMb }, context) => {
    const bench = await startBench(context, {
      files: { ...others, [path]: sizeBytes },
      simulator: { maxUploadSizeMb },
    });
    await bench.untilIdle();
    await bench.expectWhole({ failed: [path] });
    expect(bench.of('clip.failed')).toMatchObject([{ code: 'FILE_TOO_LARGE' }]);
    const bytes = bench.simulator.requests.all().filter(({ path: url }) => url.includes('-huge-'));
    expect(bytes).toEqual([]);
    const [failed] = [...bench.simulator.incidents().values()].flatMap((incident) => incident.failed_videos);
    expect(failed?.upload_errors.join(' ')).toMatch(new RegExp(`the limit is ${maxUploadSizeMb}(\\.0)? MB`));
  },
);

// service.md gap 6
mostlyLong([0, -1], 1, (some) =>
  test.concurrent.for(some)('max_upload_size_mb of %s is no limit', async (maxUploadSizeMb, context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/huge.ts': 6_000_000 },
      simulator: { maxUploadSizeMb },
    });
    await bench.untilIdle();
    await bench.expectWhole();
  }),
);
