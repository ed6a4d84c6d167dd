import { describe, expect, it } from 'vitest';
import {
  fitsOf,
  isProfileName,
  readClipName,
} from '../../../../../electron/agent/core/naming/read-clip-name.ts';
import type { ExpectedFields, NameFields } from '../../../../../electron/agent/core/naming/recogniser.ts';
import { recognisers } from '../../../../../electron/agent/core/naming/recognisers.ts';
import { formatUtc, type WrittenTime } from '../../../../../electron/agent/core/times/zoned-time.ts';
import { readPath } from '../../../../formats/measure.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const london = { profile: 'auto', timeZone: 'Europe/London', clockOffsetSeconds: 0 };
const utc = (time: { readonly value: number } | undefined) => time && formatUtc(time.value);

const timeText = (time: WrittenTime): string => {
  if (time.kind === 'instant') return formatUtc(time.ms).replace('.000Z', 'Z');
  const { year, month, day, hour, minute, second, millisecond } = time.wall;
  const shown = formatUtc(Date.UTC(year, month - 1, day, hour, minute, second, millisecond));
  return shown.replace(/(?:\.000)?Z$/, '');
};
const asExpected = ({ start, end, beside: _beside, ...rest }: NameFields): ExpectedFields => ({
  ...rest,
  ...(start && { start: timeText(start) }),
  ...(end && { end: timeText(end) }),
});

const samples = recognisers.flatMap((recogniser) =>
  recogniser.samples.map((sample) => [recogniser.name, sample.path, sample.expect, recogniser] as const),
);
const refusals = recognisers.flatMap((recogniser) =>
  recogniser.refuses.map((path) => [recogniser.name, path, recogniser] as const),
);
const fieldsOf = (path: string, recogniser: (typeof recognisers)[number]) => {
  const parts = ['Incident 12', ...path.split('/')];
  return fitsOf([recogniser], parts, parts.length - 1)[0]?.fields;
};

describe('the samples of the recognisers', () => {
  it('has samples and refusals for each, under different names', () => {
    for (const { name, samples: own, refuses } of recognisers) {
      expect(own.length, name).toBeGreaterThan(0);
      expect(refuses.length, name).toBeGreaterThan(0);
    }
    expect(new Set(recognisers.map(({ name }) => name)).size).toBe(recognisers.length);
  });

  it.each(samples)('%s reads %s', (_name, path, expected, recogniser) => {
    const fields = fieldsOf(path, recogniser);
    expect(fields && asExpected(fields)).toEqual(expected);
  });

  it.each(samples)('%s is what auto picks for %s', (name, path) => {
    expect(readPath(path)?.profile).toBe(name);
  });

  it.each(refusals)('%s does not read %s', (_name, path, recogniser) => {
    expect(fieldsOf(path, recogniser)).toBeUndefined();
  });
});

