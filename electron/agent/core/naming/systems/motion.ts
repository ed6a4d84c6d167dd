import type { Recogniser } from '../recogniser.ts';

/** Motion: `%v-%Y%m%d%H%M%S`; `%v` counts events. */
export const motion: Recogniser = {
  name: 'motion',
  system: 'Motion',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'motion: default of movie_filename',
  notKnown: 'ends; the camera, unless the folder names it',
  shapes: [{ parts: [/^\d{1,6}-(?<s>\d{14})\.(?:mp4|mkv|avi|mov|mpg|swf|flv)$/] }],
  samples: [{ path: '01-20190808095851.mp4', expect: { start: '2019-08-08T09:58:51' } }],
  refuses: ['01-20190832095851.mp4', 'Gate-20190808095851.mp4'],
};
