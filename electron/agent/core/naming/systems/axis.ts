import type { Recogniser } from '../recogniser.ts';

/** Axis edge recordings: time, four random hexadecimal digits, the serial number of the camera. */
export const axis: Recogniser = {
  name: 'axis',
  system: 'Axis edge recordings',
  clock: 'unsaid',
  trust: 'vendor',
  label: 'seen',
  source: 'two public programs that read cards',
  notKnown: 'whose clock it is; ends; names by Axis Camera Station',
  shapes: [{ parts: [/^(?<s>\d{8}_\d{6})_[0-9A-F]{4}_(?<dev>[0-9A-F]{12})(?:\.\w{2,4})?$/] }],
  samples: [
    {
      path: '20210712_141048_857A_ACCC8EAF31F3',
      expect: { device: 'ACCC8EAF31F3', start: '2021-07-12T14:10:48' },
    },
    {
      path: '20210712_141048_857A_ACCC8EAF31F3.mkv',
      expect: { device: 'ACCC8EAF31F3', start: '2021-07-12T14:10:48' },
    },
  ],
  refuses: ['20210732_141048_857A_ACCC8EAF31F3', '20210712_141048_857A.mkv'],
};
