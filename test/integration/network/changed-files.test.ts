import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, PART_BYTES, startBench } from '../../helpers/agent-bench.ts';
import { long } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

// service.md gap 16
test.concurrent('an upload of a clip that grew meanwhile is aborted until the service has answered, and the clip is sent as it is now', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/big.ts': 12_000_000 },
    before: ({ faults }) =>
      [500, 503].map((status) =>
        faults.add({
          match: { call: 'abortMultipartUpload' },
          times: 1,
          action: { kind: 'answer', status, when: 'before' },
        }),
      ),
    hold: { call: 'putPart', partNumber: 2 },
  });
  await bench.hold.arrived;
  await appendFile(join(bench.root, 'Ramp/big.ts'), 'more');
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole();
  const aborts = bench.simulator.requests.of('abortMultipartUpload');
  expect(aborts.map(({ status }) => status)).toEqual([500, 503, 200]);
  const creates = bench.simulator.requests.of('createMultipartUpload');
  expect(creates).toHaveLength(2);
  expect(bench.simulator.requests.of('completeMultipartUpload')).toHaveLength(1);
});

// service.md gap 16
test.concurrent('an upload of a clip that vanished meanwhile is aborted, and the clip is told as failed', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/big.ts': 12_000_000, 'Ramp/a.avi': 100_000 },
    hold: { call: 'putPart', partNumber: 2 },
  });
  await bench.hold.arrived;
  await rm(join(bench.root, 'Ramp/big.ts'));
  bench.hold.release();
  await bench.untilIdle();
  expect(bench.of('clip.failed')).toMatchObject([{ code: 'FILE_GONE', file: 'big.ts' }]);
  expect(bench.simulator.requests.of('abortMultipartUpload')).toHaveLength(1);
  expect(await bench.simulator.openUploads()).toEqual([]);
  const gone = {
    ...(await bench.ids('Ramp/big.ts')),
    name: 'big.ts',
    sha256: '',
    expected: 'failed' as const,
  };
  await bench.expectWhole({ files: { 'Ramp/a.avi': 0 }, also: [gone] });
});

// service.md gap 12: a completed upload is one version, later bytes are another
test.concurrent(
  'a clip that grows while its completion is answered is sent again as it is now',
  long(),
  async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/big.ts': 6_000_000 },
      hold: { call: 'completeMultipartUpload', when: 'after' },
    });
    await bench.hold.arrived;
    await appendFile(join(bench.root, 'Ramp/big.ts'), 'more');
    await bench.until(() => bench.progress()?.bytesTotal === 6_000_004, 'the new version');
    bench.hold.release();
    await bench.untilIdle();
    await bench.expectWhole({ staleObjects: 1 });
    const listed = [...bench.simulator.incidents().values()].flatMap(({ uploaded_videos: videos }) => videos);
    const sizes = (await bench.simulator.objects()).filter(({ key }) =>
      listed.some((video) => video.storage_key === key),
    );
    expect(sizes.map(({ sizeBytes }) => sizeBytes)).toContain(6_000_004);
  },
);

// Interface, limits: uploads in one piece are for files below the threshold
test.concurrent('a small clip that grows over the threshold while it is sent goes in parts', async (context) => {
  const bench = await startBench(context, {
    files: { 'Ramp/grows.avi': PART_BYTES - 100_000 },
    hold: { call: 'putObject' },
  });
  await bench.hold.arrived;
  await appendFile(join(bench.root, 'Ramp/grows.avi'), Buffer.alloc(1_000_000, 1));
  await bench.until(() => bench.progress()?.bytesTotal === PART_BYTES + 900_000, 'the new version');
  bench.hold.release();
  await bench.untilIdle();
  await bench.expectWhole({ staleObjects: 1 });
  const whole = bench.simulator.requests
    .of('putObject')
    .map(({ headers }) => Number(headers['content-length']));
  expect(whole.filter((bytes) => bytes >= PART_BYTES)).toEqual([]);
  expect(bench.simulator.requests.of('completeMultipartUpload')).toHaveLength(1);
});
