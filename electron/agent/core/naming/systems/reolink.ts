import type { Recogniser } from '../recogniser.ts';

/** Reolink: cameras' cards and recorders. `DST` says that summer time was in force. */
export const reolink: Recogniser = {
  name: 'reolink',
  system: 'Reolink',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'reolink_aio: file name typings',
  notKnown: 'the camera, which is not in the name: `RecM01` is stream and version',
  shapes: [
    {
      parts: [/^Rec[MS]\d{2}_(?:DST)?(?<d>\d{8})_(?<s>\d{6})_(?<e>\d{6})(?:_[0-9A-F]{5,16}){1,4}\.mp4$/],
    },
    { parts: [/^Rec_(?<s>\d{8}_\d{6})_\d{1,6}_[A-Z]\.mp4$/] },
  ],
  samples: [
    {
      path: 'RecM01_20201222_075939_080140_6D28808_1A468F9.mp4',
      expect: { start: '2020-12-22T07:59:39', end: '2020-12-22T08:01:40' },
    },
    {
      path: 'Mp4Record/2023-04-26/RecS02_DST20230426_235918_000032_6D28808_1A468F9.mp4',
      expect: { start: '2023-04-26T23:59:18', end: '2023-04-27T00:00:32' },
    },
    { path: 'Rec_20230517_043229_541_M.mp4', expect: { start: '2023-05-17T04:32:29' } },
  ],
  refuses: [
    'RecM01_20201322_075939_080140_6D28808_1A468F9.mp4',
    'RecM01_20201222_075939.mp4',
    'Rec_20230517_243229_541_M.mp4',
  ],
};
