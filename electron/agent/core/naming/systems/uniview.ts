import type { Recogniser } from '../recogniser.ts';

/** Uniview: recordings by day, with the address and id of the camera. */
export const uniview: Recogniser = {
  name: 'uniview',
  system: 'Uniview',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'NVR302 manual, page 98',
  notKnown: 'the date without its folder',
  shapes: [
    {
      parts: [
        /^(?<d>\d{4}-\d{2}-\d{2})$/,
        /^(?<dev>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})_(?<cam>.+)_S(?<s>\d{2}-\d{2}-\d{2})E(?<e>\d{2}-\d{2}-\d{2})(?:\.\w{2,4})?$/,
      ],
    },
  ],
  samples: [
    {
      path: 'Record/2020-03-04/192.168.1.13_Gate 2_S08-00-00E08-30-00.mp4',
      expect: {
        device: '192.168.1.13',
        cameraName: 'Gate 2',
        start: '2020-03-04T08:00:00',
        end: '2020-03-04T08:30:00',
      },
    },
    {
      path: 'Record/2020-03-04/192.168.1.13_D1_S23-45-00E00-15-00.ts',
      expect: {
        device: '192.168.1.13',
        cameraName: 'D1',
        start: '2020-03-04T23:45:00',
        end: '2020-03-05T00:15:00',
      },
    },
  ],
  refuses: [
    '192.168.1.13_D1_S08-00-00E08-30-00.mp4',
    'Record/2020-03-04/192.168.1.13_D1_S08-60-00E08-30-00.mp4',
    'Record/2020-02-30/192.168.1.13_D1_S08-00-00E08-30-00.mp4',
  ],
};
