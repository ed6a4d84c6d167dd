import { describe, expect, it } from 'vitest';
import {
  formatLocal,
  formatUtc,
  isTimeZone,
  parseRfc3339,
  resolveWallTime,
  wallTime,
} from '../../../../../electron/agent/core/times/zoned-time.ts';

const at = (text: string) => {
  const wall = wallTime(text.split(/[-T: ]/).map(Number));
  if (wall === undefined) throw new Error(`not a real time: ${text}`);
  return wall;
};

describe('resolveWallTime', () => {
  it.each([
    ['2026-01-15T12:00:00', 'Europe/London', '2026-01-15T12:00:00.000Z'],
    ['2026-05-01T19:30:05', 'Europe/London', '2026-05-01T18:30:05.000Z'],
    ['2026-05-01T19:30:05', 'America/New_York', '2026-05-01T23:30:05.000Z'],
    ['2026-05-01T19:30:05', 'UTC', '2026-05-01T19:30:05.000Z'],
    ['2026-05-01T19:30:05', 'Asia/Kathmandu', '2026-05-01T13:45:05.000Z'],
    // Half a minute before and after the clocks change
    ['2011-04-01T00:00:30', 'Asia/Hebron', '2011-03-31T22:00:30.000Z'],
    ['2011-04-01T01:01:30', 'Asia/Hebron', '2011-03-31T22:01:30.000Z'],
  ])('places %s in %s at %s', (wall, zone, utc) => {
    const time = resolveWallTime(at(wall), zone);
    expect(time && formatUtc(time.ms)).toBe(utc);
    expect(time).toMatchObject({ ambiguous: false, nonexistent: false });
  });

  it.each([
    ['2026-10-25T01:30:00', 'Europe/London', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
    ['2026-10-25T02:00:00', 'Europe/Berlin', '2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'],
    ['2026-11-01T01:59:59', 'America/New_York', '2026-11-01T05:59:59.000Z', '2026-11-01T06:59:59.000Z'],
    // Only half an hour
    ['2026-04-05T01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z', '2026-04-04T15:15:00.000Z'],
  ])('takes the earlier of the two %s in %s', (wall, zone, earlier, later) => {
    const time = resolveWallTime(at(wall), zone);
    expect(time).toMatchObject({ ambiguous: true, nonexistent: false });
    expect([formatUtc(time?.ms ?? 0), formatUtc(time?.laterMs ?? 0)]).toEqual([earlier, later]);
  });

  it.each([
    ['2026-03-29T01:30:00', 'Europe/London', '2026-03-29T01:30:00.000Z'],
    ['2026-03-08T02:00:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    // A minute after midnight
    ['2011-04-01T00:02:00', 'Asia/Hebron', '2011-03-31T22:02:00.000Z'],
    // A whole day is skipped, at the date line
    ['2011-12-30T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
  ])('reads %s, which clocks of %s skipped, with the offset from before', (wall, zone, utc) => {
    const time = resolveWallTime(at(wall), zone);
    expect(time).toMatchObject({ ambiguous: false, nonexistent: true });
    expect(formatUtc(time?.ms ?? 0)).toBe(utc);
  });

  it.each(['2026-10-25T00:59:59', '2026-10-25T02:00:00', '2026-03-29T00:59:59', '2026-03-29T02:00:00'])(
    'finds %s in Europe/London beyond doubt',
    (wall) => {
      expect(resolveWallTime(at(wall), 'Europe/London')).toMatchObject({
        ambiguous: false,
        nonexistent: false,
      });
    },
  );

  it('refuses a date that no calendar has', () => {
    const wall = { year: 2026, month: 2, day: 30, hour: 0, minute: 0, second: 0, millisecond: 0 };
    expect(resolveWallTime(wall, 'Europe/London')).toBeUndefined();
  });
});

describe('parseRfc3339', () => {
  it.each([
    ['2026-05-01T19:30:05Z', '2026-05-01T19:30:05.000Z'],
    ['2026-05-01t19:30:05z', '2026-05-01T19:30:05.000Z'],
    ['2026-05-01 19:30:05+02:00', '2026-05-01T17:30:05.000Z'],
    ['2026-05-01T00:10:00-05:30', '2026-05-01T05:40:00.000Z'],
    ['2026-05-01T19:30:05+14:00', '2026-05-01T05:30:05.000Z'],
    ['2026-05-01T19:30:05-12:00', '2026-05-02T07:30:05.000Z'],
    ['2026-05-01T19:30:05+05:45', '2026-05-01T13:45:05.000Z'],
    ['2026-05-01T19:30:05-00:00', '2026-05-01T19:30:05.000Z'],
    ['2026-05-01T19:30:05.1239Z', '2026-05-01T19:30:05.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads %s as the instant %s', (text, utc) => {
    const time = parseRfc3339(text);
    expect(time?.kind === 'instant' && formatUtc(time.ms)).toBe(utc);
  });

  it('reads a time without offset as a wall time', () => {
    expect(parseRfc3339('2026-05-01T19:30:05.5')).toEqual({
      kind: 'wall',
      wall: { year: 2026, month: 5, day: 1, hour: 19, minute: 30, second: 5, millisecond: 500 },
    });
  });

  it.each([
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-05-01T24:00:00Z',
    '2026-05-01T19:60:00Z',
    '2026-05-01T19:30:60Z',
    '0000-01-01T00:00:00Z',
    '2026-05-01T19:30:05+15:00',
    '2026-05-01T19:30:05+14:15',
    '2026-05-01T19:30:05-12:15',
    '2026-05-01T19:30:05+01:07',
    '2026-05-01T19:30:05-00:30',
    '2026-05-01T19:30:05+0100',
    '2026-05-01',
    '31.02.2026',
    '05/01/2026 19:30:05',
    '1777660205',
    '1777660205000',
    '2026-05-01T19:30Z',
    '',
    ' 2026-05-01T19:30:05Z',
  ])('refuses %j', (text) => {
    expect(parseRfc3339(text)).toBeUndefined();
  });
});

describe('isTimeZone', () => {
  it.each([
    ['Europe/London', true],
    ['UTC', true],
    ['Europe/Nowhere', false],
    ['+01:00', false],
    ['', false],
  ])('says of %j: %s', (name, known) => {
    expect(isTimeZone(name)).toBe(known);
  });
});

it('writes local times for people', () => {
  expect(formatLocal(Date.UTC(2026, 4, 1, 18, 30, 5), 'Europe/London')).toBe('2026-05-01 19:30:05');
});
