import type { DayOrder } from '../../../../../shared/domain/naming-settings.ts';
import type { WrittenTime } from '../../times/zoned-time.ts';
import { readIsoTime, written, type Groups, type NameFields, type Recogniser } from '../recogniser.ts';

/** Shapes that belong to no vendor, in the order in which `auto` tries them, after those of vendors. */
export const genericNames: readonly Recogniser[] = [
  {
    name: 'iso-utc',
    system: 'ISO 8601 times',
    clock: 'zoned',
    trust: 'standard',
    label: 'generic',
    source: 'ISO 8601',
    shapes: [
      {
        parts: [
          /^(?:(?<cam>.+?)[ _-]+)??(?<s>\d{4}-?\d{2}-?\d{2}T\d{2}[-:_.]?\d{2}[-:_.]?\d{2}(?:[.,]\d{3,9})?(?:Z|[+-]\d{2}:?\d{2})?)(?:[ _-]+(?<e>\d{4}-?\d{2}-?\d{2}T\d{2}[-:_.]?\d{2}[-:_.]?\d{2}(?:[.,]\d{3,9})?(?:Z|[+-]\d{2}:?\d{2})?))?(?: \(\d{1,3}\))?\.\w+$/,
        ],
        read: readIso,
      },
    ],
    samples: [
      {
        path: 'Gate 4_2026-05-01T18-30-05Z.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T18:30:05Z' },
      },
      {
        path: 'north-stand_20260501T193005+0100_20260501T193205+0100.mkv',
        expect: { cameraName: 'north-stand', start: '2026-05-01T18:30:05Z', end: '2026-05-01T18:32:05Z' },
      },
      {
        path: 'cam 7 2026-05-01T18:30:05.250Z.mp4',
        expect: { cameraName: 'cam 7', start: '2026-05-01T18:30:05.250Z' },
      },
      {
        path: '20260501T193005-20260501T193205.mp4',
        expect: { start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
    ],
    refuses: ['Gate 4_2026-02-30T18-30-05Z.mp4', 'Gate 4_2026-05-01T18-30-05+9900.mp4'],
  },
  {
    name: 'iso-utc-first',
    system: 'ISO 8601 time first',
    clock: 'zoned',
    trust: 'standard',
    label: 'generic',
    source: 'ISO 8601',
    shapes: [
      {
        parts: [
          /^(?<s>\d{4}-?\d{2}-?\d{2}T\d{2}[-:_.]?\d{2}[-:_.]?\d{2}(?:[.,]\d{3,9})?(?:Z|[+-]\d{2}:?\d{2}))[ _-]+(?<cam>[^.]+)\.\w+$/,
        ],
        read: readIso,
      },
    ],
    samples: [
      {
        path: '2026-05-01T18-30-05Z_Gate 4.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T18:30:05Z' },
      },
    ],
    refuses: ['2026-05-01T18-30-05_Gate 4.mp4'],
  },
  {
    name: 'generic-range',
    system: 'start and end',
    clock: 'local',
    trust: 'generic',
    label: 'generic',
    source: 'not specific to a system',
    shapes: [
      {
        parts: [
          /^(?:(?<cam>.+?)[ _-]+)??(?<s>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})(?:[ _-]+|[ _-]+to[ _-]+)(?<e>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})(?: \(\d{1,3}\))?\.\w+$/,
        ],
      },
    ],
    samples: [
      {
        path: 'Gate 4 2026-05-01 19.30.05 - 2026-05-01 19.32.05.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
      {
        path: '20260501193005_20260501193205.avi',
        expect: { start: '2026-05-01T19:30:05', end: '2026-05-01T19:32:05' },
      },
    ],
    refuses: ['Gate 4 01-05-2026 19.30.05 - 01-05-2026 19.32.05.mp4', 'Gate 4 2026-05-01 19.30.05.mp4'],
  },
  {
    name: 'generic-start',
    system: 'camera and start',
    clock: 'local',
    trust: 'generic',
    label: 'generic',
    source: 'not specific to a system',
    shapes: [
      {
        parts: [
          /^(?:(?<cam>.+?)[ _-]+)??(?<s>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})(?: \(\d{1,3}\))?\.\w+$/,
        ],
      },
    ],
    samples: [
      {
        path: 'Turnstile 7 - 2026-05-01 19-30-05.mp4',
        expect: { cameraName: 'Turnstile 7', start: '2026-05-01T19:30:05' },
      },
      { path: '20260501_193005.mov', expect: { start: '2026-05-01T19:30:05' } },
    ],
    refuses: [
      'Gate 01-05-2026 19-30-05.mp4',
      'Gate_01_05_2026_19_30_05.mp4',
      'Gate 4_123456789012345678.mp4',
      'Gate 2026-13-01 19-30-05.mp4',
    ],
  },
  {
    name: 'generic-start-first',
    system: 'start and camera',
    clock: 'local',
    trust: 'generic',
    label: 'generic',
    source: 'not specific to a system',
    shapes: [
      {
        parts: [
          /^(?<s>(?:19|20)\d{2}[-_.]?\d{2}[-_.]?\d{2}[-_ .T]{0,3}\d{2}[-_.:]?\d{2}[-_.:]?\d{2})[ _-]+(?<cam>[^.]+)\.\w+$/,
        ],
      },
    ],
    samples: [
      {
        path: '2026-05-01 19-30-05 Gate 4.mp4',
        expect: { cameraName: 'Gate 4', start: '2026-05-01T19:30:05' },
      },
      {
        path: '20260501_193005_car_park.mkv',
        expect: { cameraName: 'car_park', start: '2026-05-01T19:30:05' },
      },
    ],
    refuses: ['01-05-2026 19-30-05 Gate 4.mp4', '2026-05-01 25-30-05 Gate 4.mp4'],
  },
];

