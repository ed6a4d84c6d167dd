import type { Recogniser } from '../recogniser.ts';

/** Brickcom: day, start and end, address and channel. */
export const brickcom: Recogniser = {
  name: 'brickcom',
  system: 'Brickcom',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'brickcom.com, faq 106',
  shapes: [
    {
      parts: [
        /^(?<d>\d{8})-(?<s>\d{6})-(?<e>\d{6})_(?<dev>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})-CH(?<ch>\d{1,3})(?:\.[A-Za-z]\w{1,3})?$/,
      ],
    },
  ],
  samples: [
    {
      path: '20140509-000500-001000_192.168.1.11-CH2',
      expect: {
        device: '192.168.1.11',
        channel: '2',
        start: '2014-05-09T00:05:00',
        end: '2014-05-09T00:10:00',
      },
    },
    {
      path: '20140509-235500-000500_192.168.1.11-CH12.avi',
      expect: {
        device: '192.168.1.11',
        channel: '12',
        start: '2014-05-09T23:55:00',
        end: '2014-05-10T00:05:00',
      },
    },
  ],
  refuses: ['20140509-000500-006000_192.168.1.11-CH2', '20140509-000500-001000_192.168.1.11.avi'],
};
