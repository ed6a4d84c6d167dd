import { readDigits, readIsoTime, type ClipNameProfile } from './clip-name-profile.ts';

/** Shapes that no vendor owns, in the order in which `auto` tries them, after those of vendors. */
export const genericNameProfiles: readonly ClipNameProfile[] = [
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
