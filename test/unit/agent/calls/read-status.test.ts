import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { takeInstanceLock } from '../../../../electron/agent/store/instance-lock.ts';
import { readStatus, readSummary, type IncidentView } from '../../../../electron/agent/calls/read-status.ts';
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
});
afterEach(() => queue.close());

async function incidents(): Promise<readonly IncidentView[]> {
  const report = await readStatus(queue.dir);
  if (!report.ok) throw new Error(report.error.message);
  return report.value.incidents;
}
function add(id = 'clip-1', more = {}): void {
  tables.clips.insert(clipRow({ id, path: `${id}.mp4`, ...more }));
  tables.jobs.put(jobRow({ subject: id }));
}
const synced = () => tables.incidents.synced('incident-1', 1, 1, '{}');

describe('readStatus', () => {
  it('is an empty report where nothing ever ran', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'status-'));
    expect(await readStatus(dir)).toEqual({ ok: true, value: { incidents: [] } });
    await rm(dir, { recursive: true });
  });

  it('says that the database is damaged', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'status-'));
    await writeFile(join(dir, 'queue.db'), 'no database '.repeat(100));
    expect(await readStatus(dir)).toMatchObject({ ok: false, error: { code: 'DB_BROKEN' } });
    await rm(dir, { recursive: true });
  });

  it('shows incidents in the order in which they came, with folder and time', async () => {
    tables.incidents.insert(incidentRow({ id: 'b', exportPath: 'second', createdAt: 9_000 }));
    tables.incidents.insert(incidentRow({ id: 'a', exportPath: 'first', createdAt: 1_000, incidentAt: 0 }));
    expect(await incidents()).toMatchObject([
      { id: 'a', folder: '/exports/first', incidentAt: '1970-01-01T00:00:00.000Z' },
      { id: 'b', folder: '/exports/second' },
    ]);
  });

  it('names the answer that brought a failure', async () => {
    tables.incidents.insert(incidentRow());
    add();
    const requestIds = [{ name: 'x-request-id', value: 'r-1' }];
    tables.clips.failed('clip-1', JSON.stringify(failureOf('STORAGE_DENIED', { requestIds })));
    expect((await incidents())[0]?.clips[0]).toMatchObject({ code: 'STORAGE_DENIED', requestIds });
  });

  it('shows a queued clip with what is known of it, and leaves out what is not', async () => {
    tables.incidents.insert(incidentRow());
    add();
    const [clip] = (await incidents())[0]?.clips ?? [];
    expect(clip).toStrictEqual({
      id: 'clip-1',
      file: 'clip-1.mp4',
      state: 'queued',
      sizeBytes: 100,
      attempts: 0,
      flags: [],
    });
  });

  it('shows bytes, camera and start of a clip that is being uploaded', async () => {
    tables.incidents.insert(incidentRow());
    add('clip-1', { cameraName: 'Gate 4', startedAt: 1_000 });
    const lock = await takeInstanceLock(queue.dir, createSystemClock());
    tables.jobs.claim('small', 1, 'me', 0);
    tables.multiparts.insert(multipartRow());
    for (const number of [1, 2])
      tables.parts.put({ clipId: 'clip-1', number, sizeBytes: 10, etag: '"e"', sha256: 's', fromStart: 1 });
    expect((await incidents())[0]).toMatchObject({
      state: 'uploading',
      pending: 1,
      clips: [{ state: 'uploading', bytesSent: 20, camera: 'Gate 4', startedAt: '1970-01-01T00:00:01.000Z' }],
    });
    if (lock.ok) lock.value.release();
  });

  it('shows a clip as waiting that was being uploaded when the agent was killed', async () => {
    tables.incidents.insert(incidentRow());
    add();
    tables.jobs.claim('small', 1, 'killed', 0);
    expect((await incidents())[0]).toMatchObject({ state: 'waiting', clips: [{ state: 'queued' }] });
  });

  it.each([
    ['by itself', () => tables.clips.pause({ kind: 'clips', clipIds: ['clip-1'] })],
    ['with everything', () => tables.desk.setPaused(true)],
  ])('says of a clip that it was paused %s', async (_what, pause) => {
    tables.desk.identify({ deskId: 'desk-1', queueId: 'queue-1', starts: 1 });
    tables.incidents.insert(incidentRow());
    add();
    pause();
    expect((await incidents())[0]?.clips[0]).toMatchObject({ state: 'queued', code: 'PAUSED' });
  });

  it('shows why a clip waits and when it is tried next', async () => {
    tables.incidents.insert(incidentRow());
    add();
    const failure = failureOf('STORAGE_FAULT');
    tables.clips.setFailure('clip-1', JSON.stringify(failure));
    tables.jobs.later(tables.jobs.of('send-clip', 'clip-1')?.id ?? 0, 60_000, 3, null);
    const { code, message, advice } = failure;
    expect((await incidents())[0]?.clips[0]).toMatchObject({
      code,
      message,
      advice,
      attempts: 3,
      nextTryAt: '1970-01-01T00:01:00.000Z',
    });
  });

  it('shows why a clip waits that storage or service put on hold', async () => {
    tables.incidents.insert(incidentRow());
    add();
    const { code, message, advice } = failureOf('NETWORK');
    const job = tables.jobs.of('send-clip', 'clip-1')?.id ?? 0;
    tables.jobs.later(job, 60_000, 0, JSON.stringify(failureOf('NETWORK')));
    expect((await incidents())[0]?.clips[0]).toMatchObject({ state: 'queued', code, message, advice });
  });

  it.each(['check-incident', 'put-incident'] as const)(
    'shows why an incident waits whose %s did not succeed',
    async (kind) => {
      tables.incidents.insert(incidentRow());
      tables.jobs.put(jobRow({ kind, subject: 'incident-1', pool: 'record' }));
      const { code, message, advice } = failureOf('KEY_REFUSED');
      const job = tables.jobs.of(kind, 'incident-1')?.id ?? 0;
      tables.jobs.later(job, 60_000, 0, JSON.stringify(failureOf('KEY_REFUSED')));
      expect((await incidents())[0]).toMatchObject({ state: 'waiting', code, message, advice });
    },
  );

  it('shows why the record of an incident was refused', async () => {
    tables.incidents.insert(incidentRow());
    tables.incidents.fail('incident-1', JSON.stringify(failureOf('VALIDATION')));
    expect((await incidents())[0]).toMatchObject({ state: 'attention', code: 'VALIDATION' });
  });

  it('shows where an uploaded clip went', async () => {
    tables.incidents.insert(incidentRow());
    add();
    tables.clips.uploaded('clip-1', 'key-1', 'ab', 5);
    tables.jobs.removeOf('send-clip', 'clip-1');
    const [clip] = (await incidents())[0]?.clips ?? [];
    expect(clip).toMatchObject({ state: 'uploaded', storageKey: 'key-1', sha256: 'ab' });
    expect(clip).not.toHaveProperty('bytesSent');
  });

  it.each([
    ['waiting', 'with a clip to come', () => add()],
    ['waiting', 'that the service was not told of', () => tables.incidents.touch('incident-1', 1)],
    ['synced', 'with nothing left to do', () => undefined],
    [
      'attention',
      'with a failed clip',
      () => {
        add();
        tables.clips.failed('clip-1', JSON.stringify(failureOf('FILE_EMPTY')));
      },
    ],
    [
      'attention',
      'whose record was refused',
      () => tables.incidents.fail('incident-1', JSON.stringify(failureOf('VALIDATION'))),
    ],
  ])('is %s for an incident %s', async (state, _what, arrange) => {
    tables.incidents.insert(incidentRow());
    synced();
    arrange();
    expect((await incidents())[0]?.state).toBe(state);
  });

  it('counts clips by state', async () => {
    tables.incidents.insert(incidentRow());
    for (const id of ['a', 'b', 'c', 'd']) add(id);
    tables.clips.uploaded('a', 'k', null, 1);
    tables.clips.failed('b', JSON.stringify(failureOf('FILE_EMPTY')));
    expect((await incidents())[0]).toMatchObject({ uploaded: 1, failed: 1, pending: 2 });
  });
});

