import { readDigits, type Recogniser } from '../recogniser.ts';

/** DIGIOP: a folder of the day; two digits behind the time count cameras from 00. The `.INX` beside it belongs to it. */
export const digiop: Recogniser = {
  name: 'digiop',
  system: 'DIGIOP',
  clock: 'local',
  trust: 'vendor',
  label: 'documented',
  source: 'manual, appendix E',
  notKnown: 'ends; the meaning of the letter',
  shapes: [
    {
      parts: [/^(?<d>\d{8})$/, /^(?<s>\d{6})(?<camera>\d{2})[A-Z]\.DSF$/i],
      read: ({ d = '', s = '', camera = '' }) => {
        const start = readDigits(d + s);
        return start && { channel: String(Number(camera) + 1), start };
      },
    },
  ],
  samples: [{ path: '20110601/09244102D.DSF', expect: { channel: '3', start: '2011-06-01T09:24:41' } }],
  refuses: ['09244102D.DSF', '20111301/09244102D.DSF', '20110601/09246102D.DSF'],
};
