import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLiveUploads } from '../../../../electron/agent/queue/live-uploads.ts';
import type { FileSeen } from '../../../../electron/agent/core/settle/file-seen.ts';
import { deskId } from '../../../../shared/domain/ids.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { clipRow, incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
beforeEach(async () => {
  queue = await openQueue();
});
afterEach(() => queue.close());

const DAY_MS = 24 * 60 * 60_000;
const ref = { rootId: 'root', rootPath: '/exports', exportPath: 'Gate', birthMs: 5, mtimeMs: 5 };
const file = (sizeBytes: number): FileSeen => ({
  path: 'recording.mp4',
  kind: 'file',
  sizeBytes,
  mtimeNs: '1',
  inode: '7',
  device: '8',
  links: 1,
});

function openDesk(upload: object = {}, isShared = false) {
  const { tables } = queue;
  const clock = createFakeClock(100 * DAY_MS, 0);
  const live = createLiveUploads({
    tables,
    clock,
    deskId: deskId('desk'),
    roots: [],
    isShared,
    upload: settingsSchema.shape.upload.parse({ whileWriting: 'auto', ...upload }),
    wake: () => undefined,
  });
  const look = (sizeBytes = 200_000_000, grownLooks = 3): void => {
    const seen = file(sizeBytes);
    live.looked(ref, {
      growing: [{ seen, grownLooks }],
      fileOf: () => ({ seen, isChanging: true, isNoClip: false }),
    });
  };
  const note = (voidBytes: number, at = clock.now()) =>
    tables.live.addResult({ rootId: 'root', container: 'mp4' }, { at, sentBytes: 100, voidBytes });
  const begun = () => tables.live.all().length;
  return { tables, clock, live, look, note, begun };
}

it('begins with a job in the same transaction, and arms it again when the file has grown', () => {
  const { tables, look } = openDesk();
  look();
  const [row] = tables.live.all();
  expect(row).toMatchObject({
    path: 'recording.mp4',
    folder: 'Gate',
    storageKey: null,
    sizeBytes: 200_000_000,
  });
  expect(tables.jobs.of('send-ahead', row?.clipId ?? '')).toMatchObject({ pool: 'ahead', state: 'ready' });
  tables.jobs.removeOf('send-ahead', row?.clipId ?? '');
  look(200_000_000);
  expect(tables.jobs.of('send-ahead', row?.clipId ?? '')).toBeUndefined();
  look(210_000_000);
  expect(tables.jobs.of('send-ahead', row?.clipId ?? '')?.state).toBe('ready');
});

it('begins nothing where it is turned off', () => {
  const { look, begun } = openDesk({ whileWriting: 'off' });
  look();
  expect(begun()).toBe(0);
});

it('begins nothing at a desk that shares its folders with others', () => {
  const { look, begun } = openDesk({}, true);
  look();
  expect(begun()).toBe(0);
});

it('begins nothing for a kind of clip that was void twice in a row, for 30 days', async () => {
  const { look, note, begun, clock } = openDesk();
  note(90);
  note(90);
  look();
  expect(begun()).toBe(0);
  await clock.advance(30 * DAY_MS);
  look();
  expect(begun()).toBe(1);
});

it('begins nothing once the waste of a day is reached, and goes on after it', async () => {
  const { look, note, begun, clock } = openDesk({ wastedBytesPerDay: 20 });
  note(20);
  look();
  expect(begun()).toBe(0);
  await clock.advance(DAY_MS);
  look();
  expect(begun()).toBe(1);
});

it('begins nothing while a clip that has settled waits for the line', () => {
  const { tables, look, begun } = openDesk();
  tables.incidents.insert(incidentRow());
  tables.clips.insert(clipRow());
  const job = { incidentId: 'incident-1', state: 'ready', priority: 50, dueAt: 0, createdAt: 0 } as const;
  tables.jobs.put({ kind: 'send-clip', subject: 'clip-1', pool: 'large', ...job });
  look();
  expect(begun()).toBe(0);
  tables.jobs.removeOf('send-clip', 'clip-1');
  look();
  expect(begun()).toBe(1);
});

it('gives up what grew beyond the parts that storage takes', () => {
  const { tables, look, begun } = openDesk({ partSizeBytes: 5 * 1024 * 1024 });
  look();
  const [row] = tables.live.all();
  tables.live.opened(row?.clipId ?? '', 'key', 'upload');
  look(10_000 * 5 * 1024 * 1024 + 1);
  expect(begun()).toBe(0);
  expect(tables.orphans.byId(1)).toMatchObject({ uploadId: 'upload', storageKey: 'key' });
});
