import type { Recogniser } from '../recogniser.ts';

/**
 * Milestone: what its community Auto Exporter writes, whose folder has the time of the run and not of the clip, and
 * snapshots of PSTools. Exports in the XProtect format are no clips: see `vendor-projects.ts`.
 */
export const milestone: Recogniser = {
  name: 'milestone',
  system: 'Milestone Auto Exporter, PSTools snapshots',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'mscp: auto-exporter; PowerShellSamples issue 155 (seen) for snapshots',
  notKnown: 'clip names: a time in one is read as in any other name',
  shapes: [
    {
      parts: [/^\d{2}\.\d{2}\.\d{4}_\d{4}$/, /^(?<cam>.+)$/, /^[^/]+\.(?:mkv|avi|mp4)$/i],
      hasFreeFileName: true,
    },
    {
      parts: [/^(?<cam>.+)_(?<s>\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2}\.\d{3})\.(?:jpg|jpeg|png)$/],
      clock: 'utc',
    },
  ],
  samples: [
    { path: 'Night job/28.05.2026_0300/Gate 4/export.avi', expect: { cameraName: 'Gate 4' } },
    {
      path: 'Kamera 4_2024-10-04_06-29-49.755.jpg',
      expect: { cameraName: 'Kamera 4', start: '2024-10-04T06:29:49.755' },
    },
  ],
  refuses: ['Night job/Gate 4/export.avi', 'Kamera 4_2024-13-04_06-29-49.755.jpg'],
};
