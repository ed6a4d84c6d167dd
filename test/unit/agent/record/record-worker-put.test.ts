import { PUT_INTERVAL_MS } from '../../../../electron/agent/queue/incident-jobs.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runPutIncident } from '../../../../electron/agent/record/record-worker.ts';
import type { JobOutcome } from '../../../../electron/agent/queue/outcome.ts';
import { clipRow, failureOf, incidentRow } from '../../../helpers/queue-fixture.ts';
import { openRecordDesk, type RecordDesk } from '../../../helpers/record-desk.ts';

const CREATED_MS = Date.UTC(2026, 4, 1);
const details = {
  title: 'Gate 4',
  description: 'A fall',
  incident_at: '2026-05-01T18:30:00.000Z',
  created_at: '2026-05-01T00:00:00.000Z',
};

let desk: RecordDesk;

beforeEach(async () => {
  desk = await openRecordDesk();
  desk.tables.incidents.insert(
    incidentRow({ description: 'A fall', incidentAt: Date.UTC(2026, 4, 1, 18, 30), createdAt: CREATED_MS }),
  );
  desk.tables.incidents.checked('incident-1', desk.clock.now(), null, null);
});
afterEach(() => desk.close());

/** One run of the job as the runner does it: its outcome is stored together with the job's end. */
async function put(signal = new AbortController().signal, isShared = false): Promise<JobOutcome> {
  desk.incidents.arm('incident-1');
  const job = desk.job('put-incident', 'incident-1');
  const outcome = await runPutIncident({ ...desk, queue: desk.incidents, isShared }, job, signal);
  if (outcome.kind !== 'done') return outcome;
  const announce = desk.tables.write(() => {
    desk.tables.jobs.remove(job.id);
    return outcome.commit?.();
  });
  announce?.();
  return outcome;
}
const row = () => desk.tables.incidents.byId('incident-1');
const touch = () => desk.incidents.touch('incident-1');
const sent = () => (desk.lastBody() as { vms_incident: Record<string, unknown> }).vms_incident;

