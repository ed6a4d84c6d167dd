import { describe, expect, it } from 'vitest';
import { rangeOfDays } from '../../../../../renderer/features/periods/day-range.ts';

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
    // In Cairo the clocks go from 00:00 to 01:00: that day has no midnight
    ['2026-04-24', undefined, 'Africa/Cairo', { startAt: '2026-04-23T22:00:00.000Z' }],
  ])('from %s to %s in %s', (from, to, zone, range) => {
    expect(rangeOfDays(from, to, zone)).toEqual(range);
  });

  it('is none when it ends before it begins', () => {
    expect(rangeOfDays('2026-11-20', '2026-11-19', 'UTC')).toBeUndefined();
  });
});
