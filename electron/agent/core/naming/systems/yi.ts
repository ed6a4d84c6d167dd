import { plusSeconds, readDigits, type Groups, type NameFields, type Recogniser } from '../recogniser.ts';

/** Yi: minute, second and length in the name, day and hour in the folder. */
export const yi: Recogniser = {
  name: 'yi',
  system: 'Yi cameras',
  clock: 'unsaid',
  trust: 'vendor',
  label: 'seen',
  source: 'yi-hack issue 826; yi-hack-v5 issue 156 for the folder',
  notKnown: 'whose clock the folder shows: users report both; the camera',
  shapes: [
    {
      parts: [
        /^(?<y>\d{4})Y(?<mo>\d{2})M(?<d>\d{2})D(?<h>\d{2})H$/,
        /^(?:E\d)?(?<mi>\d{2})M(?<s>\d{2})S(?<n>\d{2})\.mp4$/,
      ],
      read: readYi,
    },
    { parts: [/^E\d\d{2}M\d{2}S\d{2}\.mp4$/] },
  ],
  samples: [
    {
      path: '2022Y03M09D15H/E123M45S57.mp4',
      expect: { start: '2022-03-09T15:23:45', end: '2022-03-09T15:24:42' },
    },
    { path: 'E123M45S67.mp4', expect: {} },
  ],
  refuses: ['2022Y13M09D15H/23M45S57.mp4', '23M45S57.mp4'],
};

function readYi({ y = '', mo = '', d = '', h = '', mi = '', s = '', n }: Groups): NameFields | undefined {
  const start = readDigits(y + mo + d + h + mi + s);
  if (start?.kind !== 'wall') return undefined;
  return { start, end: { kind: 'wall', wall: plusSeconds(start.wall, Number(n)) } };
}