describe('runPutIncident', () => {
  it('sends the details with the first PUT and both arrays', async () => {
    expect((await put()).kind).toBe('done');
    expect(desk.server.requests[1]).toMatchObject({ method: 'PUT', url: '/vms/incidents/incident-1' });
    expect(sent()).toEqual({
      ...details,
      updated_at: '2026-05-01T00:00:00.000Z',
      uploaded_videos: [],
      failed_videos: [],
    });
    expect(row()).toMatchObject({ version: 1, syncedVersion: 1, lastPutAt: desk.clock.now() });
  });

  it.each([
    [true, 'listed-first'],
    [false, 'sent-here'],
  ])(
    'lists one object of a clip that was sent twice; of two desks of a site (%s) the one listed first',
    async (isShared, key) => {
      const listed = { id: 'clip-1', storage_key: 'listed-first' };
      desk.tables.clips.insert(clipRow({ id: 'clip-1' }));
      desk.tables.clips.uploaded('clip-1', 'sent-here', 'sum', 5);
      touch();
      desk.answer = () => [200, { vms_incident: { uploaded_videos: [listed] } }];
      await put(undefined, isShared);
      expect(sent()).toMatchObject({ uploaded_videos: [{ id: 'clip-1', storage_key: key }] });
      expect(desk.tables.clips.byId('clip-1')).toMatchObject({
        storageKey: key,
        sha256: 'sum',
        uploadedAt: 5,
      });
    },
  );

  it('sends details once, so that an edit made in the service stays', async () => {
    await put();
    desk.answer = () => [200, { vms_incident: details }];
    touch();
    await put();
    expect(Object.keys(sent())).toEqual(['updated_at', 'uploaded_videos', 'failed_videos']);
  });

  // service.md gap 13
  it.each([[null], [undefined]])(
    'restores what a PUT erased before the agent ended (title in the service: %s)',
    async (gone) => {
      await put();
      const there = { title: gone, uploaded_videos: [], failed_videos: [] };
      desk.answer = ({ method }) => [200, { vms_incident: method === 'GET' ? there : details }];
      touch();
      await put();
      expect(sent()).toMatchObject(details);
    },
  );

  it('checks only once whether a PUT erases, if the responses to it never have the title', async () => {
    await put();
    desk.answer = ({ method }) => [200, { vms_incident: method === 'GET' ? details : {} }];
    for (const requests of [3, 2]) {
      const before = desk.server.requests.length;
      touch();
      await put();
      expect(desk.server.requests).toHaveLength(before + requests);
    }
  });

  it('sends a detail again when it changed here, and that one only', async () => {
    await put();
    desk.answer = () => [200, { vms_incident: details }];
    const now = desk.clock.now();
    const { title, description, incidentAt, latitude, longitude, sources, extra } = incidentRow({
      title: 'Gate 5',
    });
    desk.tables.incidents.describe(
      'incident-1',
      {
        title,
        description: description ?? 'A fall',
        incidentAt: incidentAt ?? Date.UTC(2026, 4, 1, 18, 30),
        latitude,
        longitude,
        sources,
        extra,
      },
      now,
    );
    await put();
    expect(sent()).toMatchObject({ title: 'Gate 5' });
    expect(sent()).not.toHaveProperty('description');
  });

  it('lists uploaded and failed clips with their thumbnails, and says how many there are', async () => {
    const { clips, thumbnails } = desk.tables;
    for (const id of ['up', 'down', 'waiting']) clips.insert(clipRow({ id, path: id }));
    clips.uploaded('up', 'key-up', 'sum', 1);
    thumbnails.put({
      clipId: 'up',
      path: 'up.jpg',
      serviceName: 'up.jpg',
      sizeBytes: 1,
      mtimeNs: '1',
      inode: '1',
      device: '1',
    });
    thumbnails.uploaded('up', 'key-thumb', null);
    clips.failed(
      'down',
      JSON.stringify(failureOf('FILE_EMPTY', { message: 'Empty file: down.', advice: 'Export it again.' })),
    );
    await put();
    expect(sent()).toMatchObject({
      uploaded_videos: [{ id: 'up', storage_key: 'key-up', storage_thumbnail_key: 'key-thumb' }],
      failed_videos: [{ id: 'down', upload_errors: ['Empty file: down. Export it again.'] }],
    });
    expect(desk.told).toContainEqual(
      expect.objectContaining({ event: 'incident.synced', uploaded: 1, failed: 1, pending: 1 }),
    );
  });

  describe('is listed otherwise there than it should be', () => {
    const video = { id: 'up', storage_key: 'key-up' };
    const answers = (before: object[], after: object[] | undefined) => {
      desk.answer = ({ method }) => [
        200,
        { vms_incident: { uploaded_videos: method === 'GET' ? before : after, failed_videos: [] } },
      ];
    };
    const warnings = () => desk.told.filter(({ event }) => event === 'warning');
    beforeEach(() => {
      desk.tables.clips.insert(clipRow({ id: 'up', path: 'up' }));
      desk.tables.clips.uploaded('up', 'key-up', 'sum', 1);
    });

    it('input D19: says that a clip whose record was taken is not listed', async () => {
      answers([], []);
      expect((await put()).kind).toBe('done');
      expect(warnings()).toMatchObject([{ code: 'UPLOAD_UNCONFIRMED' }]);
      touch();
      await put();
      expect(sent()).toMatchObject({ uploaded_videos: [{ id: 'up', storage_key: 'key-up' }] });
    });

    it('input D20: says that a clip was listed twice, and lists it once', async () => {
      answers([video, { ...video, storage_key: 'other' }], [video]);
      await put();
      expect(warnings()).toMatchObject([{ code: 'SERVER_DUPLICATE' }]);
      expect(sent()['uploaded_videos']).toHaveLength(1);
    });

    it.each([[[video]], [undefined]])('has nothing to say when the answer lists %j', async (after) => {
      answers([video], after);
      await put();
      expect(warnings()).toEqual([]);
    });
  });

  describe('reads the incident right before', () => {
    const theirs = { id: 'theirs', storage_key: 'k', rating: { stars: 5 }, camera_name: null };
    const lists = (uploaded: object[], failed: object[] = []) => {
      desk.answer = () => [200, { vms_incident: { uploaded_videos: uploaded, failed_videos: failed } }];
    };

    it('and keeps videos that only the service knows in both arrays, exactly as they came', async () => {
      const lost = { id: 'lost', errors: ['no line'] };
      const counted = { id: 7, storage_key: null };
      lists([theirs, counted], [lost, counted]);
      expect((await put()).kind).toBe('done');
      expect(sent()).toMatchObject({ uploaded_videos: [theirs, counted], failed_videos: [lost, counted] });
    });

    it('and keeps one that came since the last PUT, while one that was taken off stays off', async () => {
      lists([theirs]);
      await put();
      touch();
      lists([{ id: 'later', storage_key: 'k2' }]);
      await put();
      expect(sent()).toMatchObject({ uploaded_videos: [{ id: 'later', storage_key: 'k2' }] });
    });

    it('and keeps what others had listed, and tells all details again, when it is unknown there now', async () => {
      const id = JSON.rawJSON('9007199254740993');
      lists([{ ...theirs, serial: id }], [{ id }]);
      await put();
      expect(desk.server.bodies.at(-1)).toContain('"failed_videos":[{"id":9007199254740993}]');
      touch();
      desk.answer = ({ method }) => (method === 'GET' ? [404, {}] : [201, { vms_incident: {} }]);
      await put();
      expect(sent()).toMatchObject({ ...details, uploaded_videos: [theirs] });
      expect(desk.server.bodies.at(-1)).toContain('"serial":9007199254740993}');
      expect(desk.server.bodies.at(-1)).toContain('"failed_videos":[{"id":9007199254740993}]');
    });

    it.each([410, 422, 500])('and writes nothing when that is answered %i', async (status) => {
      desk.answer = () => [status, {}];
      expect(await put()).toMatchObject({ kind: 'refused', step: 'get' });
      expect(desk.server.requests.map(({ method }) => method)).toEqual(['GET']);
    });
  });

  it('is due again when the incident changed while the PUT was on its way', async () => {
    desk.answer = ({ method }) => {
      if (method === 'PUT') desk.tables.incidents.touch('incident-1', desk.clock.now());
      return [201, { vms_incident: { id: 'incident-1' } }];
    };
    await put();
    expect(row()).toMatchObject({ version: 2, syncedVersion: 1 });
    expect(desk.job('put-incident', 'incident-1')).toMatchObject({
      state: 'waiting',
      dueAt: desk.clock.now() + PUT_INTERVAL_MS,
    });
  });

  it.each([503, 401, 429, 422, 404, 413])(
    'with the answer %i is refused, and the service is not taken to know anything',
    async (status) => {
      desk.answer = ({ method }) => (method === 'GET' ? [404, {}] : [status, { message: 'so' }]);
      expect(await put()).toMatchObject({ kind: 'refused', step: 'put' });
      expect(row()).toMatchObject({ syncedVersion: 0, sentDetails: null });
    },
  );

  it('remembers a PUT without an answer until the next one was taken, after which it is looked at again', async () => {
    desk.answer = ({ method }) => (method === 'GET' ? [404, {}] : [504, '']);
    await put();
    expect([...desk.seen.unanswered]).toEqual(['incident-1']);
    desk.answer = () => [200, { vms_incident: details }];
    await put();
    expect(desk.seen.unanswered.size).toBe(0);
    expect(desk.tables.jobs.of('confirm-record', 'incident-1')?.state).toBe('waiting');
  });

  it('sends the details again when the service has the incident without its title', async () => {
    await put();
    desk.answer = () => [200, { vms_incident: { title: null, description: 'Edited there' } }];
    touch();
    await put();
    expect(sent()).toMatchObject({ ...details, description: 'Edited there' });
  });

  it('is interrupted when the agent stops', async () => {
    expect(await put(AbortSignal.abort(new Error('stopping')))).toEqual({ kind: 'interrupted' });
  });

  it('is done when the incident is not there any more', async () => {
    desk.incidents.arm('incident-1');
    const job = { ...desk.job('put-incident', 'incident-1'), subject: 'gone' };
    const outcome = await runPutIncident(
      { ...desk, queue: desk.incidents },
      job,
      new AbortController().signal,
    );
    expect(outcome).toEqual({ kind: 'done' });
    expect(desk.server.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
