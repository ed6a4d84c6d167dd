import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUploadReads } from '../../../../electron/agent/calls/upload-reads.ts';
import {
  clipRow,
  failureOf,
  incidentRow,
  jobRow,
  multipartRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let tables: QueueFixture['tables'];

beforeEach(async () => {
  queue = await openQueue();
  ({ tables } = queue);
  tables.incidents.insert(incidentRow());
  tables.clips.insert(clipRow());
  tables.jobs.put(jobRow());
});
afterEach(() => queue.close());

const reads = () => createUploadReads(tables);

it('shows a new clip with what is known, and leaves out what is not', () => {
  expect(reads().getClip('clip-1')).toStrictEqual({
    ok: true,
    value: {
      row: {
        id: 'clip-1',
        incidentId: 'incident-1',
        file: 'a.mp4',
        state: 'waiting',
        sizeBytes: 100,
        bytesSent: 0,
        attempts: 0,
      },
      generation: 1,
      flags: [],
      createdAt: '1970-01-01T00:00:02.000Z',
      origins: [],
    },
  });
});

it('shows the parts of a clip that is under way, and where its values came from', () => {
  const details = clipRow({
    cameraName: 'Gate 4',
    sources: '{"cameraName":{"source":"file-name","confidence":"low","note":"a guess"}}',
    facts: '{"durationMs":60000,"format":"mp4"}',
  });
  tables.clips.describe('clip-1', details, 0);
  tables.multiparts.insert(multipartRow());
  for (const number of [1, 2])
    tables.parts.put({ clipId: 'clip-1', number, sizeBytes: 10, etag: '"e"', sha256: 's', fromStart: 1 });
  tables.jobs.claim('small', 1, 'me', 0);
  expect(reads().getClip('clip-1')).toMatchObject({
    value: {
      row: { state: 'uploading', bytesSent: 20, camera: 'Gate 4' },
      parts: { done: 2, total: 3, partSizeBytes: 10 },
      durationMs: 60_000,
      format: 'mp4',
      origins: [{ field: 'cameraName', source: 'file-name', confidence: 'low', note: 'a guess' }],
    },
  });
});

it('shows why a clip waits and when it is tried next, but no next try of a paused one', () => {
  const failure = failureOf('STORAGE_FAULT');
  tables.clips.setFailure('clip-1', JSON.stringify(failure));
  tables.jobs.later(tables.jobs.of('send-clip', 'clip-1')?.id ?? 0, 60_000, 3, null);
  expect(reads().getClip('clip-1')).toMatchObject({
    value: { row: { state: 'waiting', attempts: 3, nextTryAt: '1970-01-01T00:01:00.000Z', failure } },
  });
  tables.clips.pause({ kind: 'clips', clipIds: ['clip-1'] });
  const paused = reads().getClip('clip-1');
  expect(paused.ok && paused.value.row).not.toHaveProperty('nextTryAt');
});

it('shows where an uploaded clip and its thumbnail went', () => {
  const image = { sizeBytes: 5, mtimeNs: '1', inode: '1', device: '1', serviceName: 's' };
  tables.thumbnails.put({ clipId: 'clip-1', path: 'a.jpg', ...image });
  tables.thumbnails.uploaded('clip-1', 'thumb-key', null);
  tables.clips.uploaded('clip-1', 'key-1', 'ab', 0);
  expect(reads().getClip('clip-1')).toMatchObject({
    value: {
      row: { state: 'uploaded', bytesSent: 100, uploadedAt: '1970-01-01T00:00:00.000Z' },
      storageKey: 'key-1',
      sha256: 'ab',
      thumbnail: { state: 'uploaded', file: 'a.jpg', storageKey: 'thumb-key' },
    },
  });
});

it('shows an incident with what the service was told', () => {
  expect(reads().getIncident('incident-1')).toMatchObject({ value: { isSynced: false, folderGone: false } });
  tables.incidents.synced('incident-1', 4_000, 1, '{}');
  tables.incidents.setFolderGone('incident-1', true);
  expect(reads().getIncident('incident-1')).toMatchObject({
    value: {
      row: { id: 'incident-1', state: 'waiting' },
      isSynced: true,
      lastSyncedAt: '1970-01-01T00:00:04.000Z',
      folderGone: true,
    },
  });
});

it('says that nothing has an id', () => {
  expect(reads().getClip('incident-1')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  expect(reads().getIncident('clip-1')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});