function readIso({ cam, s = '', e }: Groups): NameFields | undefined {
  const start = readCounted(s);
  const end = e === undefined ? undefined : readCounted(e);
  if (start === undefined || (e !== undefined && end === undefined)) return undefined;
  const cameraName = cam?.trim() ?? '';
  return { ...(cameraName !== '' && { cameraName }), start, ...(end && { end }) };
}

/** After a time, `-0001` and `-1330` are not offsets but a counter or an end: the time is read without them. */
const readCounted = (text: string): WrittenTime | undefined =>
  readIsoTime(text) ?? readIsoTime(text.replace(/-\d{4}$/, ''));

/** `03-04-2026 10-00-00`: either number may be the day. Read only if the folder's settings say which. */
const eitherOrder =
  /^(?:(?<cam>.+?)[ _-]+)??(?<first>\d{1,2})([-_./ ])(?<second>\d{1,2})\3(?<y>(?:19|20)\d{2})[-_ .,T]{1,3}(?<h>\d{2})[-_.:]?(?<mi>\d{2})[-_.:]?(?<s>\d{2})(?:[ _-]+(?<after>[^.]+?))?(?: \(\d{1,3}\))?\.\w+$/;

/** The recogniser of names with day, month and year in a folder's order. */
export function inDayOrder(order: DayOrder): Recogniser {
  const isDayFirst = order === 'DMY';
  return {
    name: isDayFirst ? 'day-first' : 'month-first',
    system: isDayFirst ? 'day, month, year' : 'month, day, year',
    clock: 'local',
    trust: 'generic',
    label: 'generic',
    source: "the folder's settings",
    shapes: [
      {
        parts: [eitherOrder],
        read({ cam, after, first, second, y, h, mi, s }) {
          const [month, day] = isDayFirst ? [second, first] : [first, second];
          const start = written([y, month, day, h, mi, s].map(Number));
          const cameraName = (cam ?? after)?.trim() ?? '';
          return start && { ...(cameraName !== '' && { cameraName }), start };
        },
      },
    ],
    samples: [],
    refuses: [],
  };
}
