import type { Recogniser } from '../recogniser.ts';

/** Android phones: `VID_` in the phone's zone; Pixel phones: `PXL_` in UTC with milliseconds. */
export const android: Recogniser = {
  name: 'android',
  system: 'Android and Pixel phones',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'public programs that sort such names; "Name to Date" for Pixel',
  notKnown: 'the zone that the phone was set to; ends',
  isNoCamera: true,
  shapes: [
    { parts: [/^VID_(?<s>\d{8}_\d{6})(?:[~_]\d{1,3})?(?: ?\(\d{1,3}\))?\.mp4$/] },
    { parts: [/^PXL_(?<s>\d{8}_\d{9})(?:~\d{1,3})?(?:\.[A-Z]{2,8}){0,2}\.mp4$/], clock: 'utc' },
  ],
  samples: [
    { path: 'VID_20240813_051351.mp4', expect: { start: '2024-08-13T05:13:51' } },
    { path: 'PXL_20240813_051351918.mp4', expect: { start: '2024-08-13T05:13:51.918' } },
  ],
  refuses: ['VID_20241313_051351.mp4', 'PXL_20240813_051351.mp4', 'VID_20240813.mp4'],
};
