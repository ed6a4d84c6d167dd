import { readDigits, type Recogniser } from '../recogniser.ts';

/** WinCC OA vimacc: a folder for each part of the date, the last part of the name is a number. */
export const vimacc: Recogniser = {
  name: 'vimacc',
  system: 'WinCC OA video (vimacc)',
  clock: 'utc',
  trust: 'vendor',
  label: 'documented',
  source: 'winccoa.com 3.18, video export',
  notKnown: 'ends; seconds',
  shapes: [
    {
      parts: [
        /^(?<cam>.+)$/,
        /^(?<y>\d{4})$/,
        /^(?<mo>\d{2})$/,
        /^(?<d>\d{2})$/,
        /^(?<h>\d{2})$/,
        /^(?<stem>.+)_(?<mi>\d{2})\.[^.]+\.\d{1,6}$/,
      ],
      read: ({ cam, stem, y = '', mo = '', d = '', h = '', mi = '' }) => {
        const start = readDigits(`${y}${mo}${d}${h}${mi}00`);
        if (start === undefined || (cam !== undefined && cam !== stem)) return undefined;
        return { ...(stem !== undefined && { cameraName: stem }), start };
      },
    },
  ],
  samples: [
    {
      path: 'North gate/2021/06/01/18/North gate_05.h264.1',
      expect: { cameraName: 'North gate', start: '2021-06-01T18:05:00' },
    },
  ],
  refuses: [
    'North gate/2021/06/01/18/South gate_05.h264.1',
    'North gate/2021/06/01/24/North gate_05.h264.1',
    'North gate_05.h264.1',
  ],
};
