import { readDigits, type Recogniser } from '../recogniser.ts';

/** MediaMTX: `%path/%Y-%m-%d_%H-%M-%S-%f`. */
export const mediamtx: Recogniser = {
  name: 'mediamtx',
  system: 'MediaMTX',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'mediamtx: default of recordPath',
  notKnown: 'ends; folders above the last one of its path',
  shapes: [
    {
      parts: [/^(?<cam>.+)$/, /^(?<t>\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})-(?<f>\d{6})\.(?:mp4|ts)$/],
      read: ({ cam, t = '', f = '' }) => {
        const start = readDigits(t + f);
        return start && { ...(cam !== undefined && { cameraName: cam }), start };
      },
    },
  ],
  samples: [
    {
      path: 'gate4/2021-03-04_05-06-07-123456.mp4',
      expect: { cameraName: 'gate4', start: '2021-03-04T05:06:07.123' },
    },
  ],
  refuses: ['gate4/2021-03-04_05-06-07.mp4', 'gate4/2021-02-30_05-06-07-123456.mp4'],
};
