import type { SampleExport } from '../sample-types.ts';

/** Names with a start and no end, 24-hour and 12-hour; one clip is still growing, and two files are not clips. */
export const nxWitness: SampleExport = {
  folder: 'Turnstile jam, north stand',
  vendor: 'Nx Witness',
  clips: [
    {
      file: 'Gate 4 North_2026_05_01_19_30_05.mkv',
      fixture: 'concourse.mkv',
      making: { kind: 'copied' },
      image: { file: 'Gate 4 North_2026_05_01_19_30_05.jpg', fixture: 'concourse.jpg' },
      expected: {
        cameraId: 'gate-4-north',
        cameraName: 'Gate 4 North',
        startedAt: '2026-05-01T18:30:05.000Z',
        endedAt: '2026-05-01T18:30:10.000Z',
      },
    },
    {
      file: 'Gate 4 South_2026_05_01_7PM_31_10.mp4',
      fixture: 'gate-4-north.mp4',
      making: { kind: 'copied' },
      expected: {
        cameraId: 'gate-4-south',
        cameraName: 'Gate 4 South',
        startedAt: '2026-05-01T18:31:10.000Z',
        endedAt: '2026-05-01T18:31:14.000Z',
      },
    },
    {
      file: 'Turnstile 7_2026_05_01_19_32_20.mp4',
      fixture: 'turnstile-7.mp4',
      making: { kind: 'written-slowly', pausing: false },
      expected: {
        cameraId: 'turnstile-7',
        cameraName: 'Turnstile 7',
        startedAt: '2026-05-01T18:32:20.000Z',
        endedAt: '2026-05-01T18:32:23.000Z',
      },
    },
  ],
  bystanders: [
    { file: 'Gate 4 North_2026_05_01_19_40_00.mkv.part', kind: 'temporary' },
    { file: 'Gate 4 North latest.mkv', kind: 'link' },
  ],
  expected: { title: 'Turnstile jam, north stand', incidentAt: '2026-05-01T18:30:05.000Z' },
};
