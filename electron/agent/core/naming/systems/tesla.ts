import type { Recogniser } from '../recogniser.ts';

/** Tesla dashcams: the tail is the camera of the car. */
export const tesla: Recogniser = {
  name: 'tesla',
  system: 'Tesla dashcam',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'a public program that reads its folders',
  notKnown: 'ends; `event.json` is kept as a report and not read',
  shapes: [
    {
      parts: [
        /^(?<s>\d{4}-\d{2}-\d{2}_\d{2}-\d{2}-\d{2})-(?<cam>front|back|left_repeater|right_repeater|left_pillar|right_pillar)\.mp4$/,
      ],
    },
  ],
  samples: [
    {
      path: '2026-05-01_19-30-05/2026-05-01_19-29-04-left_repeater.mp4',
      expect: { cameraName: 'left_repeater', start: '2026-05-01T19:29:04' },
    },
  ],
  refuses: ['2026-05-01_24-29-04-front.mp4', '2026-05-01_19-29-04-roof.mp4'],
};
