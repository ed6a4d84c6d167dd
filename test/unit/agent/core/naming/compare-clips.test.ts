import { describe, expect, it } from 'vitest';
import { described, FILE_MS, probes, seen } from '../../../../helpers/export-evidence.ts';

type Input = Parameters<typeof described>;
const flagsOf = (...input: Input) =>
  Object.fromEntries(described(...input).clips.map(({ path, flags }) => [path, flags]));
const gaps = (...input: Input) =>
  described(...input)
    .warnings.filter(({ code }) => code === 'SERIES_GAP')
    .map(({ message }) => message.replace(' Check that the export is complete.', ''));
const clip = (camera: string, time: string) => `${camera}_2026_05_01_${time}.mkv`;
const four = (last: string) => [
  clip('A', '19_30_05'),
  clip('B', '19_31_05'),
  clip('C', '19_36_00'),
  clip('D', last),
];

describe('clocks of cameras', () => {
  it('flags the one camera that is out of step with the others, and trusts its times no more', () => {
    const result = described('x', four('18_59_00'));
    expect(result.clips.map(({ flags }) => flags)).toEqual([[], [], [], ['clock-out-of-step']]);
    expect(result.clips.map(({ startedAt }) => startedAt?.confidence)).toEqual([
      'medium',
      'medium',
      'medium',
      'low',
    ]);
    expect(result.warnings.map(({ code }) => code)).toEqual(['CAMERA_CLOCK']);
  });

  it.each(['19_26_00', '19_45_00'])('leaves one in peace that is ten minutes away at most: %s', (time) => {
    expect(Object.values(flagsOf('x', four(time))).flat()).toEqual([]);
  });

  it('blames nobody for times at which files were written', () => {
    const watch = { timeZone: 'Europe/London', profile: 'auto', clockOffsetSeconds: 0, sendsFileTimes: true };
    const written = ['Bar/a.mkv', 'Yard/b.mkv'];
    expect(Object.values(flagsOf('x', [clip('A', '18_00_00'), ...written], { watch })).flat()).toEqual([]);
  });

  it('blames nobody where the others do not lie together either, or where there are two cameras', () => {
    const apart = [clip('A', '10_00_00'), clip('B', '12_00_00'), clip('C', '14_00_00')];
    expect(Object.values(flagsOf('x', apart)).flat()).toEqual([]);
    expect(Object.values(flagsOf('x', apart.slice(1))).flat()).toEqual([]);
  });

  it('flags a camera that is twelve hours off its neighbours', () => {
    expect(flagsOf('x', four('07_31_00'))[clip('D', '07_31_00')]).toEqual(['clock-half-day']);
    const two = flagsOf('x', [clip('A', '19_30_00'), clip('B', '07_31_00')]);
    expect(Object.values(two)).toEqual([['clock-half-day'], ['clock-half-day']]);
  });

  it('flags a recorder that began at its default date, not an event of New Year', () => {
    const name = 'Gate_2020_01_01_00_03_10.mkv';
    expect(flagsOf('x', [name])[name]).toEqual(['clock-reset']);
    const fresh = 'Gate_2026_01_01_00_03_10.mkv';
    const mtimeNs = `${Date.UTC(2026, 0, 1, 1)}000000`;
    const files = [seen(fresh, { mtimeNs })];
    expect(flagsOf('x', files, { settledAtMs: Date.UTC(2026, 0, 3) })[fresh]).toEqual([]);
  });

  it('flags times in the future and before 2000', () => {
    const [future, past] = ['Gate_2031_05_01_10_00_00.mkv', 'Gate_1996_05_01_10_00_00.mkv'];
    expect(flagsOf('x', [future, past])).toEqual({ [future]: ['time-unlikely'], [past]: ['time-unlikely'] });
  });
});

describe('series', () => {
  const hour = (of: number) => `NVR_ch1_main_202605010${of}0000_202605010${of}5959.mp4`;

  it('names the hole between pieces that follow each other otherwise', () => {
    const names = [hour(1), hour(2), hour(4), hour(5)];
    expect(gaps('x', names)).toEqual([`60 minutes are missing between "${hour(2)}" and "${hour(4)}".`]);
    expect(flagsOf('x', names)[hour(4)]).toContain('gap-before');
    expect(gaps('x', [hour(1), hour(2), hour(3)])).toEqual([]);
    // Alarm recordings do not form a series
    expect(gaps('x', [hour(1), hour(3), hour(5), hour(7)])).toEqual([]);
  });

  it('names the numbers that are missing behind a name with its date', () => {
    const piece = (number: number) => `Gate 4 20260501 193005_${number}.mp4`;
    expect(gaps('x', [piece(1), piece(2), piece(4), piece(7), piece(8)])).toEqual([
      'Numbers 3, 5, 6 of the series "Gate 4 20260501 193005_…" are missing.',
    ]);
    expect(gaps('x', [piece(1), piece(2), piece(3)])).toEqual([]);
  });

  it('takes no numbers of cameras for a series', () => {
    expect(gaps('x', ['cam_1.mp4', 'cam_2.mp4', 'cam_4.mp4'])).toEqual([]);
    expect(gaps('x', ['seg_1.g64', 'seg_3.g64', 'seg_4.g64'])).toEqual([
      'Number 2 of the series "seg_…" is missing.',
    ]);
  });

  it('names a continuation whose beginning is not there', () => {
    const [start, more] = [
      'Jan.01.2026/Car_Jan.01.2026_01.10.00.avi',
      'Jan.01.2026/Car_Jan.01.2026_01.40.00+.avi',
    ];
    const told = { settledAtMs: FILE_MS, ...probes({}) };
    expect(gaps('x', [start, more], told)).toEqual([]);
    expect(gaps('x', [more], told)).toEqual([
      `"${more}" continues a recording whose beginning is not in the export.`,
    ]);
  });
});
