import { mkdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { DATABASE_FILE } from '../../../electron/agent/store/open-db.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { bytesSent, startFolderBench, videoOf } from './folder-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** The wait of a clip whose share was away for an hour, milliseconds. */
const AN_HOURS_WAIT_MS = 13 * 60_000;
const other = { 'Ramp/other.avi': 3_000 };

// The ID of an incident contains the folder's path (service.md gap 11), so another name is another incident
test.concurrent('fault 34: an export folder renamed before its upload stays its incident and is sent once', async (context) => {
  const bench = await startFolderBench(context, { files: other });
  await bench.untilIdle();
  const hold = bench.simulator.faults.hold({ call: 'getIncident' });
  await bench.write('Gate 4/clip.avi', 50_000);
  await hold.arrived;
  const before = await bench.note('Gate 4/clip.avi');
  await rename(join(bench.root, 'Gate 4'), join(bench.root, 'Gate 5'));
  hold.release();
  await bench.until(() => bench.of('clip.uploaded').some(({ file }) => file === 'clip.avi'), 'the clip');
  await bench.untilIdle();
  await bench.expectExactly([before, await bench.note('Ramp/other.avi')]);
  expect(bytesSent(bench, 'clip')).toHaveLength(1);
});

// The clip is recognised by the birth time of its folder, inode, size and time
test.concurrent('an export folder renamed after its upload stays its incident', long(), async (context) => {
  const bench = await startFolderBench(context, { files: { ...other, 'Gate 4/clip.avi': 50_000 } });
  await bench.untilIdle();
  const before = await bench.note('Gate 4/clip.avi');
  await rename(join(bench.root, 'Gate 4'), join(bench.root, 'Gate 5'));
  await bench.until(() => bench.logs.some(({ message }) => message.includes('was renamed')), 'the rename');
  await bench.write('Gate 5/late.avi', 4_000);
  await bench.until(() => bench.of('clip.uploaded').length === 3, 'the late clip');
  await bench.untilIdle();
  expect(new Set(bench.of('clip.uploaded').map(({ incidentId }) => incidentId)).size).toBe(2);
  expect(bench.of('clip.failed')).toEqual([]);
  expect(bytesSent(bench, 'clip')).toHaveLength(1);
  expect(before.clipId).toBe(bench.of('clip.uploaded').find(({ file }) => file === 'clip.avi')?.clipId);
});

// service.md gap 11: the same folder under its own name again is the same incident
test.concurrent('an export folder moved out of the root and back is not sent again', async (context) => {
  const bench = await startFolderBench(context, { files: { ...other, 'Gate 4/clip.avi': 50_000 } });
  await bench.untilIdle();
  await rename(join(bench.root, 'Gate 4'), join(bench.home, 'Gate 4'));
  await bench.write('Ramp/while-away.avi', 2_000);
  await bench.until(() => bench.of('clip.uploaded').length === 3, 'the clip of the other folder');
  await rename(join(bench.home, 'Gate 4'), join(bench.root, 'Gate 4'));
  await bench.write('Gate 4/late.avi', 4_000);
  await bench.until(() => bench.of('clip.uploaded').length === 4, 'the late clip');
  await bench.untilIdle();
  await bench.expectWhole({ ...other, 'Ramp/while-away.avi': 0, 'Gate 4/clip.avi': 0, 'Gate 4/late.avi': 0 });
  expect(bytesSent(bench, 'clip')).toHaveLength(1);
});

// service.md gap 11
test.concurrent('a folder name that is used again is a new incident', long(), async (context) => {
  const bench = await startFolderBench(context, { files: { ...other, 'Gate 4/clip.avi': 50_000 } });
  await bench.untilIdle();
  const before = await bench.note('Gate 4/clip.avi');
  await rm(join(bench.root, 'Gate 4'), { recursive: true });
  await bench.write('Gate 4/clip.avi', 60_000);
  await bench.until(() => bench.of('clip.uploaded').length === 3, 'the clip of the new folder');
  await bench.untilIdle();
  const now = await bench.note('Gate 4/clip.avi');
  await bench.expectExactly([before, now, await bench.note('Ramp/other.avi')]);
  expect(now.incidentId).not.toBe(before.incidentId);
});

test.concurrent('fault 35, input A13: an export folder removed while queued: its clips fail as gone, are not retried, and stay in the record', async (context) => {
  const bench = await startFolderBench(context, { files: other });
  await bench.untilIdle();
  const hold = bench.simulator.faults.hold({ call: 'getIncident' });
  const clips = ['Gate 4/a.avi', 'Gate 4/b.ts', 'Gate 4/c.mp4'];
  for (const [index, path] of clips.entries()) await bench.write(path, [5_000, 6_000_000, 7_000][index] ?? 0);
  await hold.arrived;
  await bench.until(() => bench.progress()?.clips === 4 && bench.progress()?.settling === 0, 'all clips');
  const gone = await Promise.all(clips.map((path) => bench.note(path, 'failed')));
  const reasons = clips.map((path) => ({ path, at: bench.ids(path) }));
  await Promise.all(reasons.map(({ at }) => at));
  await rm(join(bench.root, 'Gate 4'), { recursive: true });
  hold.release();
  await bench.until(() => bench.of('clip.failed').length === 3, 'the clips that are gone');
  await bench.untilIdle();
  expect(bench.of('clip.failed').map(({ code }) => code)).toEqual(['FILE_GONE', 'FILE_GONE', 'FILE_GONE']);
  expect(bench.of('clip.retrying')).toEqual([]);
  await bench.expectExactly([...gone, await bench.note('Ramp/other.avi')]);
  const [first] = gone;
  const record = bench.simulator.incidents().get(first?.incidentId ?? '');
  for (const { upload_errors: errors } of record?.failed_videos ?? [])
    expect(errors.join(' ')).toContain('Its entry in the queue is kept');
  await bench.stopAgent();
  await bench.startAgent();
  await bench.untilIdle();
  expect(bench.of('clip.failed')).toHaveLength(3);
});

// Where the folder was the only one: the root is the same folder as before, and empty
test.concurrent('the only export of a root, removed while queued, fails as gone', long(), async (context) => {
  const bench = await startFolderBench(context);
  const hold = bench.simulator.faults.hold({ call: 'getIncident' });
  await bench.write('Gate 4/clip.avi', 5_000);
  await hold.arrived;
  await rm(join(bench.root, 'Gate 4'), { recursive: true });
  hold.release();
  await bench.until(
    () => bench.of('clip.retrying').length > 4 || bench.of('clip.failed').length > 0,
    'a word',
  );
  expect(bench.of('clip.failed')).toMatchObject([{ code: 'FILE_GONE' }]);
});

// The advice is "Put it back if it is still wanted"
test.concurrent('a clip that was gone and is put back is sent', long(), async (context) => {
  const bench = await startFolderBench(context, { files: other });
  await bench.untilIdle();
  const hold = bench.simulator.faults.hold({ call: 'getIncident' });
  await bench.write('Gate 4/clip.avi', 5_000);
  await bench.write('Gate 4/stays.avi', 6_000);
  await hold.arrived;
  await rename(join(bench.root, 'Gate 4/clip.avi'), join(bench.home, 'clip.avi'));
  hold.release();
  await bench.until(() => bench.of('clip.failed').length > 0, 'the clip that is gone');
  await bench.untilIdle();
  await rename(join(bench.home, 'clip.avi'), join(bench.root, 'Gate 4/clip.avi'));
  await bench.until(() => bench.of('clip.uploaded').some(({ file }) => file === 'clip.avi'), 'the clip');
  await bench.untilIdle();
  await bench.expectWhole({ ...other, 'Gate 4/clip.avi': 0, 'Gate 4/stays.avi': 0 });
  expect((await videoOf(bench, 'Gate 4/clip.avi'))?.storage_key).toBeDefined();
});

const sent = { ...other, 'Gate 4/sent.avi': 4_000 };
const queued = { 'Gate 4/queued.avi': 5_000, 'Stand/queued.avi': 6_000 };

// "Never concludes that files were deleted because a root is empty or gone"
mostlyLong(
  [
    { how: 'gone', fill: undefined },
    { how: 'an empty folder', fill: mkdir },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'a root that is $how marks nothing as deleted; when it comes back everything goes on',
      async ({ fill }, context) => {
        const bench = await startFolderBench(context, { files: sent });
        await bench.untilIdle();
        const holds = [bench.simulator.faults.hold({ call: 'getUploadUrls' })];
        for (const [path, spec] of Object.entries(queued)) await bench.write(path, spec);
        await bench.until(
          () => bench.progress()?.clips === 4 && bench.progress()?.settling === 0,
          'all clips',
        );
        const away = join(bench.home, 'away');
        await rename(bench.root, away);
        await fill?.(bench.root);
        for (const hold of holds) hold.release();
        await bench.until(() => bench.of('clip.retrying').length > 1, 'the clips that wait');
        if (fill === undefined)
          await bench.until(() => bench.of('root.offline').length > 0, 'the word about the root');
        expect(new Set(bench.of('clip.retrying').map(({ code }) => code))).toEqual(new Set(['ROOT_OFFLINE']));
        expect(bench.of('clip.failed')).toEqual([]);
        if (fill !== undefined) await rmdir(bench.root);
        await rename(away, bench.root);
        await bench.write('Gate 4/late.avi', 7_000);
        bench.skip(60_000);
        await bench.until(() => bench.of('clip.uploaded').length === 5, 'all clips');
        await bench.untilIdle();
        await bench.expectWhole({ ...sent, ...queued, 'Gate 4/late.avi': 0 });
        expect(bench.of('clip.failed')).toEqual([]);
        expect(bytesSent(bench, 'sent')).toHaveLength(1);
      },
    ),
);

test.concurrent(
  'clips that waited long for a share are sent as soon as it is back',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, { files: sent });
    await bench.untilIdle();
    const hold = bench.simulator.faults.hold({ call: 'getUploadUrls' });
    await bench.write('Gate 4/queued.avi', 5_000);
    await bench.until(() => bench.progress()?.clips === 3 && bench.progress()?.settling === 0, 'the clip');
    await rename(bench.root, join(bench.home, 'away'));
    hold.release();
    await bench.until(() => bench.of('clip.retrying').length > 0, 'the clip that waits');
    await bench.until(() => bench.of('root.offline').length > 0, 'the word about the root');
    const queue = new Database(join(bench.dataDir, DATABASE_FILE));
    context.onTestFinished(() => void queue.close());
    // As after an hour of attempts, which no test waits for
    const parked = queue.prepare("UPDATE jobs SET due_at = due_at + ? WHERE state = 'waiting'");
    await bench.until(() => parked.run(AN_HOURS_WAIT_MS).changes > 0, 'a wait that is long');
    await rename(join(bench.home, 'away'), bench.root);
    bench.skip(60_000);
    await bench.until(() => bench.of('clip.uploaded').length === 3, 'the clip');
    await bench.untilIdle();
    await bench.expectWhole({ ...sent, 'Gate 4/queued.avi': 0 });
  },
);

test.concurrent(
  'a root that was away while the agent started is taken when it comes',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, { files: sent });
    await bench.untilIdle();
    await bench.stopAgent();
    await rename(bench.root, join(bench.home, 'away'));
    await bench.startAgent();
    await bench.until(() => bench.of('root.offline').length > 0, 'the word about the root');
    expect(bench.of('root.offline')).toMatchObject([{ code: 'ROOT_MISSING', root: bench.root }]);
    await rename(join(bench.home, 'away'), bench.root);
    await bench.write('Gate 4/late.avi', 7_000);
    await bench.until(() => bench.of('clip.uploaded').length === 3, 'the late clip');
    await bench.untilIdle();
    await bench.expectWhole({ ...sent, 'Gate 4/late.avi': 0 });
    expect(bytesSent(bench, 'sent')).toHaveLength(1);
  },
);
