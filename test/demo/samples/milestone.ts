import type { SampleExport } from '../sample-types.ts';

/** Names without information, which is all in the sidecar. The player was copied along. */
export const milestone: SampleExport = {
  folder: 'MIL-2026-0042',
  vendor: 'Milestone, with incident.json',
  clips: [
    {
      file: 'Export 1.mp4',
      fixture: 'car-park.mp4',
      making: { kind: 'copied' },
      image: { file: 'thumbs/concourse-east.jpg', fixture: 'concourse.jpg' },
      expected: {
        cameraId: 'CONC-E',
        cameraName: 'Concourse East',
        cameraDescription: 'PTZ over the food stands',
        startedAt: '2026-05-01T20:12:40.000Z',
        endedAt: '2026-05-01T20:12:46.000Z',
      },
    },
    {
      file: 'Export 2.mp4',
      fixture: 'turnstile-7.mp4',
      making: { kind: 'copied' },
      expected: {
        cameraId: 'CONC-W',
        cameraName: 'Concourse West',
        startedAt: '2026-05-01T20:12:42.000Z',
        endedAt: '2026-05-01T20:12:45.000Z',
      },
    },
  ],
  bystanders: [{ file: 'SmartClient-Player.exe', kind: 'program' }],
  sidecar: {
    schema_version: 1,
    external_id: 'VMS-2026-0042',
    title: 'Fight at the food stands',
    description: 'Two groups, four persons; stewards separated them.',
    incident_at: '2026-05-01T20:12:41Z',
    latitude: 51.556,
    longitude: -0.2795,
    timezone: 'Europe/London',
    category: 'disorder',
    tags: ['concourse', 'east'],
    exported_by: 'j.smith',
    vms: 'Milestone XProtect 2025 R1',
    videos: [
      {
        file: 'Export 1.mp4',
        camera_id: 'CONC-E',
        camera_name: 'Concourse East',
        camera_description: 'PTZ over the food stands',
        started_at: '2026-05-01T20:12:40Z',
        ended_at: '2026-05-01T20:12:46Z',
        thumbnail: 'thumbs/concourse-east.jpg',
      },
      {
        file: 'Export 2.mp4',
        camera_id: 'CONC-W',
        camera_name: 'Concourse West',
        // Without an offset: in the sidecar's zone, an hour ahead of UTC.
        started_at: '2026-05-01T21:12:42',
        ended_at: '2026-05-01T21:12:45',
      },
    ],
  },
  expected: {
    title: 'Fight at the food stands',
    incidentAt: '2026-05-01T20:12:41.000Z',
    description: 'Two groups, four persons; stewards separated them.',
    latitude: 51.556,
    longitude: -0.2795,
  },
};