describe('readSummary', () => {
  it('is empty where nothing ever ran', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'status-'));
    expect(await readSummary(dir)).toMatchObject({
      ok: true,
      value: { isRunning: false, waiting: { clips: 0 }, failed: [] },
    });
    await rm(dir, { recursive: true });
  });

  it('says what waits and what failed, and since when, without a name', async () => {
    tables.incidents.insert(incidentRow({ title: 'Pitch invasion' }));
    add('clip-1', { createdAt: 2_000, sizeBytes: 700 });
    add('clip-2', { createdAt: 1_000, sizeBytes: 300 });
    tables.clips.pause({ kind: 'clips', clipIds: ['clip-1'] });
    for (const id of ['clip-3', 'clip-4']) {
      add(id);
      tables.clips.failed(id, JSON.stringify(failureOf('FILE_TOO_LARGE')));
    }
    const summary = await readSummary(queue.dir);
    expect(summary).toEqual({
      ok: true,
      value: {
        isRunning: false,
        isPaused: false,
        waiting: { clips: 2, paused: 1, bytes: 1000, since: '1970-01-01T00:00:01.000Z' },
        failed: [expect.objectContaining({ code: 'FILE_TOO_LARGE', clips: 2 })],
        refused: 0,
        exports: { count: 0 },
      },
    });
    expect(JSON.stringify(summary)).not.toMatch(/Pitch|clip-/);
  });
});
