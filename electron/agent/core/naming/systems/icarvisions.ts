import type { Recogniser } from '../recogniser.ts';

/** icarvisions mobile recorders: the digit behind `A` (alarm) or `N` is the channel. */
export const icarvisions: Recogniser = {
  name: 'icarvisions',
  system: 'icarvisions mobile recorders',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'icarvisions.com, faq 285',
  notKnown: 'ends',
  shapes: [{ parts: [/^H(?<s>\d{8}-\d{6})[A-Z]\d[AN](?<ch>\d)(?:P\d)?\.avi$/] }],
  samples: [
    { path: 'H20190808-095851P1N2P0.avi', expect: { channel: '2', start: '2019-08-08T09:58:51' } },
    { path: 'H20190808-095851P1A4P0.avi', expect: { channel: '4', start: '2019-08-08T09:58:51' } },
  ],
  refuses: ['H20190808-096051P1N2P0.avi', 'H20190808-095851.avi'],
};
