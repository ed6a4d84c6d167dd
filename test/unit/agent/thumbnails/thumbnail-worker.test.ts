import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClipSource } from '../../../../electron/agent/index.ts';
import type { JobRow } from '../../../../electron/agent/store/job-rows.ts';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { createGroupCommit } from '../../../../electron/agent/queue/group-commit.ts';
import { createCircuits } from '../../../../electron/agent/queue/circuits.ts';
import type { JobOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { storeOutcome } from '../../../../electron/agent/queue/run-batch.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createThumbnailFiles } from '../../../../electron/agent/thumbnails/thumbnail-files.ts';
import { createThumbnailJobs } from '../../../../electron/agent/queue/incident-jobs.ts';
import { createThumbnailWorker } from '../../../../electron/agent/thumbnails/thumbnail-worker.ts';
import { createRootGates } from '../../../../electron/agent/files/root-gate.ts';
import type { ThumbnailAnswer } from '../../../../shared/domain/thumbnail-answer.ts';
import { clipRow, incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

const clock = createSystemClock();
const facts = { width: 4, height: 2, atMs: 0, by: 'decoder' } as const;
const jpeg = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 7, 0xff, 0xd9]);
const made: ThumbnailAnswer = { kind: 'made', jpeg, facts };

let queue: QueueFixture;
let root = '';
let gates: ReturnType<typeof createRootGates>;
let answer: (source: ClipSource) => ThumbnailAnswer | Promise<ThumbnailAnswer>;

beforeEach(async () => {
  queue = await openQueue();
  root = join(queue.dir, 'exports');
  gates = createRootGates(clock);
  answer = () => made;
  await mkdir(join(root, 'Gate 4'), { recursive: true });
  const path = join(root, 'Gate 4', 'a.mp4');
  await writeFile(path, 'the bytes of a clip');
  const { size, mtimeNs, ino, dev } = await stat(path, { bigint: true });
  const version = { sizeBytes: Number(size), mtimeNs: `${mtimeNs}`, inode: `${ino}`, device: `${dev}` };
  queue.tables.incidents.insert(incidentRow({ rootPath: root }));
  queue.tables.clips.insert(clipRow(version));
  createThumbnailJobs(queue.tables, clock, true).want({
    id: 'clip-1',
    incidentId: 'incident-1',
    path: 'a.mp4',
  });
});
afterEach(async () => {
  gates.closeAll();
  await queue.close();
});

/** Runs the job as the runner does; `commit` false: killed before the outcome could be stored. */
async function run(commit = true): Promise<JobOutcome | undefined> {
  const { tables } = queue;
  const files = createThumbnailFiles(queue.dir);
  const thumbnailJobs = createThumbnailJobs(tables, clock, true);
  const silent = (): void => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const maker = { make: async (source: ClipSource) => answer(source) };
  const worker = createThumbnailWorker({
    tables,
    maker,
    gates,
    files,
    thumbnailJobs,
    clock,
    logger,
  });
  const jobs = tables.jobs.claim('picture', 1, 'lease', clock.now());
  let outcome: JobOutcome | undefined;
  const circuits = createCircuits(clock, new AgentEvents());
  const outcomeParts = { tables, groupCommit: createGroupCommit(tables, clock), circuits, clock };
  const settle = async (job: JobRow, settled: JobOutcome): Promise<void> => {
    outcome = settled;
    if (!commit) return;
    for (const announce of await storeOutcome(outcomeParts, worker, job, settled)) announce?.();
  };
  const signal = AbortSignal.timeout(20_000);
  await worker.run(jobs, settle, { signal, end: signal, leaveSlot: () => undefined });
  return outcome;
}

const names = () => readdir(join(queue.dir, 'thumbnails')).catch(() => []);
const thumbnail = () => queue.tables.thumbnails.byClip('clip-1');
const sendJob = () => queue.tables.jobs.of('send-thumbnail', 'clip-1');

