import type { Recogniser } from '../recogniser.ts';

/** Hikvision: blocks of a recorder's disk, ranges exported from it, and what cameras send by FTP. */
export const hikvision: Recogniser = {
  name: 'hikvision',
  system: 'Hikvision',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'public readers of its file names; the range by one public listing, its vendor inferred',
  notKnown: 'names by iVMS-4200 and HikCentral; the time of block files, whose digits are a block number',
  shapes: [
    { parts: [/^ch(?<ch>\d{2})_\d{17}\.(?:mp4|avi|mkv)$/] },
    { parts: [/^hiv\d{5}\.mp4$/] },
    { parts: [/^ch(?<ch>\d{2})_\d{17}_(?<s>\d{14})_(?<e>\d{14})(?:_\d{1,9})?(?:\.\w{2,4})?$/] },
    {
      parts: [/^(?<dev>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})_(?<ch>\d{2})_(?<s>\d{17})_[A-Z_]+\.(?:jpg|mp4)$/],
    },
  ],
  samples: [
    { path: 'ch01_00000000229000000.mp4', expect: { channel: '1' } },
    { path: 'hiv00000.mp4', expect: {} },
    {
      path: 'ch01_00000000001000000_20260127075543_20260127075842_685001',
      expect: { channel: '1', start: '2026-01-27T07:55:43', end: '2026-01-27T07:58:42' },
    },
    {
      path: '192.168.0.64_01_20190319093422939_MOTION_DETECTION.jpg',
      expect: { device: '192.168.0.64', channel: '1', start: '2019-03-19T09:34:22.939' },
    },
  ],
  refuses: [
    'ch01_00000000001000000_20261327075543_20260127075842_685001',
    'ch01_0000000022900000.mp4',
    '192.168.0.64_01_20190319250000000_MOTION_DETECTION.jpg',
  ],
};
