import { describe, expect, it } from 'vitest';
import type { Period } from '../../../../../shared/domain/period.ts';
import { lastMarker, planTimeLine } from '../../../../../renderer/features/periods/plan-time-line.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const period = (startAt: string, endAt: string, markers: Period['markers'] = []): Period => ({
  id: 1,
  startAt,
  endAt,
  markers,
});

describe('the time line of a period', () => {
  it('is the day of the period, with now and the markers on it', () => {
    const line = planTimeLine(
      period('2026-11-21T06:00:00.000Z', '2026-11-21T18:00:00.000Z', [
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
    const line = planTimeLine(period('2026-11-21T20:00:00.000Z', '2026-11-22T04:00:00.000Z'), nowMs, 'UTC');
    expect(line).toMatchObject({ isOneDay: true, from: 8 / 24, to: 16 / 24, now: { share: 0 } });
  });

  it('has all days of a period of several, and no more than eight ticks', () => {
    const line = planTimeLine(period('2026-11-21T20:00:00.000Z', '2026-12-11T00:00:00.000Z'), nowMs, 'UTC');
    expect(line?.isOneDay).toBe(false);
    expect(line?.to).toBe(1);
    expect(line?.ticks).toHaveLength(7);
    expect(line?.ticks[1]?.atMs).toBe(Date.parse('2026-11-24T00:00:00.000Z'));
  });

  it('follows the clock of the zone on the day on which it goes back', () => {
    const line = planTimeLine(
      period('2026-10-25T10:00:00.000Z', '2026-10-25T12:00:00.000Z'),
      nowMs,
      'Europe/Berlin',
    );
    // Ticks at 00:00 and 03:00 on the wall, four hours apart
    expect((line?.ticks[1]?.atMs ?? 0) - (line?.ticks[0]?.atMs ?? 0)).toBe(4 * 3_600_000);
    expect(line?.ticks[1]?.share).toBe(4 / 25);
    expect(line?.now).toBeUndefined();
  });

  it.each([
    ['a begin that is no time', 'soon', '2026-11-21T18:00:00.000Z'],
    ['an end before the begin', '2026-11-21T18:00:00.000Z', '2026-11-21T06:00:00.000Z'],
    ['a length of years', '2020-01-01T00:00:00.000Z', '2026-11-21T06:00:00.000Z'],
  ])('is none for a period with %s', (_, startAt, endAt) => {
    expect(planTimeLine(period(startAt, endAt), nowMs, 'UTC')).toBeUndefined();
  });

  it('is there for a period that takes no time', () => {
    const line = planTimeLine(period('2026-11-21T06:00:00.000Z', '2026-11-21T06:00:00.000Z'), nowMs, 'UTC');
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
    expect(lastMarker(period('', '', markers), nowMs)).toBe(0);
    expect(lastMarker(period('', '', markers), nowMs - 120_000)).toBe(1);
    expect(lastMarker(period('', '', markers), nowMs - 86_400_000)).toBeUndefined();
  });
});
