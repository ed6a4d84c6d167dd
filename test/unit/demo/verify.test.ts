import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../demo/evidence.ts';
import type { ToldEvent } from '../../demo/run-agent.ts';
import { samples, samplesFor } from '../../demo/samples.ts';
import { verify } from '../../demo/verify.ts';
import type { StoredIncident, StoredVideo } from '../../simulator/index.ts';
import { API_KEY, evidenceOf } from './evidence-of.ts';

const good = evidenceOf(samples);
const [firstKey = ''] = good.objects.keys();
const firstIncident = good.incidents[0]!;
const firstVideo = firstIncident.uploaded_videos[0]!;
const failedVideo = good.incidents.flatMap((incident) => incident.failed_videos)[0]!;

/** The evidence with each incident passed through `change`. */
const incidents = (change: (incident: StoredIncident) => StoredIncident): Partial<Evidence> => ({
  incidents: good.incidents.map(change),
});
/** The evidence with each listed video passed through `change`, which may return none or several. */
const videos = (change: (video: StoredVideo) => readonly StoredVideo[]): Partial<Evidence> =>
  incidents((incident) => ({
    ...incident,
    uploaded_videos: incident.uploaded_videos.flatMap(change),
    failed_videos: incident.failed_videos.flatMap(change),
  }));
const firstVideoWith = (change: Partial<StoredVideo>): Partial<Evidence> =>
  videos((video) => [video.id === firstVideo.id ? { ...video, ...change } : video]);
const failedVideoWith = (change: Partial<StoredVideo>): Partial<Evidence> =>
  videos((video) => [video.id === failedVideo.id ? { ...video, ...change } : video]);
const objects = (change: Map<string, { sizeBytes: number; sha256: string }>): Partial<Evidence> => ({
  objects: new Map([...good.objects, ...change]),
});
const without = <Value>(map: ReadonlyMap<string, Value>, name: string): ReadonlyMap<string, Value> =>
  new Map([...map].filter(([key]) => key !== name));
const events = (change: (event: ToldEvent) => readonly ToldEvent[]): Partial<Evidence> => ({
  events: good.events.flatMap(change),
});
const differences = (change: Partial<Evidence>): string =>
  verify(samples, { ...good, ...change }).differences.join('\n');

