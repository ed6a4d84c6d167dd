import { describe, expect, it } from 'vitest';
import {
  idKey,
  lastMarker,
  orderPeriods,
  phaseOf,
  planTimeLine,
  rangeOfDays,
} from '../../../../../renderer/features/periods/periods.ts';
import type { Period } from '../../../../../shared/domain/action.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const period = (id: number, startAt?: string, endAt?: string): Period => ({
  id,
  markers: [],
  ...(startAt !== undefined && { startAt }),
  ...(endAt !== undefined && { endAt }),
});

describe('how a period stands to now', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['now', '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.001Z'],
    ['past', '2026-11-21T10:00:00.000Z', '2026-11-21T12:00:00.000Z'],
    ['coming', '2026-11-21T12:00:00.001Z', '2026-11-21T13:00:00.000Z'],
    // Without an end, a period continues; without a beginning, its end decides
    ['now', '2026-11-20T00:00:00.000Z', undefined],
    ['coming', '2026-11-22T00:00:00.000Z', undefined],
    ['now', undefined, '2026-11-22T00:00:00.000Z'],
    ['past', undefined, '2026-11-20T00:00:00.000Z'],
    ['undated', undefined, undefined],
    ['undated', 'soon', ''],
  ])('is %s from %s to %s', (phase, startAt, endAt) => {
    expect(phaseOf(period(1, startAt, endAt), nowMs)).toBe(phase);
  });
});

describe('the list of periods', () => {
  it('has what goes on first, then the next ones, then the latest ones', () => {
    const periods = [
      period(1, '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'),
      period(2, undefined, undefined),
      period(3, '2026-12-24T00:00:00.000Z', '2026-12-25T00:00:00.000Z'),
      period(4, '2026-11-21T08:00:00.000Z', '2026-11-21T16:00:00.000Z'),
      period(5, '2026-11-10T00:00:00.000Z', '2026-11-11T00:00:00.000Z'),
      period(6, '2026-11-22T00:00:00.000Z', '2026-11-23T00:00:00.000Z'),
      period(7, undefined, '2026-11-05T00:00:00.000Z'),
      period(8, '2026-11-21T11:00:00.000Z', '2026-11-21T16:00:00.000Z'),
    ];
    expect(orderPeriods(periods, nowMs).map(({ period: { id } }) => id)).toEqual([8, 4, 6, 3, 5, 7, 1, 2]);
  });

  it('keeps ids apart that only look alike', () => {
    expect(idKey(7)).not.toBe(idKey('7'));
    expect(idKey('7')).toBe(idKey('7'));
  });
});

describe('a range of days', () => {
  it.each([
    [undefined, undefined, 'UTC', {}],
    ['2026-11-20', undefined, 'UTC', { startAt: '2026-11-20T00:00:00.000Z' }],
    [undefined, '2026-11-20', 'UTC', { endAt: '2026-11-20T23:59:59.999Z' }],
    [
      '2026-11-20',
      '2026-11-20',
      'Europe/London',
      { startAt: '2026-11-20T00:00:00.000Z', endAt: '2026-11-20T23:59:59.999Z' },
    ],
    [
      '2026-07-01',
      '2026-07-31',
      'Europe/London',
      { startAt: '2026-06-30T23:00:00.000Z', endAt: '2026-07-31T22:59:59.999Z' },
    ],
    // The day on which the clocks go back has 25 hours
    [
      '2026-10-25',
      '2026-10-25',
      'Europe/Berlin',
      { startAt: '2026-10-24T22:00:00.000Z', endAt: '2026-10-25T22:59:59.999Z' },
    ],
    // In Cairo the clocks go from 00:00 to 01:00, so that day has no midnight
    ['2026-04-24', undefined, 'Africa/Cairo', { startAt: '2026-04-23T22:00:00.000Z' }],
  ])('from %s to %s in %s', (from, to, zone, range) => {
    expect(rangeOfDays(from, to, zone)).toEqual(range);
  });

  it('is none when it ends before it begins', () => {
    expect(rangeOfDays('2026-11-20', '2026-11-19', 'UTC')).toBeUndefined();
  });
});

