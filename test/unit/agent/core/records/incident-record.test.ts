import { describe, expect, it } from 'vitest';
import {
  buildIncidentRecord,
  changedDetails,
  incidentDetails,
  type RecordClip,
  type RecordIncident,
} from '../../../../../electron/agent/core/records/incident-record.ts';

const incident: RecordIncident = {
  title: 'Gate 4',
  description: null,
  incidentAt: Date.UTC(2026, 4, 1, 18, 30),
  latitude: 51.5,
  longitude: 0,
  createdAt: Date.UTC(2026, 4, 1, 19),
  updatedAt: Date.UTC(2026, 4, 1, 20),
};

const clip = (more: Partial<RecordClip> = {}): RecordClip => ({
  id: 'clip-1',
  state: 'uploaded',
  startedAt: null,
  endedAt: null,
  cameraId: null,
  cameraName: null,
  cameraDescription: null,
  cameraLatitude: null,
  cameraLongitude: null,
  storageKey: 'key-1',
  thumbnailKey: null,
  failureText: undefined,
  ...more,
});
const nothingRemote = { uploaded: [], failed: [] };
const record = (clips: readonly RecordClip[], remote = nothingRemote as never) =>
  buildIncidentRecord(incident, {}, clips, remote);

describe('incidentDetails', () => {
  it('says times as UTC with milliseconds, keeps a longitude of zero, and leaves out what is not known', () => {
    expect(incidentDetails(incident)).toStrictEqual({
      title: 'Gate 4',
      incident_at: '2026-05-01T18:30:00.000Z',
      created_at: '2026-05-01T19:00:00.000Z',
      latitude: 51.5,
      longitude: 0,
    });
  });
});

describe('changedDetails', () => {
  const details = incidentDetails(incident);

  it.each([
    ['everything before the first PUT', {}, details],
    ['nothing when nothing changed', details, {}],
    ['only what changed', { ...details, title: 'Gate 3' }, { title: 'Gate 4' }],
    [
      'what became known',
      {
        title: 'Gate 4',
        incident_at: '2026-05-01T18:30:00.000Z',
        created_at: '2026-05-01T19:00:00.000Z',
        longitude: 0,
      },
      { latitude: 51.5 },
    ],
    ['nothing for what is no longer known', { ...details, description: 'A fall' }, {}],
  ])('are %s', (_what, sent, expected) => {
    expect(changedDetails(details, sent)).toStrictEqual(expected);
  });
});

describe('buildIncidentRecord', () => {
  it('sends both arrays and the time of the last change even when nothing is uploaded yet', () => {
    expect(record([clip({ state: 'queued', storageKey: null })])).toStrictEqual({
      updated_at: '2026-05-01T20:00:00.000Z',
      uploaded_videos: [],
      failed_videos: [],
    });
  });

  it('describes an uploaded clip with all that is known', () => {
    const full = clip({
      startedAt: Date.UTC(2026, 4, 1, 18, 30, 5),
      endedAt: Date.UTC(2026, 4, 1, 18, 31, 5),
      cameraId: '4',
      cameraName: 'Gate 4 North',
      cameraDescription: 'Above the turnstiles',
      cameraLatitude: 51.5,
      cameraLongitude: 0,
      thumbnailKey: 'key-1-thumbnail',
    });
    expect(record([full]).uploaded_videos).toStrictEqual([
      {
        id: 'clip-1',
        started_at: '2026-05-01T18:30:05.000Z',
        ended_at: '2026-05-01T18:31:05.000Z',
        camera_id: '4',
        camera_name: 'Gate 4 North',
        camera_description: 'Above the turnstiles',
        camera_longitude: 0,
        camera_latitude: 51.5,
        storage_key: 'key-1',
        storage_thumbnail_key: 'key-1-thumbnail',
        upload_errors: [],
      },
    ]);
  });

  it('gives a failed clip the text that a person reads, and no storage key', () => {
    const failed = clip({
      state: 'failed',
      storageKey: null,
      failureText: 'Empty file: a.mp4. Export it again.',
    });
    const { uploaded_videos: uploaded, failed_videos: list } = record([failed]);
    expect(uploaded).toStrictEqual([]);
    expect(list).toStrictEqual([{ id: 'clip-1', upload_errors: ['Empty file: a.mp4. Export it again.'] }]);
  });

  it('never leaves a failed clip without a reason', () => {
    expect(
      record([clip({ state: 'failed', storageKey: null })]).failed_videos[0]?.upload_errors,
    ).toHaveLength(1);
  });

  it('keeps the thumbnail of a clip that failed', () => {
    const failed = clip({ state: 'failed', storageKey: null, thumbnailKey: 'thumb' });
    expect(record([failed]).failed_videos[0]).toMatchObject({ storage_thumbnail_key: 'thumb' });
  });

  it('carries along videos that only the service knows exactly as they came, fields that nobody knows included', () => {
    const remote = {
      uploaded: [
        { id: 'theirs', storage_key: 'k', camera_name: null, started_at: '2020', rating: { stars: [5] } },
      ],
      failed: [{ id: 'broken', errors: ['no line'] }],
    };
    const { uploaded_videos: uploaded, failed_videos: failed } = buildIncidentRecord(
      incident,
      {},
      [clip()],
      remote,
    );
    expect(uploaded).toStrictEqual([
      ...remote.uploaded,
      { id: 'clip-1', storage_key: 'key-1', upload_errors: [] },
    ]);
    expect(failed).toStrictEqual(remote.failed);
  });

  it.each(['uploaded', 'failed', 'queued'] as const)(
    'lists a clip once when the service has it in both arrays and it is %s here: as it is here, or as somebody else sent it',
    (state) => {
      const theirs = [{ id: 'clip-1', storage_key: 'old' }];
      const own = clip({ state, storageKey: state === 'uploaded' ? 'key-1' : null });
      const body = buildIncidentRecord(incident, {}, [own], { uploaded: theirs, failed: theirs });
      const counts = [body.uploaded_videos.length, body.failed_videos.length];
      expect(counts).toEqual([1, 0]);
      expect(body.uploaded_videos[0]?.storage_key).toBe(state === 'uploaded' ? 'key-1' : 'old');
    },
  );

  it('writes the details that it is given and no others', () => {
    const body = buildIncidentRecord(incident, { title: 'Gate 4' }, [], nothingRemote);
    expect(Object.keys(body)).toEqual(['title', 'updated_at', 'uploaded_videos', 'failed_videos']);
  });
});
