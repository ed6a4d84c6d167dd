import type { SampleExport } from '../sample-types.ts';

const TOO_LARGE_BYTES = 400_000_000;

/** One folder per camera; one clip can never be uploaded. */
export const folderPerCamera: SampleExport = {
  folder: 'Night patrol 02.05.2026_0258',
  vendor: 'folder per camera',
  clips: [
    {
      file: 'Loading bay/Loading bay 2026-05-02 02.58.30.mp4',
      fixture: 'gate-4-north.mp4',
      making: { kind: 'copied' },
      expected: {
        cameraId: 'loading-bay',
        cameraName: 'Loading bay',
        startedAt: '2026-05-02T01:58:30.000Z',
        endedAt: '2026-05-02T01:58:34.000Z',
      },
    },
    {
      file: 'Roof/Roof overview 2026-05-02 02.58.00.mp4',
      fixture: 'car-park.mp4',
      making: { kind: 'grown', sizeBytes: TOO_LARGE_BYTES, filling: 'hole' },
      expected: {
        cameraId: 'roof-overview',
        cameraName: 'Roof overview',
        startedAt: '2026-05-02T01:58:00.000Z',
        endedAt: '2026-05-02T01:58:06.000Z',
        failsWith: /Too large: 400 MB, the limit is 300 MB/,
      },
    },
    {
      file: 'Plant room/Plant room 2026-05-02 02.58.40 - 2026-05-02 02.58.44.mp4',
      fixture: 'corridor-fragmented.mp4',
      making: { kind: 'locked-away' },
      expected: {
        cameraId: 'plant-room',
        cameraName: 'Plant room',
        startedAt: '2026-05-02T01:58:40.000Z',
        endedAt: '2026-05-02T01:58:44.000Z',
      },
    },
  ],
  expected: { title: 'Night patrol', incidentAt: '2026-05-02T01:58:00.000Z' },
};