describe('readClipName', () => {
  it('reads local names in the zone of the watch', () => {
    const reading = readClipName('Gate 4 North_2026_05_01_19_30_05.mkv', london);
    expect(utc(reading?.startedAt)).toBe('2026-05-01T18:30:05.000Z');
    expect(reading?.startedAt).toMatchObject({ source: 'file-name', confidence: 'medium' });
  });

  it('applies the clock offset and keeps what the recorder wrote', () => {
    const reading = readClipName('Gate 4 North_2026_05_01_19_30_05.mkv', {
      ...london,
      clockOffsetSeconds: -37,
    });
    expect(utc(reading?.startedAt)).toBe('2026-05-01T18:29:28.000Z');
    expect(formatUtc(reading?.startedAt?.recordedMs ?? 0)).toBe('2026-05-01T18:30:05.000Z');
  });

  it('takes a written offset as it is, whatever the zone of the watch', () => {
    const reading = readClipName('Gate 4_2026-05-01T18-30-05Z.mp4', { ...london, timeZone: 'Asia/Tokyo' });
    expect(utc(reading?.startedAt)).toBe('2026-05-01T18:30:05.000Z');
    expect(reading?.startedAt?.confidence).toBe('high');
  });

  it('flags a doubled hour with both instants', () => {
    const reading = readClipName('Gate 4_2026_10_25_01_30_00.mkv', london);
    expect(utc(reading?.startedAt)).toBe('2026-10-25T00:30:00.000Z');
    expect(formatUtc(reading?.startedAt?.laterMs ?? 0)).toBe('2026-10-25T01:30:00.000Z');
    expect(reading?.startedAt?.confidence).toBe('low');
    expect(reading?.startedAt?.note).toContain('twice');
  });

  it('flags an hour that the clock skipped', () => {
    const reading = readClipName('Gate 4_2026_03_29_01_30_00.mkv', london);
    expect(reading?.startedAt).toMatchObject({ isNonexistent: true, confidence: 'low' });
  });

  it('reads an end that seems to come before its start as the later of its two instants', () => {
    const reading = readClipName('NVR_ch1_main_20261025015000_20261025011000.dav', london);
    expect(utc(reading?.startedAt)).toBe('2026-10-25T00:50:00.000Z');
    expect(utc(reading?.endedAt)).toBe('2026-10-25T01:10:00.000Z');
  });

  it.each([
    ['from the first into the second pass', 'S02-30-00E02-00-00', '00:30', '01:00'],
    ['for the hour between them', 'S02-00-00E02-00-00', '00:00', '01:00'],
    ['within the first pass', 'S02-00-00E02-30-00', '00:00', '00:30'],
    ['from before them', 'S01-45-00E02-00-00', '23:45', '00:00'],
    ['to after them', 'S02-30-00E03-10-00', '00:30', '02:10'],
  ])('reads an end without a date of a doubled hour, %s', (_what, times, from, to) => {
    const berlin = { ...london, timeZone: 'Europe/Berlin' };
    const reading = readClipName(`2026-10-25/192.168.1.13_Gate_${times}.ts`, berlin);
    expect(utc(reading?.startedAt)?.slice(11, 16)).toBe(from);
    expect(utc(reading?.endedAt)).toBe(`2026-10-25T${to}:00.000Z`);
  });

  it.each([
    ['2026-10-25', 'S03-10-00E02-30-00', '2026-10-26T01:30:00.000Z'],
    ['2026-10-26', 'S02-30-00E02-00-00', '2026-10-27T01:00:00.000Z'],
    ['2026-10-26', 'S02-00-00E02-00-00', '2026-10-26T01:00:00.000Z'],
  ])(
    'reads an end without a date on the day after %s only where no doubled hour explains it',
    (day, times, to) => {
      const berlin = { ...london, timeZone: 'Europe/Berlin' };
      expect(utc(readClipName(`${day}/192.168.1.13_Gate_${times}.ts`, berlin)?.endedAt)).toBe(to);
    },
  );

  it.each([
    ['gate_20260501T193005-0001.mp4', '2026-05-01T18:30:05.000Z'],
    ['gate_20260501T193005-0000.mp4', '2026-05-01T18:30:05.000Z'],
    ['gate_20260501T193005-1330.mp4', '2026-05-01T18:30:05.000Z'],
    ['gate_20260501T193005-0107.mp4', '2026-05-01T18:30:05.000Z'],
    ['2026-05-01T19-30-05-0001_gate.mp4', '2026-05-01T18:30:05.000Z'],
    ['gate_20260501T193005-0330.mp4', '2026-05-01T23:00:05.000Z'],
    ['gate_20260501T193005+0545.mp4', '2026-05-01T13:45:05.000Z'],
  ])('takes in %s no counter or end for an offset', (name, start) => {
    const reading = readClipName(name, london);
    expect(reading?.cameraName).toBe('gate');
    expect(utc(reading?.startedAt)).toBe(start);
    expect(reading?.startedAt?.confidence === 'high').toBe(!start.includes('T18'));
  });

  it('marks what a generic shape says as low', () => {
    const reading = readClipName('Turnstile 7 - 2026-05-01 19-30-05.mp4', london);
    expect(reading?.startedAt?.confidence).toBe('low');
  });

  it('uses only the profile that the watch names', () => {
    const name = 'NVR_ch1_main_20230619064223_20230619064228.dav';
    expect(readClipName(name, { ...london, profile: 'dahua' })?.channel).toBe('1');
    expect(readClipName(name, { ...london, profile: 'nx' })).toBeUndefined();
  });

  it.each([
    'clip.mp4',
    '',
    'Front Door - 2-9-2020, 23.21.12pm.mp4',
    '01-02-2026 10-11-12.mp4',
    '10_11_2026_10_11_12.avi',
    `${'a'.repeat(250)}_2026_05_01_19_30_05.mkv`,
  ])('guesses nothing from %s', (name) => {
    expect(readClipName(name, london)).toBeUndefined();
  });

  it.each(['\n', '‮', '..\\..\\', '%2e%2e%2f', '<img src=x>', '=cmd|'])(
    'takes %j in a camera name literally',
    (mark) => {
      const reading = readClipName(`a${mark}b_2026_05_01_19_30_05.mkv`, london);
      if (mark === '\n') expect(reading).toBeUndefined();
      else expect(reading?.cameraName).toBe(`a${mark}b`);
    },
  );

  it.each([
    '_'.repeat(255),
    `${'_'.repeat(250)}.mp4`,
    `${'a_'.repeat(125)}.mp4`,
    '2026_05_01_19_30_05_'.repeat(12),
    `${'2026-05-01T19-30-05Z_'.repeat(12)}/`,
    `${'20260501193005-'.repeat(16)}.`,
    `${'1'.repeat(250)}.mp4`,
    `${'- '.repeat(125)}.mp`,
    '_ch1_main_'.repeat(25),
    '\ud800'.repeat(255),
    'a'.repeat(1_000_000),
  ])('answers within 5 ms for a hostile name (case %#)', (name) => {
    readClipName(name, london);
    const times = [1, 2, 3].map(() => processorMs(() => readClipName(name, london)));
    expect(Math.min(...times)).toBeLessThan(5);
  });
});