describe('the picture of a clip', () => {
  it('is a file, a row and an upload, the job gone with them', async () => {
    await run();
    expect(await readFile(join(queue.dir, 'thumbnails', 'clip-1.jpg'))).toEqual(Buffer.from(jpeg));
    expect(thumbnail()).toMatchObject({ origin: 'made', state: 'queued', path: 'clip-1.jpg', sizeBytes: 7 });
    expect(sendJob()).toMatchObject({ state: 'blocked', pool: 'small' });
    expect(queue.tables.jobs.of('make-thumbnail', 'clip-1')).toBeUndefined();
  });

  it('is one picture after a kill between the file and the row', async () => {
    await run(false);
    expect([await names(), thumbnail(), sendJob()]).toEqual([['clip-1.jpg'], undefined, undefined]);
    queue.tables.jobs.freeLeasesOfOthers('the next run');
    await run();
    expect(await names()).toEqual(['clip-1.jpg']);
    expect(thumbnail()).toMatchObject({ state: 'queued' });
    expect(queue.db.prepare('SELECT count(*) FROM jobs').pluck().get()).toBe(1);
  });

  it('gives way to an image that the export brought meanwhile', async () => {
    answer = () => {
      const version = { sizeBytes: 1, mtimeNs: '1', inode: '1', device: '1' };
      queue.tables.thumbnails.put({ clipId: 'clip-1', path: 'a.jpg', serviceName: 'a.jpg', ...version });
      return made;
    };
    await run();
    expect(thumbnail()).toMatchObject({ origin: 'export', path: 'a.jpg' });
    expect(sendJob()).toBeUndefined();
    await expect.poll(names).toEqual([]);
  });

  it('is recreated when the clip became another version while it was made', async () => {
    answer = () => {
      queue.tables.clips.setVersion('clip-1', { sizeBytes: 99, mtimeNs: '9', inode: '9', device: '9' });
      return made;
    };
    await run();
    expect(thumbnail()).toBeUndefined();
    expect(queue.tables.jobs.of('make-thumbnail', 'clip-1')).toMatchObject({ state: 'ready' });
  });

  it('is not sent again when its file was lost and it comes out the same', async () => {
    await run();
    queue.tables.thumbnails.uploaded('clip-1', 'key-1', thumbnail()?.sha256 ?? null);
    queue.tables.jobs.removeOf('send-thumbnail', 'clip-1');
    await rm(join(queue.dir, 'thumbnails'), { recursive: true });
    createThumbnailJobs(queue.tables, { now: () => 0 }, true).lost('clip-1');
    queue.tables.jobs.promoteDue(clock.now());
    await run();
    expect(await names()).toEqual(['clip-1.jpg']);
    expect(thumbnail()).toMatchObject({ state: 'uploaded', storageKey: 'key-1' });
    expect(sendJob()).toBeUndefined();
  });

  it.each([
    ['text', Buffer.from('<html>')],
    ['a JPEG without an end', jpeg.slice(0, -1)],
    ['200 kB and more', Uint8Array.from({ length: 200_001 }, (_, at) => jpeg[at % 7] ?? 0)],
  ])('is none when the maker hands out %s', async (_what, bytes) => {
    answer = () => ({ kind: 'made', jpeg: Uint8Array.from(bytes), facts });
    expect(await run()).toMatchObject({ kind: 'failed', failure: { code: 'NO_PICTURE' } });
    expect(await names()).toEqual([]);
  });

  it('is made of the bytes that the queue knows, a piece at a time, and of no others', async () => {
    let seen = '';
    answer = async (source) => {
      seen = Buffer.from(await source.read(4, 9)).toString();
      expect((await source.read(10, 1_000_000)).length).toBe(source.sizeBytes - 10);
      expect((await source.read(1_000_000, 1_000_001)).length).toBe(0);
      await writeFile(join(root, 'Gate 4', 'a.mp4'), 'other bytes, of another size');
      return made;
    };
    expect(await run()).toMatchObject({ kind: 'retry', failure: { code: 'FILE_CHANGED' } });
    expect(seen).toBe('bytes');
    expect(thumbnail()).toBeUndefined();
  });
});

describe('the picture of a clip whose share is away', () => {
  const away = () => join(queue.dir, 'away');
  const job = () => queue.tables.jobs.of('make-thumbnail', 'clip-1');
  /** Runs the job when it is next due. */
  const runAgain = (): Promise<JobOutcome | undefined> => {
    queue.tables.jobs.promoteDue(Number.MAX_SAFE_INTEGER);
    return run();
  };

  it('waits longer and longer, and is then tried as often as any other', async () => {
    await rename(root, away());
    for (const attempts of [1, 2, 3]) {
      expect(await runAgain()).toMatchObject({ kind: 'retry', failure: { code: 'ROOT_OFFLINE' } });
      expect(job()).toMatchObject({ state: 'waiting', attempts });
    }
    await rename(away(), root);
    answer = () => ({ kind: 'none', reason: 'deadline' });
    expect(await runAgain()).toMatchObject({ kind: 'retry', failure: { code: 'NO_PICTURE' } });
    expect(await runAgain()).toMatchObject({ kind: 'failed', failure: { code: 'NO_PICTURE' } });
    expect(job()).toMatchObject({ state: 'failed' });
  });

  it('is given up when the folder of the clip was taken away before', async () => {
    await rename(root, away());
    await run();
    queue.tables.incidents.setFolderGone('incident-1', true);
    expect(await runAgain()).toMatchObject({ kind: 'failed', failure: { code: 'FILE_GONE' } });
  });

  it('is given up with its clip, without a look at the share', async () => {
    await rename(root, away());
    await run();
    queue.tables.clips.failed('clip-1', '{}');
    expect(await runAgain()).toMatchObject({ kind: 'failed', failure: { code: 'NO_PICTURE' } });
  });

  it('is given up when the share is back without the clip', async () => {
    await rename(root, away());
    await run();
    await rename(away(), root);
    await rm(join(root, 'Gate 4', 'a.mp4'));
    expect(await runAgain()).toMatchObject({ kind: 'failed', failure: { code: 'FILE_GONE' } });
  });
});
