import { readEpoch, type Recogniser } from '../recogniser.ts';

/** Cloudvue: `<MAC>/YYYY-MM-DD/<seconds since 1970>.mp4`, folder and name in UTC. */
export const cloudvue: Recogniser = {
  name: 'cloudvue',
  system: 'Johnson Controls Cloudvue',
  clock: 'utc',
  trust: 'vendor',
  label: 'documented',
  source: 'exacq-cms.johnsoncontrols.com, tag file-location',
  notKnown: 'ends; the name of the camera',
  shapes: [
    {
      parts: [
        /^(?<dev>[0-9A-Fa-f]{2}(?:[:-]?[0-9A-Fa-f]{2}){5})$/,
        /^(?<d>\d{4}-\d{2}-\d{2})$/,
        /^(?<s>\d{9,10})\.mp4$/,
      ],
      read: ({ dev = '', d = '', s = '' }) => {
        const start = readEpoch(s);
        const isOfDay = start?.kind === 'instant' && new Date(start.ms).toISOString().startsWith(d);
        return isOfDay ? { device: dev, start } : undefined;
      },
    },
  ],
  samples: [
    {
      path: '0a1b2c3d4e5f/2021-06-01/1622570400.mp4',
      expect: { device: '0a1b2c3d4e5f', start: '2021-06-01T18:00:00Z' },
    },
  ],
  refuses: ['0a1b2c3d4e5f/2021-06-03/1622570400.mp4', '2021-06-01/1622570400.mp4', '1622570400.mp4'],
};
