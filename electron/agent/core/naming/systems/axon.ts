import { readDigits, type Recogniser } from '../recogniser.ts';

/** Axon body cameras: the device and the minute. */
export const axon: Recogniser = {
  name: 'axon',
  system: 'Axon body cameras',
  clock: 'unsaid',
  trust: 'vendor',
  label: 'seen',
  source: 'a public listing',
  notKnown: 'whose clock it is; seconds; ends',
  shapes: [
    {
      parts: [
        /^(?<cam>Axon (?:Body|Flex|Fleet)[^/]*?) Video (?<d>\d{4}-\d{2}-\d{2})-(?<t>\d{4})(?:[ _-]\d{1,3})?(?:\.mp4)?$/,
      ],
      read: ({ cam = '', d = '', t = '' }) => {
        const start = readDigits(`${d}${t}00`);
        return start && { cameraName: cam, start };
      },
    },
  ],
  samples: [
    {
      path: 'Axon Body 3 Video 2023-10-24-2046',
      expect: { cameraName: 'Axon Body 3', start: '2023-10-24T20:46:00' },
    },
    {
      path: 'Axon Body 3 Video 2023-10-24-2046.mp4',
      expect: { cameraName: 'Axon Body 3', start: '2023-10-24T20:46:00' },
    },
  ],
  refuses: ['Axon Body 3 Video 2023-10-24-2460.mp4', 'Axon Body 3 Video 2023-10-24.mp4'],
};
