import { breaksIn } from './contract-break.ts';

const WIRE = 'shared/service/incident.ts';
const RECORD = 'electron/agent/core/records/incident-record.ts';

/** Names on the wire that are read or written wrongly: incident and video object. */
export const incidentBreaks = [
  ...breaksIn(WIRE, [
    ['  id: z.string().nullish(),', '  uuid: z.string().nullish(),', 'Incident | id'],
    ['\n  title: text,', '\n  name: text,', 'Incident | title'],
    ['\n  description: text,', '\n  text: text,', 'Incident | description'],
    ['  incident_at: timestamp,', '  incidentAt: timestamp,', 'Incident | incident_at'],
    ['  created_at: timestamp,', '  createdAt: timestamp,', 'Incident | created_at'],
    ['  updated_at: timestamp,', '  updatedAt: timestamp,', 'Incident | updated_at'],
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
    ['  id: z.string().min(1).max(1024),', '  id: z.string().transform((id) => id.slice(1)),', 'Video | id'],
    ['  started_at: timestamp,', '  started_at: number,', 'Video | started_at'],
    ['  ended_at: timestamp,', '  ended_at: number,', 'Video | ended_at'],
    ['  camera_id: text,', '  camera_id: number,', 'Video | camera_id'],
    ['  camera_name: text,', '  camera_name: number,', 'Video | camera_name'],
    ['  camera_description: text,', '  camera_description: number,', 'Video | camera_description'],
    ['  camera_longitude: number,', '  camera_longitude: text,', 'Video | camera_longitude'],
    ['  camera_latitude: number,', '  camera_latitude: text,', 'Video | camera_latitude'],
    ['  storage_key: text,', '  storage_key: number,', 'Video | storage_key'],
    ['  storage_thumbnail_key: text,', '  storage_thumbnail_key: number,', 'Video | storage_thumbnail_key'],
    ['  upload_errors: z.array(z.string()).nullish(),', '  upload_errors: number,', 'Video | upload_errors'],
    [
      '  errors: z.array(z.string()).nullish(),',
      '  errors: number,',
      'Video | not shown: errors or upload_errors',
    ],
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
