import type { Recogniser } from '../recogniser.ts';

const clip = /^(?:MDalarm|alarm|schedule)_(?<s>\d{8}_\d{6})\.(?:mkv|mp4|avi)$/;

/** Foscam: the first word is why it recorded, not where. */
export const foscam: Recogniser = {
  name: 'foscam',
  system: 'Foscam',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'two public programs that read its folders',
  notKnown: 'ends; the name of the camera',
  shapes: [{ parts: [/^[A-Za-z0-9-]+_(?<dev>[0-9A-Fa-f]{12})$/, /^record$/i, clip] }, { parts: [clip] }],
  samples: [
    { path: 'MDalarm_20250712_213837.mkv', expect: { start: '2025-07-12T21:38:37' } },
    {
      path: 'R4M_00626EF12345/record/schedule_20250712_213837.mkv',
      expect: { device: '00626EF12345', start: '2025-07-12T21:38:37' },
    },
  ],
  refuses: ['MDalarm_20250732_213837.mkv', 'MDalarm_20250712.mkv'],
};
