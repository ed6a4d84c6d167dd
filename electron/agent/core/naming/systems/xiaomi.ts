import { readDigits, readEpoch, type Recogniser } from '../recogniser.ts';

/** Xiaomi: seconds since 1970 behind minute and second by its clock; the hour is in the folder. */
export const xiaomi: Recogniser = {
  name: 'xiaomi',
  system: 'Xiaomi cameras',
  clock: 'utc',
  trust: 'vendor',
  label: 'seen',
  source: 'a public program that reads its cards',
  notKnown: 'ends; the camera',
  shapes: [
    {
      parts: [/^(?<d>\d{10})$/, /^(?<mi>\d{2})M(?<s>\d{2})S_(?<epoch>\d{10})\.mp4$/],
      read: ({ d = '', mi = '', s = '', epoch = '' }) => {
        const [start, beside] = [readEpoch(epoch), readDigits(d + mi + s)];
        return start && beside && { start, beside };
      },
    },
  ],
  samples: [{ path: '2025060107/46M14S_1748735174.mp4', expect: { start: '2025-05-31T23:46:14Z' } }],
  refuses: ['2025060124/46M14S_1748735174.mp4', '46M14S_1748735174.mp4'],
};
