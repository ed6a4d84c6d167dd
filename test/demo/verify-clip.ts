import type { StoredIncident, StoredVideo } from '../simulator/index.ts';
import { differs } from './differs.ts';
import type { Evidence } from './evidence.ts';
import type { Source } from './make-samples.ts';
import { samplePath, type SampleClip } from './sample-types.ts';

/** The result for one clip. */
export interface ClipVerdict {
  readonly file: string;
  readonly state: 'uploaded' | 'failed' | 'missing';
  /** Ids that the agent gave it: one when all is well. */
  readonly ids: readonly string[];
  /** As listed by the service. */
  readonly cameraName: string | undefined;
  readonly startedAt: string | undefined;
  readonly sizeBytes: number;
  /** Of the object as it was read back. */
  readonly sha256: string | undefined;
  readonly hasThumbnail: boolean;
  /** Why it failed, as reported to the service. */
  readonly uploadErrors: readonly string[];
  readonly problems: readonly string[];
}

interface Listing {
  readonly incident: StoredIncident;
  readonly state: 'uploaded' | 'failed';
  readonly video: StoredVideo;
}

/** Compares one clip with its sample: listed once, in the right array, right facts, right bytes. */
export function verifyClip(
  folder: string,
  clip: SampleClip,
  incidentId: string | undefined,
  evidence: Evidence,
): ClipVerdict {
  const name = samplePath(folder, clip.file);
  const ids = clipIds(clip.file, incidentId, evidence);
  const listings = listingsOf(ids, evidence);
  const [listing] = listings;
  const video = listing?.video;
  const object = video?.storage_key === undefined ? undefined : evidence.objects.get(video.storage_key);
  return {
    file: clip.file,
    state: listing?.state ?? 'missing',
    ids,
    cameraName: video?.camera_name,
    startedAt: video?.started_at,
    sizeBytes: evidence.sources.get(name)?.sizeBytes ?? 0,
    sha256: object?.sha256,
    hasThumbnail: video?.storage_thumbnail_key !== undefined,
    uploadErrors: video?.upload_errors ?? [],
    problems: [
      ...(ids.length > 1 ? [`the agent gave it ${ids.length} ids`] : []),
      ...(listings.length === 1 ? [] : [`listed ${listings.length} times, not once`]),
      ...(listing === undefined
        ? []
        : verifyListing({ folder, clip, listing, incidentId, object, evidence })),
    ],
  };
}

function clipIds(file: string, incidentId: string | undefined, { events }: Evidence): readonly string[] {
  const ids = events.flatMap((event) =>
    (event.event === 'clip.uploaded' || event.event === 'clip.failed') &&
    event.incidentId === incidentId &&
    event.file === file
      ? [event.clipId]
      : [],
  );
  return [...new Set(ids)];
}

function listingsOf(ids: readonly string[], { incidents }: Evidence): readonly Listing[] {
  return incidents
    .flatMap((incident) => [
      ...incident.uploaded_videos.map((video) => ({ incident, state: 'uploaded' as const, video })),
      ...incident.failed_videos.map((video) => ({ incident, state: 'failed' as const, video })),
    ])
    .filter(({ video }) => ids.includes(video.id));
}

interface Listed {
  readonly folder: string;
  readonly clip: SampleClip;
  readonly listing: Listing;
  readonly incidentId: string | undefined;
  readonly object: Source | undefined;
  readonly evidence: Evidence;
}

function verifyListing(listed: Listed): readonly string[] {
  const { clip, listing, incidentId } = listed;
  const { video, state } = listing;
  const { expected } = clip;
  const mustBe = expected.failsWith === undefined ? 'uploaded' : 'failed';
  const reasons = video.upload_errors.length === 0 ? '' : ` (${video.upload_errors.join(' ')})`;
  return [
    ...(listing.incident.id === incidentId ? [] : [`listed by another incident, ${listing.incident.id}`]),
    ...(state === mustBe ? [] : [`listed as ${state}, not as ${mustBe}${reasons}`]),
    ...differs('camera_id', video.camera_id, expected.cameraId),
    ...differs('camera_name', video.camera_name, expected.cameraName),
    ...differs('camera_description', video.camera_description, expected.cameraDescription),
    ...differs('started_at', video.started_at, expected.startedAt),
    ...differs('ended_at', video.ended_at, expected.endedAt),
    ...(state === 'uploaded' ? verifyBytes(listed) : verifyFailed(listed)),
    ...verifyThumbnail(listed),
    ...verifyPatience(listed),
  ];
}

function verifyBytes({ folder, clip, listing, object, evidence }: Listed): readonly string[] {
  const source = evidence.sources.get(samplePath(folder, clip.file));
  return compareBytes(listing.video.storage_key, object, source, 'object');
}

function compareBytes(
  key: string | undefined,
  object: Source | undefined,
  source: Source | undefined,
  what: string,
): readonly string[] {
  if (key === undefined) return [`its ${what} has no storage key`];
  if (source === undefined) return [`its ${what} has no source to compare with`];
  if (object === undefined) return [`its ${what} ${key} is not in storage`];
  return [
    ...differs(`size of its ${what}`, object.sizeBytes, source.sizeBytes),
    ...differs(`SHA-256 of its ${what}`, object.sha256, source.sha256),
  ];
}

/** A clip that must fail: nothing of it is sent, and its reason is one that a person understands. */
function verifyFailed({ clip, listing, evidence }: Listed): readonly string[] {
  const { id, storage_key: key, upload_errors: reasons } = listing.video;
  const { failsWith } = clip.expected;
  const isRight = failsWith === undefined || reasons.some((text) => failsWith.test(text));
  return [
    ...(reasons.every((text) => text.trim() === '') ? ['failed without a reason'] : []),
    ...(isRight ? [] : [`its reason is "${reasons.join(' ')}", which does not say ${failsWith}`]),
    ...(key === undefined ? [] : [`failed but has the storage key ${key}`]),
    ...(evidence.firstSentAt.has(id) ? ['bytes of it were sent, though it must fail'] : []),
  ];
}

function verifyThumbnail({ folder, clip, listing, evidence }: Listed): readonly string[] {
  const key = listing.video.storage_thumbnail_key;
  if (clip.image === undefined)
    return key === undefined ? [] : ['has a thumbnail, though there was no image'];
  const object = key === undefined ? undefined : evidence.objects.get(key);
  return compareBytes(key, object, evidence.sources.get(samplePath(folder, clip.image.file)), 'thumbnail');
}

/** A clip that was still being written must not be sent before it was complete; one that paused must have been held. */
function verifyPatience({ folder, clip, listing, evidence }: Listed): readonly string[] {
  const { making, file } = clip;
  if (making.kind !== 'written-slowly') return [];
  const wholeSince = evidence.wholeSince.get(samplePath(folder, file));
  const sentAt = evidence.firstSentAt.get(listing.video.id);
  const wasHeld = evidence.events.some(
    (event) =>
      event.event === 'file.held' &&
      event.code === 'FILE_INCOMPLETE' &&
      event.folder === folder &&
      event.file === file,
  );
  return [
    ...(wholeSince !== undefined && sentAt !== undefined && sentAt >= wholeSince
      ? []
      : ['sent before it was complete']),
    ...(making.pausing && !wasHeld ? ['not held back while its writer paused'] : []),
  ];
}
