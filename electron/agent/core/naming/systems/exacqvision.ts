import { readDigits, type Recogniser } from '../recogniser.ts';

/** exacqVision: the store of the server by hour. A `.psi` beside a `.ps` is its index. */
export const exacqvision: Recogniser = {
  name: 'exacqvision',
  system: 'exacqVision server store',
  clock: 'unsaid',
  trust: 'vendor',
  label: 'documented',
  source: 'exacq-cms.johnsoncontrols.com, tags file-storage and directory-structure',
  notKnown: 'whose clock the folders show; ends; names by the client, whose self-playing film is a program',
  shapes: [
    {
      parts: [
        /^(?<y>\d{4})$/,
        /^(?<mo>\d{2})$/,
        /^(?<d>\d{2})$/,
        /^(?<h>\d{2})$/,
        /^(?<t>\d{4})-(?<dev>[0-9A-Fa-f]{8})\.ps$/,
      ],
      read: ({ y = '', mo = '', d = '', h = '', t = '', dev = '' }) => {
        const start = readDigits(y + mo + d + h + t);
        return start && { device: dev, start };
      },
    },
  ],
  samples: [
    {
      path: '2021/06/01/18/0530-0A000100.ps',
      expect: { device: '0A000100', start: '2021-06-01T18:05:30' },
    },
  ],
  refuses: ['2021/13/01/18/0530-0A000100.ps', '06/01/18/0530-0A000100.ps', '2021/06/01/18/6030-0A000100.ps'],
};
