import { knownFields } from '../../../../shared/lib/known-fields.ts';
import type {
  WireIncident,
  WireIncidentWrite,
  WireVideo,
  WireVideoWrite,
} from '../../../../shared/service/incident.ts';

/** The fields of an incident that go into its record. Times are milliseconds since 1970. */
export interface RecordIncident {
  readonly title: string;
  readonly description: string | null;
  readonly incidentAt: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The fields of a clip that go into its incident's record. `failureText` is shown to people. */
export interface RecordClip {
  readonly id: string;
  readonly state: 'queued' | 'uploaded' | 'failed';
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly cameraId: string | null;
  readonly cameraName: string | null;
  readonly cameraDescription: string | null;
  readonly cameraLatitude: number | null;
  readonly cameraLongitude: number | null;
  readonly storageKey: string | null;
  readonly thumbnailKey: string | null;
  readonly failureText: string | undefined;
  /** A warning about the bytes that were sent. */
  readonly warningText?: string | undefined;
}

function timestamp(timeMs: number | null): string | undefined {
  return timeMs === null ? undefined : new Date(timeMs).toISOString();
}

/** Leaves unknown fields out: an absent field says nothing, a null one may erase (service.md gap 32). */
function describeVideo(clip: RecordClip): WireVideoWrite {
  return {
    id: clip.id,
    ...knownFields<WireVideoWrite>({
      id: clip.id,
      started_at: timestamp(clip.startedAt),
      ended_at: timestamp(clip.endedAt),
      camera_id: clip.cameraId,
      camera_name: clip.cameraName,
      camera_description: clip.cameraDescription,
      camera_longitude: clip.cameraLongitude,
      camera_latitude: clip.cameraLatitude,
    }),
  };
}

function uploadedVideo(clip: RecordClip, storageKey: string): WireVideoWrite {
  return {
    ...describeVideo(clip),
    storage_key: storageKey,
    ...(clip.thumbnailKey === null ? {} : { storage_thumbnail_key: clip.thumbnailKey }),
    upload_errors: clip.warningText === undefined ? [] : [clip.warningText],
  };
}

function failedVideo(clip: RecordClip): WireVideoWrite {
  return {
    ...describeVideo(clip),
    ...(clip.thumbnailKey === null ? {} : { storage_thumbnail_key: clip.thumbnailKey }),
    upload_errors: [clip.failureText ?? 'The upload failed.'],
  };
}

/** Videos that the service lists, by array, each exactly as it was received. */
export interface RemoteVideos {
  readonly uploaded: readonly WireVideo[];
  readonly failed: readonly WireVideo[];
}

/**
 * The videos that PUT must carry along because it replaces the arrays (service.md gap 13): every video that is not
 * ours, and any of ours that someone else has already uploaded.
 */
export function foreignVideos(clips: readonly RecordClip[], there: RemoteVideos): RemoteVideos {
  const states = new Map<WireVideo['id'], RecordClip['state']>(clips.map((clip) => [clip.id, clip.state]));
  const stateOf = ({ id }: WireVideo) => states.get(id);
  const uploaded = there.uploaded.filter((video) => stateOf(video) !== 'uploaded');
  return { uploaded, failed: there.failed.filter((video) => stateOf(video) === undefined) };
}

/** The details of an incident as endpoint 6 writes them. */
export type WireDetails = Omit<WireIncidentWrite, 'updated_at' | 'uploaded_videos' | 'failed_videos'>;

/** The incident's details as they would be sent now. */
export function incidentDetails(incident: RecordIncident): WireDetails {
  return knownFields<WireDetails>({
    title: incident.title,
    description: incident.description,
    incident_at: timestamp(incident.incidentAt),
    created_at: timestamp(incident.createdAt),
    longitude: incident.longitude,
    latitude: incident.latitude,
  });
}

/**
 * Only the details that differ from those last sent, so that edits made in the service are not overwritten
 * (service.md gap 13).
 */
export function changedDetails(details: WireDetails, sent: WireDetails): WireDetails {
  const before = new Map<string, unknown>(Object.entries(sent));
  const changed = Object.entries(details).filter(([name, value]) => before.get(name) !== value);
  return Object.fromEntries(changed);
}

/** Whether the title was erased: all our incidents have one, so a missing title means that a PUT left it out. */
export const lacksTitle = ({ title }: WireIncident): boolean => (title ?? '') === '';

/**
 * The changed details, and those that the service would drop if they were left out (service.md gap 13): with the
 * service's values or, where it has none, with ours.
 */
export function wholeDetails(changed: WireDetails, details: WireDetails, there: WireIncident): WireDetails {
  const { title, description, incident_at, created_at, longitude, latitude } = there;
  const known = { title: title === '' ? null : title, description, incident_at, created_at };
  return { ...details, ...knownFields<WireDetails>({ ...known, longitude, latitude }), ...changed };
}

/**
 * The body of service.md endpoint 6. Clips still waiting are in neither array. Both arrays are always complete, and
 * include the videos in `there` that PUT must carry along (service.md gap 13).
 */
export function buildIncidentRecord(
  incident: RecordIncident,
  details: WireDetails,
  ours: readonly RecordClip[],
  there: RemoteVideos,
): WireIncidentWrite {
  const foreign = foreignVideos(ours, there);
  const sentByOthers = new Set(foreign.uploaded.map(({ id }) => id));
  const clips = ours.filter(({ id }) => !sentByOthers.has(id));
  const uploaded = clips.flatMap((clip) =>
    clip.state === 'uploaded' && clip.storageKey !== null ? [uploadedVideo(clip, clip.storageKey)] : [],
  );
  return {
    ...details,
    updated_at: new Date(incident.updatedAt).toISOString(),
    uploaded_videos: [...foreign.uploaded, ...uploaded],
    failed_videos: [...foreign.failed, ...clips.filter((clip) => clip.state === 'failed').map(failedVideo)],
  };
}
