import type { StoredIncident, StoredVideo } from './incident-store.ts';

/** Two earlier incidents of a stadium, so that a fresh service does not look empty. */
export const sampleIncidents: readonly StoredIncident[] = [
  {
    id: '5f0c9a52-2a8e-5d0b-9d53-7f6c1b9c2e10',
    title: 'Turnstile 14 crowd pressure',
    description:
      'Queue pushed back onto the ramp for eleven minutes after the outage at turnstiles 12 to 16.',
    incident_at: '2026-05-09T18:42:10.000Z',
    created_at: '2026-05-09T19:05:31.204Z',
    updated_at: '2026-05-09T19:11:02.918Z',
    longitude: -0.27966,
    latitude: 51.55602,
    uploaded_videos: [
      sampleVideo('3d1f7c1e-63a4-5b41-8a35-0f2f4f1d7a01', 'North ramp PTZ', '18:40:00', '18:52:00'),
      sampleVideo('7b90a4d2-1c55-5e3a-b7c4-62a9f0e3c902', 'Turnstiles 12-16', '18:41:30', '18:52:30'),
    ],
    failed_videos: [],
  },
  {
    id: 'c2b6e7d4-9b13-5c7f-8e61-1a4d0e5f8b33',
    title: 'Pitch access, block 107',
    description: 'One person over the boards at the corner of block 107, met by stewards after nine seconds.',
    incident_at: '2026-05-09T20:31:47.000Z',
    created_at: '2026-05-09T20:44:12.077Z',
    updated_at: '2026-05-09T20:58:40.551Z',
    longitude: -0.27931,
    latitude: 51.55578,
    uploaded_videos: [
      sampleVideo('e8a2f3b7-5d09-5f4c-9c1b-93d7c6a5b403', 'Block 107 lower', '20:31:20', '20:33:05'),
    ],
    failed_videos: [
      {
        id: '19c4d5e6-8f7a-5b2c-a3d1-e5f60718c904',
        camera_name: 'Tunnel east',
        upload_errors: ['FILE_GONE: tunnel-east-2030.mkv was deleted before it could be read.'],
      },
    ],
  },
];

function sampleVideo(id: string, cameraName: string, start: string, end: string): StoredVideo {
  return {
    id,
    started_at: `2026-05-09T${start}.000Z`,
    ended_at: `2026-05-09T${end}.000Z`,
    camera_name: cameraName,
    storage_key: `vms/samples/${id}.mp4`,
    storage_thumbnail_key: `vms/samples/${id}-thumbnail.jpg`,
    upload_errors: [],
  };
}
