import { wallTime, withOffset, type WrittenTime } from '../times/zoned-time.ts';

/** What a file name says, before zone and clock offset are applied. */
export interface NameFields {
  readonly cameraName?: string;
  /** Name of the recorder, where channels are counted by recorder. */
  readonly recorder?: string;
  /** Channel of the recorder, as written without leading zeros. */
  readonly channel?: string;
  readonly start?: WrittenTime;
  readonly end?: WrittenTime;
}

/** What a sample must be read as; times as `YYYY-MM-DDTHH:MM:SS` of the name's own clock, or with `Z`. */
export interface ExpectedFields {
  readonly cameraName?: string;
  readonly recorder?: string;
  readonly channel?: string;
  readonly start?: string;
  readonly end?: string;
}

/** One vendor's way of naming clips. Adding a vendor is adding one entry with its samples. */
export interface ClipNameProfile {
  readonly name: string;
  /** Named groups `cam`, `rec`, `ch`, `s`, `e`. No quantifier inside a repeated group: names are read in near-linear time. */
  readonly pattern: RegExp;
  /** Whose clock the times are: the watch folder's zone, UTC, or the offset written in the name. */
  readonly zone: 'local' | 'utc' | 'zoned';
  /** `low` for shapes that any program could have made. */
  readonly trust: 'vendor' | 'generic';
  /** Reads a time group; undefined when it is no real time, and then the profile does not fit. */
  readonly readTime: (text: string) => WrittenTime | undefined;
  readonly samples: readonly { readonly name: string; readonly expect: ExpectedFields }[];
  readonly mustNotMatch: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Fourteen digits, separators between them do not matter. Year, month, day: never another order. */
function readDigits(text: string): WrittenTime | undefined {
  const digits = text.replace(/\D/g, '');
  if (digits.length !== 14) return undefined;
  const parts = [digits.slice(0, 4), ...(digits.slice(4).match(/../g) ?? [])].map(Number);
  const wall = wallTime(parts);
  return wall && { kind: 'wall', wall };
}

function readNxTime(text: string): WrittenTime | undefined {
  const match = /^(\d{4})_(\w{2,3})_(\d{2})_(\d{1,2})(AM|PM)?_(\d{2})_(\d{2})$/.exec(text);
  if (match === null) return undefined;
  const [, year, monthText = '', day, hourText, half, minute, second] = match;
  const monthName = MONTHS.indexOf(monthText.toLowerCase()) + 1;
  const month = /^\d\d$/.test(monthText) ? Number(monthText) : monthName;
  let hour = Number(hourText);
  if (half !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half === 'PM' ? 12 : 0);
  }
  const wall = wallTime([Number(year), month, Number(day), hour, Number(minute), Number(second)]);
  return wall && { kind: 'wall', wall };
}

function readIsoTime(text: string): WrittenTime | undefined {
  const match = /^([\d-]{8,10})T([\d:_.-]+?)(?:[.,](\d{3,9}))?(Z|[+-]\d{2}:?\d{2})?$/.exec(text);
  if (match === null) return undefined;
  const local = readDigits(`${match[1] ?? ''}${match[2] ?? ''}`);
  if (local?.kind !== 'wall') return undefined;
  const millisecond = Number((match[3] ?? '0').slice(0, 3).padEnd(3, '0'));
  return withOffset({ ...local.wall, millisecond }, match[4]);
}

