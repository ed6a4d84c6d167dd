import { describe, expect, it } from 'vitest';
import type { WireVideo, WireVideoWrite } from '../../../shared/service/incident.ts';
import { useEvidenceRun } from './evidence-run.ts';
import { going, valueOf } from './service-desk.ts';

const run = useEvidenceRun();

const wire = {
  id: 'video-1',
  started_at: '2026-05-01T18:30:00.000Z',
  ended_at: '2026-05-01T18:32:00.000Z',
  camera_id: 'GATE4N',
  camera_name: 'Gate Four',
  camera_description: 'PTZ over turnstiles',
  camera_longitude: -0.2796,
  camera_latitude: 51.5561,
  storage_key: 'vms/1/video-1',
  storage_thumbnail_key: 'vms/1/video-1-thumbnail',
  upload_errors: [],
};

/** The video as the client reads it, listed among both the uploaded and the failed ones. */
async function read(video: object = {}) {
  const videos = [{ ...wire, ...video }];
  run().desk.answerNext({ vms_incident: { id: 'CASE-42', uploaded_videos: videos, failed_videos: videos } });
  const incident = await valueOf(run().desk.incidents.get('CASE-42', going));
  expect(incident.failed_videos).toEqual(incident.uploaded_videos);
  return incident.uploaded_videos?.[0];
}

/** A clip as it was last written to the service. */
async function written(
  path: Parameters<ReturnType<typeof run>['clipId']>[0],
): Promise<WireVideo | WireVideoWrite> {
  const incident = await run().written(path.startsWith('Ramp') ? 'Ramp' : 'Gate 4');
  const id = await run().clipId(path);
  const video = [...incident.uploaded_videos, ...incident.failed_videos].find((each) => each.id === id);
  if (video === undefined) throw new Error(`${path} was not written`);
  return video;
}

describe('Video object', () => {
  it('Video | id | string, required, unique id of the video', async () => {
    expect((await read())?.id).toBe('video-1');
    const { uploaded_videos: uploaded, failed_videos: failed } = await run().written('Gate 4');
    const ids = [...uploaded, ...failed].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toContain(await run().clipId('Gate 4/gate.mkv'));
  });

  it('Video | started_at | timestamp, start of the video', async () => {
    expect((await read())?.started_at).toBe(wire.started_at);
    expect((await written('Gate 4/gate.mkv')).started_at).toBe(wire.started_at);
  });

  it('Video | ended_at | timestamp, end of the video', async () => {
    expect((await read())?.ended_at).toBe(wire.ended_at);
    expect((await written('Gate 4/gate.mkv')).ended_at).toBe(wire.ended_at);
  });

  it('Video | camera_id | string', async () => {
    expect((await read())?.camera_id).toBe('GATE4N');
    expect((await written('Gate 4/gate.mkv')).camera_id).toBe('GATE4N');
  });

  it('Video | camera_name | string, name of the recording camera', async () => {
    expect((await read())?.camera_name).toBe('Gate Four');
    expect((await written('Gate 4/gate.mkv')).camera_name).toBe('Gate Four');
  });

  it('Video | camera_description | string, description of the camera', async () => {
    expect((await read())?.camera_description).toBe('PTZ over turnstiles');
    expect((await written('Gate 4/gate.mkv')).camera_description).toBe('PTZ over turnstiles');
  });

  it('Video | camera_longitude | number', async () => {
    expect((await read())?.camera_longitude).toBe(-0.2796);
    expect((await written('Gate 4/gate.mkv')).camera_longitude).toBe(-0.2796);
  });

  it('Video | camera_latitude | number', async () => {
    expect((await read())?.camera_latitude).toBe(51.5561);
    expect((await written('Gate 4/gate.mkv')).camera_latitude).toBe(51.5561);
  });

  it('Video | storage_key | required when the video was uploaded: key of the video file', async () => {
    expect((await read())?.storage_key).toBe(wire.storage_key);
    const { simulator } = run().bench;
    const stored = (await simulator.objects()).map(({ key }) => key);
    for (const { storage_key: key } of (await run().written('Gate 4')).uploaded_videos)
      expect(stored).toContain(key);
    const [opened] = await run().of('putPart', 'Gate 4/long.ts');
    expect((await written('Gate 4/long.ts')).storage_key).toBe(opened?.key);
    expect(await written('Gate 4/refused.avi')).not.toHaveProperty('storage_key');
  });

  it('Video | storage_thumbnail_key | key of the thumbnail file', async () => {
    expect((await read())?.storage_thumbnail_key).toBe(wire.storage_thumbnail_key);
    const { storage_thumbnail_key: key } = await written('Gate 4/gate.mkv');
    const stored = (await run().bench.simulator.objects()).map((object) => object.key);
    expect(key).toMatch(/gate-[0-9a-f]{8}\.jpg$/);
    expect(stored).toContain(key);
    expect(await written('Gate 4/long.ts')).not.toHaveProperty('storage_thumbnail_key');
  });

  it('Video | upload_errors | array of strings, required when the upload failed, else empty', async () => {
    const read413 = await read({ upload_errors: ['Storage refused the clip.'] });
    expect(read413?.upload_errors).toEqual(['Storage refused the clip.']);
    const failed = await written('Gate 4/refused.avi');
    expect(failed.upload_errors).toEqual([expect.stringContaining('413')]);
    expect((await written('Gate 4/gate.mkv')).upload_errors).toEqual([]);
  });

  it('Video | not shown: errors or upload_errors on failed videos | gap 10 | upload_errors is written, both are read and passed on', async () => {
    const { upload_errors: _none, ...older } = wire;
    run().desk.answerNext({
      vms_incident: { id: 'CASE-42', failed_videos: [{ ...older, errors: ['Too large.'] }] },
    });
    const { failed_videos: failed } = await valueOf(run().desk.incidents.get('CASE-42', going));
    expect(failed?.[0]?.errors).toEqual(['Too large.']);
    expect(await written('Gate 4/refused.avi')).not.toHaveProperty('errors');
  });

  it('Video | not shown: ids of videos | gap 12 | made from incident and path, the same each time', async () => {
    const id = await run().clipId('Gate 4/gate.mkv');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-/);
    const puts = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    const withClip = puts.filter(({ written: { uploaded_videos: videos } }) =>
      videos.some((video) => video.id === id),
    );
    expect(withClip.length).toBeGreaterThan(0);
  });

  it('Video | not shown: a clip whose time or camera is not known | gap 32 | the fields are left out, never guessed or null', async () => {
    const plain = await written('Ramp/plain.dav');
    expect(Object.keys(plain).toSorted()).toEqual(['id', 'storage_key', 'upload_errors']);
  });
});
