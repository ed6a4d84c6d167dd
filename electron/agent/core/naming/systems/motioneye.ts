import type { Recogniser } from '../recogniser.ts';

/** motionEye: camera, day, time. */
export const motioneye: Recogniser = {
  name: 'motioneye',
  system: 'motionEye',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'motioneyeos issues 1035 and 2449',
  notKnown: 'ends',
  shapes: [
    {
      parts: [/^(?<cam>.+)$/, /^(?<d>\d{4}-\d{2}-\d{2})$/, /^(?<s>\d{2}-\d{2}-\d{2})\.(?:mp4|avi|mkv|mov)$/],
    },
  ],
  samples: [
    {
      path: 'Camera Yard/2020-05-06/07-08-09.mp4',
      expect: { cameraName: 'Camera Yard', start: '2020-05-06T07:08:09' },
    },
  ],
  refuses: ['07-08-09.mp4', 'Yard/2020-05-06/24-08-09.mp4', 'Yard/06-05-2020/07-08-09.mp4'],
};
