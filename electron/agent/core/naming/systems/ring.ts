import type { Recogniser } from '../recogniser.ts';

/** Ring: a download of the app; it names no camera. */
export const ring: Recogniser = {
  name: 'ring',
  system: 'Ring',
  clock: 'unsaid',
  trust: 'vendor',
  label: 'seen',
  source: 'a public listing',
  notKnown: 'whose clock it is; ends; the camera',
  shapes: [{ parts: [/^RingVideo_(?<s>\d{8}_\d{6})(?: ?\(\d{1,3}\))?\.mp4$/] }],
  samples: [{ path: 'RingVideo_20251205_075319.mp4', expect: { start: '2025-12-05T07:53:19' } }],
  refuses: ['RingVideo_20251305_075319.mp4', 'RingVideo_20251205.mp4'],
};
