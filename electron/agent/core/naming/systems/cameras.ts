import { laterThan, readDigits, type Groups, type NameFields, type Recogniser } from '../recogniser.ts';

/** Cameras that record to a card or a share, without a recorder. */
export const cameras: readonly Recogniser[] = [
  /** ABUS cameras: `prefix@time`. The form with `_` is read by `generic-start`, as nothing distinguishes it. */
  {
    name: 'abus',
    system: 'ABUS cameras',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'camera manuals (documented for snapshots)',
    notKnown: 'end times',
    shapes: [{ parts: [/^(?<cam>[^@]+)@(?<s>\d{8}_\d{6})(?:\.\w{2,4})?$/] }],
    samples: [
      { path: 'Yard@20030102_030405.jpg', expect: { cameraName: 'Yard', start: '2003-01-02T03:04:05' } },
    ],
    refuses: ['Yard@20030132_030405.jpg', 'Yard_20030102.jpg'],
  },
  /** Axis edge recordings: time, four random hexadecimal digits, the serial number of the camera. */
  {
    name: 'axis',
    system: 'Axis edge recordings',
    clock: 'unsaid',
    trust: 'vendor',
    label: 'seen',
    source: 'two public programs that read cards',
    notKnown: 'which clock is used; end times; names from Axis Camera Station',
    shapes: [{ parts: [/^(?<s>\d{8}_\d{6})_[0-9A-F]{4}_(?<dev>[0-9A-F]{12})(?:\.\w{2,4})?$/] }],
    samples: [
      {
        path: '20210712_141048_857A_ACCC8EAF31F3',
        expect: { device: 'ACCC8EAF31F3', start: '2021-07-12T14:10:48' },
      },
      {
        path: '20210712_141048_857A_ACCC8EAF31F3.mkv',
        expect: { device: 'ACCC8EAF31F3', start: '2021-07-12T14:10:48' },
      },
    ],
    refuses: ['20210732_141048_857A_ACCC8EAF31F3', '20210712_141048_857A.mkv'],
  },
  /** Brickcom: day, start and end, address and channel. */
  {
    name: 'brickcom',
    system: 'Brickcom',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'brickcom.com, FAQ 106',
    shapes: [
      {
        parts: [
          /^(?<d>\d{8})-(?<s>\d{6})-(?<e>\d{6})_(?<dev>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})-CH(?<ch>\d{1,3})(?:\.[A-Za-z]\w{1,3})?$/,
        ],
      },
    ],
    samples: [
      {
        path: '20140509-000500-001000_192.168.1.11-CH2',
        expect: {
          device: '192.168.1.11',
          channel: '2',
          start: '2014-05-09T00:05:00',
          end: '2014-05-09T00:10:00',
        },
      },
      {
        path: '20140509-235500-000500_192.168.1.11-CH12.avi',
        expect: {
          device: '192.168.1.11',
          channel: '12',
          start: '2014-05-09T23:55:00',
          end: '2014-05-10T00:05:00',
        },
      },
    ],
    refuses: ['20140509-000500-006000_192.168.1.11-CH2', '20140509-000500-001000_192.168.1.11.avi'],
  },
  /** Canon: its recorder software, in GMT, and the memory cards of its cameras, in UTC. */
  {
    name: 'canon',
    system: 'Canon recorders and cameras',
    clock: 'utc',
    trust: 'vendor',
    label: 'documented',
    source: 'VK-64 / VB-C300 manual, page 231; VB-S30D manual, page 151',
    notKnown: 'the camera of recordings on a card; unfinished files (`NVR_STANDBY_`)',
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
  },
];

/** The file was created first, the recording in it began a little later. */
function readCard({ made = '', s = '' }: Groups): NameFields | undefined {
  const created = readDigits(made);
  const start = created?.kind === 'wall' ? laterThan(created.wall, s) : undefined;
  return start && { start };
}