/** All profiles in the order in which `auto` tries them: the most particular first. */
export const clipNameProfiles: readonly ClipNameProfile[] = [
  {
    name: 'dahua',
    pattern:
      /^(?<rec>[A-Za-z0-9-]+)[_-]ch(?<ch>\d{1,4})[_-](?:main|sub|extra\d?)[_-](?<s>\d{14})[_-](?<e>\d{14})(?:[_-][^.]+)?\.(?:dav|mp4|avi|asf|mkv)$/i,
    zone: 'local',
    trust: 'vendor',
    readTime: readDigits,
    samples: [
      {
        name: 'NVR_ch1_main_20230619064223_20230619064228.dav',
        expect: { recorder: 'NVR', channel: '1', start: '2023-06-19T06:42:23', end: '2023-06-19T06:42:28' },
      },
      {
        name: 'XVR_ch12_main_20260604130000_20260604135959_camera2.mp4',
        expect: { recorder: 'XVR', channel: '12', start: '2026-06-04T13:00:00', end: '2026-06-04T13:59:59' },
      },
      {
        name: 'NPV-CH01-MAIN-20171215143022-20171215143522.DAV',
        expect: { recorder: 'NPV', channel: '1', start: '2017-12-15T14:30:22', end: '2017-12-15T14:35:22' },
      },
    ],
    mustNotMatch: ['NVR_ch1_main_20231319064223_20231319064228.dav', 'NVR_ch1_main_20230619064223.dav'],
  },
  {
    name: 'frigate',
    pattern: /^(?<cam>.+)_(?<s>\d{8}_\d{6})-(?<e>\d{8}_\d{6})_[a-z0-9]{4,8}(?: \(\d{1,3}\))?\.mp4$/,
    zone: 'local',
    trust: 'vendor',
    readTime: readDigits,
    samples: [
      {
        name: 'front_door_20260501_193005-20260501_193205_a1b2c3.mp4',
        expect: { cameraName: 'front_door', start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
      {
        name: 'Gate 4_20261025_013000-20261025_014000_k9x2pq.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-10-25T01:30:00', end: '2026-10-25T01:40:00' },
      },
    ],
    mustNotMatch: ['front_door_20260501_193005-20260501_193205.mp4', 'front_door_a1b2c3.mp4'],
  },
  {
    name: 'nx',
    pattern:
      /^(?<cam>.+)_(?<s>\d{4}_(?:\d{2}|[A-Za-z]{3})_\d{2}_\d{1,2}(?:AM|PM)?_\d{2}_\d{2})(?: \(\d{1,3}\))?\.(?:mkv|avi|mp4|nov|png|jpg)$/,
    zone: 'local',
    trust: 'vendor',
    readTime: readNxTime,
    samples: [
      {
        name: 'Gate 4 North_2026_05_01_19_30_05.mkv',
        expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
      },
      {
        name: 'Gate 4 North_2026_05_01_7PM_30_05.mp4',
        expect: { cameraName: 'Gate 4 North', start: '2026-05-01T19:30:05' },
      },
      {
        name: 'Lobby_2026_05_01_12AM_05_09 (1).mp4',
        expect: { cameraName: 'Lobby', start: '2026-05-01T00:05:09' },
      },
      {
        name: 'Stand_B_2019_Dec_31_23_59_58.avi',
        expect: { cameraName: 'Stand_B', start: '2019-12-31T23:59:58' },
      },
    ],
    mustNotMatch: [
      'Gate_2026_02_30_19_30_05.mkv',
      'Gate_2026_05_01_13PM_30_05.mp4',
      'Gate_2026_Foo_01_19_30_05.mkv',
    ],
  },
  {
    name: 'iso-utc',
    pattern:
      /^(?:(?<cam>.+?)[ _-]+)??(?<s>\d{4}-?\d{2}-?\d{2}T\d{2}[-:_.]?\d{2}[-:_.]?\d{2}(?:[.,]\d{3,9})?(?:Z|[+-]\d{2}:?\d{2})?)(?:[ _-]+(?<e>\d{4}-?\d{2}-?\d{2}T\d{2}[-:_.]?\d{2}[-:_.]?\d{2}(?:[.,]\d{3,9})?(?:Z|[+-]\d{2}:?\d{2})?))?(?: \(\d{1,3}\))?\.\w+$/,
    zone: 'zoned',
    trust: 'vendor',
    readTime: readIsoTime,
    samples: [
      {
        name: 'Gate 4_2026-05-01T18-30-05Z.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T18:30:05Z' },
      },
      {
        name: 'north-stand_20260501T193005+0100_20260501T193205+0100.mkv',
        expect: { cameraName: 'north-stand', start: '2026-05-01T18:30:05Z', end: '2026-05-01T18:32:05Z' },
      },
      {
        name: 'cam 7 2026-05-01T18:30:05.250Z.mp4',
        expect: { cameraName: 'cam 7', start: '2026-05-01T18:30:05.250Z' },
      },
      {
        name: '20260501T193005-20260501T193205.mp4',
        expect: { start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
    ],
    mustNotMatch: ['Gate 4_2026-02-30T18-30-05Z.mp4', 'Gate 4_2026-05-01T18-30-05+9900.mp4'],
  },
  {
    name: 'iso-utc-first',
    pattern:
      /^(?<s>\d{4}-?\d{2}-?\d{2}T\d{2}[-:_.]?\d{2}[-:_.]?\d{2}(?:[.,]\d{3,9})?(?:Z|[+-]\d{2}:?\d{2}))[ _-]+(?<cam>[^.]+)\.\w+$/,
    zone: 'zoned',
    trust: 'vendor',
    readTime: readIsoTime,
    samples: [
      {
        name: '2026-05-01T18-30-05Z_Gate 4.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T18:30:05Z' },
      },
    ],
    mustNotMatch: ['2026-05-01T18-30-05_Gate 4.mp4'],
  },
  {
    name: 'generic-range',
    pattern:
      /^(?:(?<cam>.+?)[ _-]+)??(?<s>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})(?:[ _-]+|[ _-]+to[ _-]+)(?<e>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})(?: \(\d{1,3}\))?\.\w+$/,
    zone: 'local',
    trust: 'generic',
    readTime: readDigits,
    samples: [
      {
        name: 'Gate 4 2026-05-01 19.30.05 - 2026-05-01 19.32.05.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
      {
        name: '20260501193005_20260501193205.avi',
        expect: { start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
    ],
    mustNotMatch: ['Gate 4 01-05-2026 19.30.05 - 01-05-2026 19.32.05.mp4', 'Gate 4 2026-05-01 19.30.05.mp4'],
  },
  {
    name: 'generic-start',
    pattern:
      /^(?:(?<cam>.+?)[ _-]+)??(?<s>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})(?: \(\d{1,3}\))?\.\w+$/,
    zone: 'local',
    trust: 'generic',
    readTime: readDigits,
    samples: [
      {
        name: 'Turnstile 7 - 2026-05-01 19-30-05.mp4',
        expect: { cameraName: 'Turnstile 7', start: '2026-05-01T19:30:05' },
      },
      { name: '20260501_193005.mov', expect: { start: '2026-05-01T19:30:05' } },
    ],
    mustNotMatch: [
      'Gate 01-05-2026 19-30-05.mp4',
      'Gate_01_05_2026_19_30_05.mp4',
      'Gate 4_123456789012345678.mp4',
      'Gate 2026-13-01 19-30-05.mp4',
    ],
  },
  {
    name: 'generic-start-first',
    pattern:
      /^(?<s>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})[ _-]+(?<cam>[^.]+)\.\w+$/,
    zone: 'local',
    trust: 'generic',
    readTime: readDigits,
    samples: [
      {
        name: '2026-05-01 19-30-05 Gate 4.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T19:30:05' },
      },
      {
        name: '20260501_193005_car_park.mkv',
        expect: { cameraName: 'car_park', start: '2026-05-01T19:30:05' },
      },
    ],
    mustNotMatch: ['01-05-2026 19-30-05 Gate 4.mp4', '2026-05-01 25-30-05 Gate 4.mp4'],
  },
];
