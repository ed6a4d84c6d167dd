import type { SampleExport } from '../sample-types.ts';

const LARGE_BYTES = 105_000_000;
const LARGER_BYTES = 256_000_000;

/** A recorder with numbered channels; two clips are large enough to be sent in parts. */
export const dahua: SampleExport = {
  folder: '2026-05-01_1930 Pitch invasion, Gate 4',
  vendor: 'Dahua recorder',
  clips: [
    {
      file: 'NVR_ch1_main_20260501193005_20260501193009.mp4',
      fixture: 'gate-4-north.mp4',
      making: { kind: 'copied' },
      image: { file: 'NVR_ch1_main_20260501193005_20260501193009.jpg', fixture: 'gate-4-north.jpg' },
      expected: {
        cameraId: '1',
        cameraName: 'Channel 1',
        startedAt: '2026-05-01T18:30:05.000Z',
        endedAt: '2026-05-01T18:30:09.000Z',
      },
    },
    {
      file: 'NVR_ch2_main_20260501193010_20260501193016.mp4',
      fixture: 'car-park.mp4',
      making: { kind: 'grown', sizeBytes: LARGE_BYTES, filling: 'noise' },
      expected: {
        cameraId: '2',
        cameraName: 'Channel 2',
        startedAt: '2026-05-01T18:30:10.000Z',
        endedAt: '2026-05-01T18:30:16.000Z',
      },
    },
    {
      file: 'NVR_ch12_main_20260501193012_20260501193018.mp4',
      fixture: 'car-park.mp4',
      making: { kind: 'grown', sizeBytes: LARGER_BYTES, filling: 'noise' },
      image: { file: 'NVR_ch12_main_20260501193012_20260501193018.jpg', fixture: 'car-park.jpg' },
      expected: {
        cameraId: '12',
        cameraName: 'Channel 12',
        startedAt: '2026-05-01T18:30:12.000Z',
        endedAt: '2026-05-01T18:30:18.000Z',
      },
    },
  ],
  expected: { title: 'Pitch invasion, Gate 4', incidentAt: '2026-05-01T18:30:00.000Z' },
};