it('knows the names of its profiles', () => {
  expect(isProfileName('auto')).toBe(true);
  expect(isProfileName('nx')).toBe(true);
  expect(isProfileName('nobody')).toBe(false);
});

describe('a date that ends with its year', () => {
  const startOf = (name: string, dateOrder?: 'DMY' | 'MDY') => {
    const rules = { profile: 'auto', timeZone: 'UTC', clockOffsetSeconds: 0 };
    const reading = readClipName(name, { ...rules, ...(dateOrder && { dateOrder }) });
    return [reading?.cameraName, reading?.startedAt?.value, reading?.startedAt?.confidence];
  };

  it.each([
    ['Gate 03-04-2026 10-00-00.mp4', 'Gate'],
    ['03.04.2026 10.00.00 Gate 4.mp4', 'Gate 4'],
    ['Gate 4_3-4-2026_100000.avi', 'Gate 4'],
  ])('is read in the order of the folder, and not without one: %s', (name, camera) => {
    expect(startOf(name)).toEqual([undefined, undefined, undefined]);
    expect(startOf(name, 'DMY')).toEqual([camera, Date.UTC(2026, 3, 3, 10), 'low']);
    expect(startOf(name, 'MDY')).toEqual([camera, Date.UTC(2026, 2, 4, 10), 'low']);
  });

  it('is not turned round where it does not fit', () => {
    expect(startOf('Gate 31-04-2026 10-00-00.mp4', 'DMY')[1]).toBeUndefined();
    expect(startOf('Gate 25-12-2026 10-00-00.mp4', 'MDY')[1]).toBeUndefined();
    expect(startOf('Gate 25-12-2026 10-00-00.mp4', 'DMY')[1]).toBe(Date.UTC(2026, 11, 25, 10));
  });
});
