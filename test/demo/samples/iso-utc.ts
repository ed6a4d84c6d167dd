import type { SampleExport } from '../sample-types.ts';

/** Times with their zone in the name. */
export const isoUtc: SampleExport = {
  folder: 'Medical case, concourse',
  vendor: 'times with zone',
  clips: [
    {
      file: 'Concourse_2026-05-02T10-15-00Z.mp4',
      fixture: 'corridor-fragmented.mp4',
      making: { kind: 'copied' },
      expected: {
        cameraId: 'concourse',
        cameraName: 'Concourse',
        startedAt: '2026-05-02T10:15:00.000Z',
        endedAt: '2026-05-02T10:15:04.000Z',
      },
    },
    {
      file: 'first-aid_20260502T121530+0200_20260502T121534+0200.mp4',
      fixture: 'gate-4-north.mp4',
      making: { kind: 'copied' },
      expected: {
        cameraId: 'first-aid',
        cameraName: 'first-aid',
        startedAt: '2026-05-02T10:15:30.000Z',
        endedAt: '2026-05-02T10:15:34.000Z',
      },
    },
  ],
  expected: { title: 'Medical case, concourse', incidentAt: '2026-05-02T10:15:00.000Z' },
};
