import { appendFile, open, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { startFolderBench, videoOf, type FolderBench } from './folder-bench.ts';
import { mostlyLong } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const other = { 'Ramp/other.avi': 3_000 };
const big = 'Gate 4/clip.ts';
/** Two parts. */
const BIG_BYTES = 6_000_000;

const changes = [
  { how: 'cut short', change: (path: string) => truncate(path, 5_500_000) },
  { how: 'cut down to a size that goes in one piece', change: (path: string) => truncate(path, 1_000_000) },
  { how: 'made longer', change: (path: string) => appendFile(path, Buffer.alloc(1_000_000, 3)) },
  {
    how: 'replaced by another of the same size',
    change: async (path: string) => {
      await writeFile(`${path}.part`, Buffer.alloc(BIG_BYTES, 5));
      await rename(`${path}.part`, path);
    },
  },
  {
    how: 'written to in its middle',
    change: async (path: string) => {
      const file = await open(path, 'r+');
      await file.write(Buffer.alloc(100, 9), 0, 100, 3_000_000);
      await file.close();
    },
  },
];

/** The uploads that were started, by ID, with how they ended. */
function endsOfUploads({ simulator }: FolderBench) {
  const ended = (call: 'completeMultipartUpload' | 'abortMultipartUpload') =>
    new Set(simulator.requests.of(call, { status: 200 }).map(({ uploadId }) => uploadId));
  return { completed: ended('completeMultipartUpload'), aborted: ended('abortMultipartUpload') };
}

mostlyLong(changes, 1, (some) =>
  test.concurrent.for(some)(
    'fault 32, input A11, input A12: a clip in parts that is $how while it is read is never completed, and is sent as it is then',
    async ({ change }, context) => {
      const bench = await startFolderBench(context, { files: other });
      const hold = bench.simulator.faults.hold({ call: 'putPart', partNumber: 2 });
      await bench.write(big, BIG_BYTES);
      const { uploadId } = await hold.arrived;
      await change(join(bench.root, big));
      hold.release();
      await bench.until(() => bench.of('clip.uploaded').length > 1, 'the clip as it is now');
      await bench.untilIdle();
      await bench.expectWhole({ ...other, [big]: 0 });
      expect(bench.of('clip.retrying').map(({ code }) => code)).toContain('FILE_CHANGED');
      expect(bench.of('clip.failed')).toEqual([]);
      const { completed, aborted } = endsOfUploads(bench);
      expect(aborted).toContain(uploadId);
      expect(completed).not.toContain(uploadId);
      expect(await bench.simulator.openUploads()).toEqual([]);
    },
  ),
);

// Between the last part and "complete"
test.concurrent('a clip that grows while it is completed is followed by a second generation', async (context) => {
  const bench = await startFolderBench(context, { files: other });
  const hold = bench.simulator.faults.hold({ call: 'completeMultipartUpload' });
  await bench.write(big, BIG_BYTES);
  const first = await bench.note(big);
  await hold.arrived;
  await appendFile(join(bench.root, big), Buffer.alloc(10_000, 3));
  hold.release();
  await bench.until(() => bench.of('clip.uploaded').length > 2, 'the second generation');
  await bench.untilIdle();
  await bench.expectExactly([
    first,
    await bench.note(big, 'uploaded', 2),
    await bench.note('Ramp/other.avi'),
  ]);
});

test.concurrent('fault 33: a small clip that is replaced while it is sent is listed only as it is then', async (context) => {
  const bench = await startFolderBench(context, { files: other });
  await bench.until(() => bench.of('incident.synced').length > 0);
  const hold = bench.simulator.faults.hold({ call: 'putObject', pathContains: '-clip-' }, 'after');
  await bench.write('Gate 4/clip.avi', 900_000);
  await hold.arrived;
  await writeFile(join(bench.root, 'Gate 4/clip.avi.part'), Buffer.alloc(900_000, 5));
  await rename(join(bench.root, 'Gate 4/clip.avi.part'), join(bench.root, 'Gate 4/clip.avi'));
  hold.release();
  await bench.until(() => bench.of('clip.uploaded').length > 1, 'the clip as it is now');
  await bench.untilIdle();
  await bench.expectWhole({ ...other, 'Gate 4/clip.avi': 0 });
  expect(bench.of('clip.retrying').map(({ code }) => code)).toContain('FILE_CHANGED');
});

mostlyLong(
  [
    { path: big, sizeBytes: BIG_BYTES, match: { call: 'putPart', partNumber: 2 } as const },
    {
      path: 'Gate 4/clip.avi',
      sizeBytes: 900_000,
      match: { call: 'putObject', pathContains: '-clip-' } as const,
    },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 32, input A13: $path, deleted while it is read, is never completed and fails as gone',
      async (given, context) => {
        const { path, sizeBytes, match } = given;
        const bench = await startFolderBench(context, { files: { ...other, 'Gate 4/stays.avi': 2_000 } });
        await bench.untilIdle();
        const hold = bench.simulator.faults.hold(match);
        await bench.write(path, sizeBytes);
        await hold.arrived;
        await rm(join(bench.root, path));
        hold.release();
        await bench.until(() => bench.of('clip.failed').length > 0, 'the clip that is gone');
        await bench.untilIdle();
        const name = path.slice('Gate 4/'.length);
        expect(bench.of('clip.failed')).toMatchObject([{ code: 'FILE_GONE', file: name }]);
        const clips = [
          await bench.note(path, 'failed'),
          await bench.note('Gate 4/stays.avi'),
          await bench.note('Ramp/other.avi'),
        ];
        await bench.expectExactly(clips, path === big ? 0 : 1);
        expect((await videoOf(bench, path))?.upload_errors.join(' ')).toContain('No longer in the folder');
        expect(bench.simulator.requests.of('completeMultipartUpload')).toEqual([]);
        expect(await bench.simulator.openUploads()).toEqual([]);
      },
    ),
);

// A clip only counts as gone while its root is there
for (const { path, sizeBytes, match } of [
  { path: big, sizeBytes: BIG_BYTES, match: { call: 'putPart', partNumber: 2 } as const },
  {
    path: 'Gate 4/clip.avi',
    sizeBytes: 900_000,
    match: { call: 'putObject', pathContains: '-clip-' } as const,
  },
]) {
  test.concurrent(`${path} does not fail as gone when its whole root goes away while it is read`, async (context) => {
    const bench = await startFolderBench(context, { files: other });
    const hold = bench.simulator.faults.hold(match);
    await bench.write(path, sizeBytes);
    await hold.arrived;
    await rename(bench.root, join(bench.home, 'away'));
    hold.release();
    await bench.until(() => bench.of('clip.retrying').length + bench.of('clip.failed').length > 0, 'a word');
    expect(bench.of('clip.failed')).toEqual([]);
  });
}

/** Replaces the bytes in place, keeping the file's size and time. */
async function rewriteUnseen(path: string): Promise<void> {
  const { size, atime, mtime } = await stat(path);
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(size, 7), 0, size, 0);
  await file.close();
  await utimes(path, atime, mtime);
}

mostlyLong(
  [
    { what: 'small', path: 'Gate 4/clip.avi', sizeBytes: 50_000, call: 'getUploadUrls' },
    { what: 'large', path: big, sizeBytes: BIG_BYTES, call: 'createMultipartUpload' },
  ] as const,
  1,
  (some) =>
    test.concurrent.for(some)(
      'fault 33: of a $what clip with other bytes under its size and time the sum of what was sent is recorded',
      async ({ path, sizeBytes, call }, context) => {
        const bench = await startFolderBench(context, { files: other });
        await bench.untilIdle();
        const hold = bench.simulator.faults.hold({ call });
        await bench.write(path, sizeBytes);
        await hold.arrived;
        await rewriteUnseen(join(bench.root, path));
        hold.release();
        await bench.until(() => bench.of('clip.uploaded').length > 1, 'the clip');
        await bench.untilIdle();
        await bench.expectWhole({ ...other, [path]: 0 });
        const { sha256 } = await bench.note(path);
        expect(bench.of('clip.uploaded').at(-1)).toMatchObject({ sha256 });
      },
    ),
);
