import { laterThan, readDigits, type Groups, type NameFields, type Recogniser } from '../recogniser.ts';

/** Canon: its recorder software, in GMT, and the memory cards of its cameras, in UTC. */
export const canon: Recogniser = {
  name: 'canon',
  system: 'Canon recorders and cameras',
  clock: 'utc',
  trust: 'vendor',
  label: 'documented',
  source: 'VK-64 / VB-C300 manual, page 231; VB-S30D manual, page 151',
  notKnown: 'the camera on a card; `NVR_STANDBY_` files are unfinished',
  shapes: [
    {
      parts: [
        /^NVR_(?:INDEX|MEDIA|MPEG4)_(?<dev>[0-9A-Fa-f]{16})_(?<s>\d{8}_\d{6})_(?<e>\d{8}_\d{6})\.(?:mov|avi)$/,
      ],
    },
    { parts: [/^(?<made>\d{14})-(?<s>\d{6})-[A-Z]\d{2}_\d{1,6}\.mov$/], read: readCard },
  ],
  samples: [
    {
      path: 'NVR_MPEG4_00008514ac6f0101_20080131_235955_20080201_000955.mov',
      expect: { device: '00008514ac6f0101', start: '2008-01-31T23:59:55', end: '2008-02-01T00:09:55' },
    },
    { path: '20150910070618-070619-M00_507.mov', expect: { start: '2015-09-10T07:06:19' } },
    { path: '20150910235959-000001-M00_1.mov', expect: { start: '2015-09-11T00:00:01' } },
  ],
  refuses: [
    'NVR_STANDBY_00008514ac6f0101_20080131_235955_20080201_000955.mov',
    'NVR_MPEG4_00008514ac6f0101_20081331_235955_20080201_000955.mov',
    '20150910070618-246019-M00_507.mov',
  ],
};

/** The file was made first, the recording in it began a little later. */
function readCard({ made = '', s = '' }: Groups): NameFields | undefined {
  const created = readDigits(made);
  const start = created?.kind === 'wall' ? laterThan(created.wall, s) : undefined;
  return start && { start };
}
