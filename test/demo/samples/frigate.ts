import type { SampleExport } from '../sample-types.ts';

/** A winter day, when local time is UTC; one clip pauses while it is written. */
export const frigate: SampleExport = {
  folder: 'Car park collision',
  vendor: 'Frigate',
  clips: [
    {
      file: 'car_park_20260117_150410-20260117_150416_k9x2pq.mp4',
      fixture: 'car-park.mp4',
      making: { kind: 'copied' },
      image: { file: 'car_park_20260117_150410-20260117_150416_k9x2pq.jpg', fixture: 'car-park.jpg' },
      expected: {
        cameraId: 'car-park',
        cameraName: 'car_park',
        startedAt: '2026-01-17T15:04:10.000Z',
        endedAt: '2026-01-17T15:04:16.000Z',
      },
    },
    {
      file: 'car_park_exit_20260117_150412-20260117_150418_m3w8rt.mp4',
      fixture: 'car-park.mp4',
      making: { kind: 'written-slowly', pausing: true },
      expected: {
        cameraId: 'car-park-exit',
        cameraName: 'car_park_exit',
        startedAt: '2026-01-17T15:04:12.000Z',
        endedAt: '2026-01-17T15:04:18.000Z',
      },
    },
  ],
  expected: { title: 'Car park collision', incidentAt: '2026-01-17T15:04:10.000Z' },
};
