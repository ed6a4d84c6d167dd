import { appendFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLiveUploads } from '../../../../electron/agent/queue/live-uploads.ts';
import { deskId } from '../../../../shared/domain/ids.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import type { FakeClock } from '../../../helpers/fake-clock.ts';
import { openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';
import { fakeClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';

const LOOK_MS = 5_000;
const MINUTE_MS = 60_000;
/** A file that grew over four looks exceeds it, bytes. */
const THRESHOLD_BYTES = 10;

let queue: QueueFixture;
let desk: WatchDesk<FakeClock>;
beforeEach(async () => {
  queue = await openQueue();
  desk = await fakeClockDesk();
});
afterEach(async () => {
  await desk.close();
  await queue.close();
});

/** A recording that was seen to grow and has an open upload. */
async function growFile(): Promise<string> {
  const { tables } = queue;
  const parsed = settingsSchema.shape.upload.parse({ whileWriting: 'auto' });
  const growth = createLiveUploads({
    tables,
    clock: desk.clock,
    deskId: deskId('desk'),
    roots: [],
    isShared: false,
    upload: { ...parsed, multipartThresholdBytes: THRESHOLD_BYTES },
    wake: () => undefined,
  });
  const path = join(desk.root, 'Gate', 'recording.ts');
  await desk.write('Gate/recording.ts', 'x'.repeat(THRESHOLD_BYTES));
  desk.watcher({ growth }).start();
  await desk.clock.untilAsleep();
  for (let looks = 0; looks < 4; looks += 1) {
    await appendFile(path, 'more');
    await desk.clock.advance(LOOK_MS + 1);
  }
  const [row] = tables.live.all();
  if (row === undefined) throw new Error('Nothing is sent of the file');
  tables.live.opened(row.clipId, 'key', 'upload');
  return path;
}

it.each<readonly [string, (path: string) => Promise<unknown>]>([
  ['the file is deleted', (path) => rm(path)],
  ['the file becomes shorter', (path) => truncate(path, 3)],
  ['the file is renamed', (path) => rename(path, join(path, '..', 'other.ts'))],
  [
    'the file is replaced',
    async (path) => {
      const fresh = join(desk.base, 'new.ts');
      await writeFile(fresh, 'y'.repeat(10 * THRESHOLD_BYTES));
      await rename(fresh, path);
    },
  ],
  ['the folder is renamed', (path) => rename(join(path, '..'), join(desk.root, 'Other gate'))],
])('what was sent of a file is aborted within a minute when %s', async (_what, end) => {
  await end(await growFile());
  const endedMs = desk.clock.now();
  const { orphans, jobs, live } = queue.tables;
  while (orphans.byId(1) === undefined && desk.clock.now() - endedMs < MINUTE_MS)
    await desk.clock.advance(1_000);
  expect(orphans.byId(1)).toMatchObject({ uploadId: 'upload' });
  expect(jobs.of('abort-upload', '1')).toMatchObject({ state: 'ready' });
  expect(jobs.of('abort-upload', '1')?.dueAt).toBeLessThan(endedMs + MINUTE_MS);
  expect(live.all().filter(({ uploadId }) => uploadId !== null)).toEqual([]);
});
