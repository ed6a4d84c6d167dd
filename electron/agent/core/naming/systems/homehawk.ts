import type { Recogniser } from '../recogniser.ts';

/** Panasonic HomeHawk: known so that its digits are not read as something else. */
export const homehawk: Recogniser = {
  name: 'homehawk',
  system: 'Panasonic HomeHawk',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'manual (names only)',
  notKnown: 'times: the date format in the folder is not documented; the camera',
  shapes: [{ parts: [/^\d[A-Z]\d{6}\.mp4$/] }],
  samples: [{ path: '1M123455.mp4', expect: {} }],
  refuses: ['1M12345.mp4', '11M123455.mp4'],
};