const marked = (startAt: string, endAt: string, markers: Period['markers'] = []): Period => ({
  id: 1,
  startAt,
  endAt,
  markers,
});

describe('the time line of a period', () => {
  it('is the day of the period, with now and the markers on it', () => {
    const line = planTimeLine(
      marked('2026-11-21T06:00:00.000Z', '2026-11-21T18:00:00.000Z', [
        { name: 'Doors', at: '2026-11-21T09:00:00.000Z' },
        { name: 'Without a time' },
        { name: 'Another day', at: '2026-11-25T09:00:00.000Z' },
      ]),
      nowMs,
      'UTC',
    );
    expect(line).toMatchObject({ isOneDay: true, from: 0.25, to: 0.75 });
    expect(line?.now).toEqual({ atMs: nowMs, share: 0.5 });
    expect(line?.markers.map(({ share }) => share)).toEqual([0.375]);
    expect(line?.ticks.map(({ share }) => share)).toEqual([0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875]);
  });

  it('begins at noon for a night that would not fit into a day', () => {
    const line = planTimeLine(marked('2026-11-21T20:00:00.000Z', '2026-11-22T04:00:00.000Z'), nowMs, 'UTC');
    expect(line).toMatchObject({ isOneDay: true, from: 8 / 24, to: 16 / 24, now: { share: 0 } });
  });

  it('has all days of a period of several, and no more than eight ticks', () => {
    const line = planTimeLine(marked('2026-11-21T20:00:00.000Z', '2026-12-11T00:00:00.000Z'), nowMs, 'UTC');
    expect(line?.isOneDay).toBe(false);
    expect(line?.to).toBe(1);
    expect(line?.ticks).toHaveLength(7);
    expect(line?.ticks[1]?.atMs).toBe(Date.parse('2026-11-24T00:00:00.000Z'));
  });

  it('follows the clock of the zone on the day on which it goes back', () => {
    const line = planTimeLine(
      marked('2026-10-25T10:00:00.000Z', '2026-10-25T12:00:00.000Z'),
      nowMs,
      'Europe/Berlin',
    );
    // Ticks at 00:00 and 03:00 local time, four hours apart
    expect((line?.ticks[1]?.atMs ?? 0) - (line?.ticks[0]?.atMs ?? 0)).toBe(4 * 3_600_000);
    expect(line?.ticks[1]?.share).toBe(4 / 25);
    expect(line?.now).toBeUndefined();
  });

  it.each([
    ['a begin that is no time', 'soon', '2026-11-21T18:00:00.000Z'],
    ['an end before the begin', '2026-11-21T18:00:00.000Z', '2026-11-21T06:00:00.000Z'],
    ['a length of years', '2020-01-01T00:00:00.000Z', '2026-11-21T06:00:00.000Z'],
  ])('is none for a period with %s', (_, startAt, endAt) => {
    expect(planTimeLine(marked(startAt, endAt), nowMs, 'UTC')).toBeUndefined();
  });

  it('is there for a period that takes no time', () => {
    const line = planTimeLine(marked('2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z'), nowMs, 'UTC');
    expect(line).toMatchObject({ from: 0.25, to: 0.25 });
  });
});

describe('the marker that was passed last', () => {
  const markers = [
    { name: 'Second half', at: '2026-11-21T11:59:00.000Z' },
    { name: 'Kick-off', at: '2026-11-21T11:00:00.000Z' },
    { name: 'Full time', at: '2026-11-21T12:30:00.000Z' },
    { name: 'Sometime' },
  ];

  it('is the latest one, whatever the order of the service is', () => {
    expect(lastMarker(marked('', '', markers), nowMs)).toBe(0);
    expect(lastMarker(marked('', '', markers), nowMs - 120_000)).toBe(1);
    expect(lastMarker(marked('', '', markers), nowMs - 86_400_000)).toBeUndefined();
  });
});
