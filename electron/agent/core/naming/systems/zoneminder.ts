import type { Recogniser } from '../recogniser.ts';

/** ZoneMinder: the number is an event. */
export const zoneminder: Recogniser = {
  name: 'zoneminder',
  system: 'ZoneMinder',
  clock: 'local',
  trust: 'vendor',
  label: 'seen',
  source: 'a public program that reads its folders',
  notKnown: 'times: the folder has the day only',
  shapes: [
    {
      parts: [
        /^(?:(?<monitor>\d{1,4})|(?<cam>.+))$/,
        /^\d{4}-\d{2}-\d{2}$/,
        /^(?<event>\d{1,12})$/,
        /^(?<file>\d{1,12})-video\.mp4$/,
      ],
      read: ({ monitor, cam, event, file }) => {
        if (event !== file) return undefined;
        if (monitor !== undefined) return { channel: monitor };
        return { ...(cam !== undefined && { cameraName: cam }) };
      },
    },
  ],
  samples: [
    { path: 'Yard/2021-01-02/347/347-video.mp4', expect: { cameraName: 'Yard' } },
    { path: '3/2021-01-02/347/347-video.mp4', expect: { channel: '3' } },
  ],
  refuses: ['Yard/2021-01-02/347/348-video.mp4', '347-video.mp4'],
};
