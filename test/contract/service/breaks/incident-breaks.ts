import { breaksIn } from './contract-break.ts';

const WIRE = 'shared/service/incident.ts';
const RECORD = 'electron/agent/core/records/incident-record.ts';

/** Incident and video fields whose wire names are read or written wrongly. */
export const incidentBreaks = [
  ...breaksIn(WIRE, [
    ['\n  id: text,', '\n  uuid: text,', 'Incident | id'],
    ['\n  title: text,', '\n  name: text,', 'Incident | title'],
    ['\n  description: text,', '\n  text: text,', 'Incident | description'],
    ['  incident_at: text,', '  incidentAt: text,', 'Incident | incident_at'],
    ['  created_at: text,', '  createdAt: text,', 'Incident | created_at'],
    ['  updated_at: text,', '  updatedAt: text,', 'Incident | updated_at'],
    ['\n  longitude: number,', '\n  lon: number,', 'Incident | longitude'],
    ['\n  latitude: number,', '\n  lat: number,', 'Incident | latitude'],
    [
      '  uploaded_videos: z.array(videoSchema).nullish(),',
      '  videos: z.array(videoSchema).nullish(),',
      'Incident | uploaded_videos',
      '5 | videos',
    ],
    [
      '  failed_videos: z.array(videoSchema).nullish(),',
      '  errors: z.array(videoSchema).nullish(),',
      'Incident | failed_videos',
      '5 | videos',
    ],
    ['id: videoId, storage_key', 'id: z.string().transform((id) => id.slice(1)), storage_key', 'Video | id'],
    ['storage_key: key, storage_thumbnail', 'storage_key: number, storage_thumbnail', 'Video | storage_key'],
    ['storage_thumbnail_key: key', 'storage_thumbnail_key: number', 'Video | storage_thumbnail_key'],
    ['z.looseObject({ id', 'z.object({ id', 'Video | not shown: errors or upload_errors'],
  ]),
  ...breaksIn(RECORD, [
    ['    title: incident.title,', '    title: null,', 'Incident | title'],
    ['    description: incident.description,', '    description: null,', 'Incident | description'],
    ['    incident_at: timestamp(incident.incidentAt),', '', 'Incident | incident_at'],
    [
      '    created_at: timestamp(incident.createdAt),',
      '',
      'Incident | created_at',
      'Incident | not shown: times that nobody',
    ],
    ['new Date(incident.updatedAt).toISOString()', "''", 'Incident | updated_at'],
    ['    longitude: incident.longitude,', '    longitude: incident.latitude,', 'Incident | longitude'],
    ['    latitude: incident.latitude,', '', 'Incident | latitude'],
    ['new Date(timeMs).toISOString()', 'new Date(timeMs).toISOString().slice(0, 19)', 'Dates | writing'],
    ['clip.startedAt),', 'clip.endedAt),', 'Video | started_at'],
    ['      ended_at: timestamp(clip.endedAt),', '', 'Video | ended_at'],
    ['      camera_id: clip.cameraId,', '', 'Video | camera_id'],
    ['camera_name: clip.cameraName', 'camera_name: clip.cameraId', 'Video | camera_name'],
    ['      camera_description: clip.cameraDescription,', '', 'Video | camera_description'],
    ['clip.cameraLongitude,', 'clip.cameraLatitude,', 'Video | camera_longitude'],
    ['      camera_latitude: clip.cameraLatitude,', '', 'Video | camera_latitude'],
    [
      '{ storage_thumbnail_key: clip.thumbnailKey }),\n    upload_errors: clip.warningText',
      '{}),\n    upload_errors: clip.warningText',
      'Video | storage_thumbnail_key',
    ],
    ["[clip.failureText ?? 'The upload failed.']", '[]', 'Video | upload_errors'],
    [
      'const changed = Object.entries(details).filter(([name, value]) => before.get(name) !== value);',
      'const changed = Object.entries(details).filter(() => before.size >= 0);',
      'Incident | title',
      'Incident | not shown: replace or merge',
    ],
    [
      "...clips.filter((clip) => clip.state === 'failed').map(failedVideo)",
      '',
      'Incident | failed_videos',
      'Video | upload_errors',
    ],
  ]),
  ...breaksIn('shared/lib/known-fields.ts', [
    ['value !== null && value !== undefined', 'value !== undefined', 'Video | not shown: a clip whose time'],
  ]),
  ...breaksIn('electron/agent/core/records/derived-ids.ts', [
    ['incidentId(uuidV5(', 'incidentId(crypto.randomUUID() ?? uuidV5(', 'Incident | not shown: who chooses'],
    [
      'clipId(uuidV5(',
      'clipId(crypto.randomUUID() ?? uuidV5(',
      'Video | id',
      'Video | not shown: ids of videos',
    ],
  ]),
  ...breaksIn('electron/agent/queue/incident-jobs.ts', [
    [
      "if (publish === 'whenComplete' && !isComplete) return;",
      'if (!isComplete) return;',
      'Incident | not shown: when to PUT',
    ],
  ]),
  ...breaksIn('electron/agent/core/naming/read-clip-name.ts', [
    ["clock === 'utc' ? 'UTC' : rules.timeZone", "'UTC'", 'Dates | not shown: time zone'],
  ]),
];
