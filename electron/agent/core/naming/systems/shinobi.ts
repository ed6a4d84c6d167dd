import { readGroups, type Recogniser } from '../recogniser.ts';

/** Shinobi: the folder is the monitor. */
export const shinobi: Recogniser = {
  name: 'shinobi',
  system: 'Shinobi',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'docs.shinobi.video',
  notKnown: 'ends',
  shapes: [
    {
      parts: [/^(?<cam>[^/]*[^/\d][^/]*)$/, /^(?<s>\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})\.mp4$/],
      // Without its folder it is a plain ISO time
      read: (groups) => (groups['cam'] === undefined ? undefined : readGroups(groups)),
    },
  ],
  samples: [
    {
      path: 'YardCam/2021-03-04T05-06-07.mp4',
      expect: { cameraName: 'YardCam', start: '2021-03-04T05:06:07' },
    },
  ],
  refuses: ['2021-03-04T05-06-07.mp4', 'YardCam/2021-03-32T05-06-07.mp4'],
};
