import {
  plusSeconds,
  readDigits,
  readEpoch,
  type Groups,
  type NameFields,
  type Recogniser,
} from '../recogniser.ts';

const clip = /^(?:MDalarm|alarm|schedule)_(?<s>\d{8}_\d{6})\.(?:mkv|mp4|avi)$/;

/** Longest clip of a camera that names start and end in seconds since 1970, milliseconds. */
const LONGEST_CLIP_MS = 86_400_000;

/** Home cameras, and downloads from their apps. */
export const homeCameras: readonly Recogniser[] = [
  /** Foscam: the first word is why it recorded, not where. */
  {
    name: 'foscam',
    system: 'Foscam',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'two public programs that read its folders',
    notKnown: 'end times; the camera name',
    shapes: [{ parts: [/^[A-Za-z0-9-]+_(?<dev>[0-9A-Fa-f]{12})$/, /^record$/i, clip] }, { parts: [clip] }],
    samples: [
      { path: 'MDalarm_20250712_213837.mkv', expect: { start: '2025-07-12T21:38:37' } },
      {
        path: 'R4M_00626EF12345/record/schedule_20250712_213837.mkv',
        expect: { device: '00626EF12345', start: '2025-07-12T21:38:37' },
      },
    ],
    refuses: ['MDalarm_20250732_213837.mkv', 'MDalarm_20250712.mkv'],
  },
  /** Panasonic HomeHawk: listed so that its digits are not read as something else. */
  {
    name: 'homehawk',
    system: 'Panasonic HomeHawk',
    clock: 'local',
    trust: 'vendor',
    label: 'documented',
    source: 'manual (names only)',
    notKnown: 'times: the date format in the folder is not documented; the camera',
    shapes: [{ parts: [/^\d[A-Z]\d{6}\.mp4$/] }],
    samples: [{ path: '1M123455.mp4', expect: {} }],
    refuses: ['1M12345.mp4', '11M123455.mp4'],
  },
  /** Reolink: cameras' cards and recorders. `DST` means that summer time was in force. */
  {
    name: 'reolink',
    system: 'Reolink',
    clock: 'local',
    trust: 'vendor',
    label: 'seen',
    source: 'reolink_aio: file name typings',
    notKnown: 'the camera, which is not in the name (`RecM01` is the stream and version)',
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
  },
  /** Ring: downloads from the app; they name no camera. */
  {
    name: 'ring',
    system: 'Ring',
    clock: 'unsaid',
    trust: 'vendor',
    label: 'seen',
    source: 'a public listing',
    notKnown: 'which clock is used; end times; the camera',
    shapes: [{ parts: [/^RingVideo_(?<s>\d{8}_\d{6})(?: ?\(\d{1,3}\))?\.mp4$/] }],
    samples: [{ path: 'RingVideo_20251205_075319.mp4', expect: { start: '2025-12-05T07:53:19' } }],
    refuses: ['RingVideo_20251305_075319.mp4', 'RingVideo_20251205.mp4'],
  },
  /** TP-Link Tapo, as Home Assistant keeps its recordings: `start-end` in seconds since 1970. */
  {
    name: 'tapo',
    system: 'TP-Link Tapo (Home Assistant)',
    clock: 'utc',
    trust: 'vendor',
    label: 'seen',
    source: 'HomeAssistant-Tapo-Control issue 509',
    notKnown: 'the camera',
    shapes: [
      {
        parts: [/^(?<s>\d{10})-(?<e>\d{10})\.mp4$/],
        read: ({ s = '', e = '' }) => {
          const [start, end] = [readEpoch(s), readEpoch(e)];
          if (start?.kind !== 'instant' || end?.kind !== 'instant') return undefined;
          const lengthMs = end.ms - start.ms;
          return lengthMs > 0 && lengthMs <= LONGEST_CLIP_MS ? { start, end } : undefined;
        },
      },
    ],
    samples: [
      {
        path: '1706108297-1706108310.mp4',
        expect: { start: '2024-01-24T14:58:17Z', end: '2024-01-24T14:58:30Z' },
      },
    ],
    refuses: ['1706108310-1706108297.mp4', '5706108297-5706108310.mp4', '1706108297-1806108310.mp4'],
  },
  /** Xiaomi: seconds since 1970 after minute and second by its clock; the hour is in the folder. */
  {
    name: 'xiaomi',
    system: 'Xiaomi cameras',
    clock: 'utc',
    trust: 'vendor',
    label: 'seen',
    source: 'a public program that reads their cards',
    notKnown: 'end times; the camera',
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
  },
  /** Yi: minute, second and length in the name, day and hour in the folder. */
  {
    name: 'yi',
    system: 'Yi cameras',
    clock: 'unsaid',
    trust: 'vendor',
    label: 'seen',
    source: 'yi-hack issue 826; yi-hack-v5 issue 156 for the folder',
    notKnown: 'which clock the folder shows (users report local time and UTC); the camera',
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
  },
];

function readYi({ y = '', mo = '', d = '', h = '', mi = '', s = '', n }: Groups): NameFields | undefined {
  const start = readDigits(y + mo + d + h + mi + s);
  if (start?.kind !== 'wall') return undefined;
  return { start, end: { kind: 'wall', wall: plusSeconds(start.wall, Number(n)) } };
}