describe('verify', () => {
  it('finds nothing when all is as the samples want it', () => {
    expect(verify(samples, good).differences).toEqual([]);
  });

  it('finds nothing without the clip that some accounts cannot make', () => {
    const fewer = samplesFor(false);
    expect(fewer.flatMap(({ clips }) => clips)).toHaveLength(
      samples.flatMap(({ clips }) => clips).length - 1,
    );
    expect(verify(fewer, evidenceOf(fewer)).differences).toEqual([]);
  });

  it('does not ask for the exit code of an agent that still runs', () => {
    const running = { exit: undefined, ...events((event) => (event.event === 'summary' ? [] : [event])) };
    expect(differences(running)).toBe('');
  });

  const broken: readonly (readonly [what: string, change: Partial<Evidence>, says: RegExp])[] = [
    [
      'other bytes',
      objects(new Map([[firstKey, { ...good.objects.get(firstKey)!, sha256: 'other' }]])),
      /SHA-256 of its object is "other"/,
    ],
    [
      'fewer bytes',
      objects(new Map([[firstKey, { ...good.objects.get(firstKey)!, sizeBytes: 1 }]])),
      /size of its object is 1, not 1000/,
    ],
    [
      'an object that is listed and not stored',
      { objects: without(good.objects, firstKey) },
      /object key of .* is not in storage/,
    ],
    [
      'an object that nobody lists',
      objects(new Map([['loose', { sizeBytes: 1, sha256: '' }]])),
      /the object loose is listed 0 times/,
    ],
    [
      'a thumbnail with other bytes',
      objects(new Map([[firstVideo.storage_thumbnail_key!, { sizeBytes: 1001, sha256: 'x' }]])),
      /SHA-256 of its thumbnail is "x"/,
    ],
    [
      'a thumbnail that is missing',
      { ...firstVideoWith({ storage_thumbnail_key: undefined }) },
      /its thumbnail has no storage key/,
    ],
    [
      'a thumbnail without an image',
      failedVideoWith({ storage_thumbnail_key: firstVideo.storage_thumbnail_key! }),
      /though there was no image/,
    ],
    [
      'a clip that is not listed',
      videos((video) => (video.id === firstVideo.id ? [] : [video])),
      /listed 0 times, not once/,
    ],
    [
      'a clip that is listed twice',
      videos((video) => (video.id === firstVideo.id ? [video, video] : [video])),
      /listed 2 times, not once/,
    ],
    [
      'a clip that is listed as uploaded and as failed',
      incidents((incident) => ({
        ...incident,
        failed_videos: [...incident.failed_videos, ...incident.uploaded_videos],
      })),
      /listed 2 times, not once/,
    ],
    [
      'a clip that is listed again under another id',
      videos((video) => (video.id === firstVideo.id ? [video, { ...video, id: 'second' }] : [video])),
      /lists video second, which is not one of its clips/,
    ],
    [
      'a clip that was given two ids',
      events((event) =>
        event.event === 'clip.uploaded' ? [event, { ...event, clipId: `${event.clipId}#2` }] : [event],
      ),
      /the agent gave it 2 ids/,
    ],
    [
      'a clip that moved to another incident',
      incidents((incident) => ({
        ...incident,
        uploaded_videos: incident.id === firstIncident.id ? [] : [...incident.uploaded_videos, firstVideo],
      })),
      /listed by another incident/,
    ],
    [
      'an incident that is missing',
      { incidents: good.incidents.slice(1) },
      /Gate 4: the service has no such incident/,
    ],
    [
      'an incident too many',
      { incidents: [...good.incidents, { ...firstIncident, id: 'more', uploaded_videos: [] }] },
      /incident more .* which belongs to no sample/,
    ],
    [
      'another title',
      incidents((incident) => ({ ...incident, title: 'Other' })),
      /title is "Other", not "Pitch invasion, Gate 4"/,
    ],
    [
      'another time of the incident',
      incidents((incident) => ({ ...incident, incident_at: '2026-05-01T19:30:00.000Z' })),
      /incident_at is "2026-05-01T19:30/,
    ],
    [
      'another description',
      incidents((incident) => ({ ...incident, description: null })),
      /description is null, not "Two groups/,
    ],
    ['another place', incidents((incident) => ({ ...incident, latitude: 0 })), /latitude is 0, not 51\.556/],
    [
      'another camera',
      firstVideoWith({ camera_name: 'Channel 9' }),
      /camera_name is "Channel 9", not "Channel 1"/,
    ],
    ['another camera id', firstVideoWith({ camera_id: undefined }), /camera_id is absent, not "1"/],
    [
      'a start in the wrong zone',
      firstVideoWith({ started_at: '2026-05-01T19:30:05.000Z' }),
      /started_at is "2026-05-01T19:30:05\.000Z"/,
    ],
    ['another end', firstVideoWith({ ended_at: undefined }), /ended_at is absent/],
    [
      'a clip that failed and should not',
      incidents((incident) => ({
        ...incident,
        uploaded_videos: [],
        failed_videos: [...incident.failed_videos, ...incident.uploaded_videos],
      })),
      /listed as failed, not as uploaded/,
    ],
    [
      'a clip that was uploaded and should not',
      incidents((incident) => ({
        ...incident,
        failed_videos: [],
        uploaded_videos: [...incident.uploaded_videos, ...incident.failed_videos],
      })),
      /listed as uploaded, not as failed/,
    ],
    ['a failure without a reason', failedVideoWith({ upload_errors: [] }), /failed without a reason/],
    ['a failure with an empty reason', failedVideoWith({ upload_errors: [' '] }), /failed without a reason/],
    [
      'a failure for another reason',
      failedVideoWith({ upload_errors: ['The network is down.'] }),
      /which does not say/,
    ],
    [
      'a failed clip with a storage key',
      failedVideoWith({ storage_key: 'key' }),
      /failed but has the storage key/,
    ],
    [
      'bytes of a clip that must fail',
      { firstSentAt: new Map([...good.firstSentAt, [failedVideo.id, 1]]) },
      /bytes of it were sent/,
    ],
    [
      'a clip that was sent while it grew',
      { firstSentAt: new Map([...good.firstSentAt].map(([id]) => [id, 999_999])) },
      /sent before it was complete/,
    ],
    [
      'a paused clip that was not held back',
      events((event) => (event.event === 'file.held' ? [] : [event])),
      /not held back while its writer paused/,
    ],
    ['an upload that is open', { openUploads: ['half'] }, /multipart upload of half was left open/],
    ['an exit code of success', { exit: 0 }, /exit code is 0, not 14/],
    ['an end by a signal', { exit: 'SIGKILL' }, /exit code is "SIGKILL"/],
    [
      'no summary',
      events((event) => (event.event === 'summary' ? [] : [event])),
      /summary's uploaded is absent/,
    ],
    ['the key in the output', { notes: [`Bearer ${API_KEY}`] }, /printed the key or a signed URL in 1 lines/],
    [
      'a signed URL in the output',
      { notes: ['http://x/y?X-Amz-Signature=0af3'] },
      /printed the key or a signed URL/,
    ],
  ];

  it.each(broken)('finds %s', (_what, change, says) => {
    expect(differences(change)).toMatch(says);
  });
});
