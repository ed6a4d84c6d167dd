import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCheckIncident } from '../../../../electron/agent/record/check-incident.ts';
import type { JobOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { clipRow, incidentRow, jobRow } from '../../../helpers/queue-fixture.ts';
import { openRecordDesk, type RecordDesk } from '../../../helpers/record-desk.ts';

let desk: RecordDesk;

beforeEach(async () => {
  desk = await openRecordDesk();
  const { tables, incidents } = desk;
  tables.incidents.insert(incidentRow());
  for (const id of ['clip-1', 'clip-2']) {
    tables.clips.insert(clipRow({ id, path: id }));
    tables.jobs.put(jobRow({ subject: id, state: 'blocked' }));
  }
  tables.thumbnails.put({
    clipId: 'clip-1',
    path: 'a.jpg',
    serviceName: 'a.jpg',
    sizeBytes: 1,
    mtimeNs: '1',
    inode: '1',
    device: '1',
  });
  tables.jobs.put(jobRow({ kind: 'send-thumbnail', subject: 'clip-1', state: 'blocked' }));
  incidents.check('incident-1');
});
afterEach(() => desk.close());

async function check(): Promise<JobOutcome> {
  const job = desk.job('check-incident', 'incident-1');
  const outcome = await runCheckIncident(
    { ...desk, queue: desk.incidents },
    job,
    new AbortController().signal,
  );
  if (outcome.kind === 'done') desk.tables.write(() => outcome.commit?.());
  return outcome;
}
const stateOf = (subject: string) => desk.tables.jobs.of('send-clip', subject)?.state;
const knows = (incident: object) => {
  desk.answer = () => [200, { vms_incident: incident }];
};

describe('runCheckIncident', () => {
  it('lets the uploads begin and the record be told when the service does not know the incident', async () => {
    desk.answer = () => [404, { message: 'Not found' }];
    expect((await check()).kind).toBe('done');
    expect([stateOf('clip-1'), stateOf('clip-2')]).toEqual(['ready', 'ready']);
    expect(desk.tables.incidents.byId('incident-1')).toMatchObject({ remoteVideos: null, sentDetails: null });
    expect(desk.job('put-incident', 'incident-1').state).toBe('ready');
  });

  it('takes over what an earlier life of this desk had uploaded, and sends only the rest', async () => {
    knows({
      uploaded_videos: [{ id: 'clip-1', storage_key: 'old-key', storage_thumbnail_key: 'old-thumb' }],
      failed_videos: [{ id: 'clip-2', upload_errors: ['no line'] }],
    });
    await check();
    expect(desk.tables.clips.byId('clip-1')).toMatchObject({
      state: 'uploaded',
      storageKey: 'old-key',
      sha256: null,
    });
    expect(desk.tables.thumbnails.byClip('clip-1')).toMatchObject({
      state: 'uploaded',
      storageKey: 'old-thumb',
    });
    expect([stateOf('clip-1'), stateOf('clip-2')]).toEqual([undefined, 'ready']);
    expect(desk.tables.jobs.of('send-thumbnail', 'clip-1')).toBeUndefined();
    expect(desk.tables.clips.byId('clip-2')?.state).toBe('queued');
  });

  it('sends a thumbnail that the service does not have, although it has the clip', async () => {
    knows({ uploaded_videos: [{ id: 'clip-1', storage_key: 'old-key' }] });
    await check();
    expect(desk.tables.jobs.of('send-thumbnail', 'clip-1')?.state).toBe('ready');
  });

  it.each([null, ''])('does not believe in a clip with the storage key %j', async (key) => {
    knows({ uploaded_videos: [{ id: 'clip-1', storage_key: key }] });
    await check();
    expect(desk.tables.clips.byId('clip-1')?.state).toBe('queued');
  });

  it('keeps the videos that only the service knows, and leaves its details as they are there', async () => {
    const theirs = { id: 'theirs', storage_key: 'k', camera_name: 'Yard' };
    knows({ title: 'Edited by someone', uploaded_videos: [theirs] });
    await check();
    const row = desk.tables.incidents.byId('incident-1');
    expect(JSON.parse(row?.remoteVideos ?? '')).toEqual({ uploaded: [theirs], failed: [] });
    expect(JSON.parse(row?.sentDetails ?? '')).toMatchObject({ title: 'Gate 4' });
  });

  it('still tells what a person said here before the service was asked, and what the service lacks', async () => {
    const { tables } = desk;
    const row = incidentRow({ description: 'Two men', incidentAt: 5, latitude: 1, longitude: 2 });
    const sources = JSON.stringify({
      title: { source: 'person', confidence: 'high' },
      description: { source: 'sidecar', confidence: 'high' },
      incidentAt: { source: 'person', confidence: 'high' },
    });
    tables.incidents.describe('incident-1', { ...row, sources }, desk.clock.now());
    const there = { title: 'As it was', description: 'As it was', latitude: 0, incident_at: null };
    knows({ ...there, uploaded_videos: [] });
    await check();
    const sent: unknown = JSON.parse(tables.incidents.byId('incident-1')?.sentDetails ?? '');
    expect(sent).toEqual({ description: 'Two men', latitude: 1 });
  });

  it('changes nothing when it runs twice', async () => {
    knows({ uploaded_videos: [{ id: 'clip-1', storage_key: 'old-key' }] });
    await check();
    const before = desk.tables.clips.ofIncident('incident-1');
    knows({ uploaded_videos: [{ id: 'clip-1', storage_key: 'other-key' }] });
    await check();
    expect(desk.tables.clips.ofIncident('incident-1')).toEqual(before);
  });

  it.each([500, 401, 400, 410, 422, 200, 302])(
    'with the answer %i is refused, which the circuits judge',
    async (status) => {
      desk.answer = () => [status, {}];
      expect(await check()).toMatchObject({ kind: 'refused', step: 'get' });
      expect(stateOf('clip-1')).toBe('blocked');
    },
  );
});
