import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createMeasuredLine,
  findLeaving,
  forecastLine,
  keptForMs,
  type WaitingIncident,
} from '../../../../../electron/agent/core/times/line-schedule.ts';
import { weekdays, type ScheduleLimit } from '../../../../../shared/domain/line-schedule.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const MB = 1_000_000;
/** A Monday, 12:00 UTC. */
const NOW = Date.UTC(2026, 5, 1, 12);

const line = (schedule: Parameters<typeof forecastLine>[0]['schedule'], speed = 2 * MB) =>
  forecastLine({
    schedule,
    usual: 'full',
    timeZone: 'UTC',
    nowMs: NOW,
    speed: (limit: ScheduleLimit) =>
      limit === 'pause' ? 0 : limit === 'full' ? speed : Math.min(limit, speed),
  });

describe('when so many bytes will have been sent', () => {
  it('is told by the speed of the line', () => {
    expect(line([])(0)).toBeCloseTo(NOW, -1);
    expect(line([])(2 * MB * 3600)).toBeCloseTo(NOW + HOUR_MS, -1);
    expect(line([])(2 * MB * 3600 * 24 * 30)).toBeCloseTo(NOW + 30 * DAY_MS, -1);
  });

  it('waits out the hours in which the schedule pauses the line, every week again', () => {
    const byDay = line([{ days: [...weekdays], from: '07:00', to: '19:00', limit: 'pause' }]);
    // It is noon: the scheduled time begins at 19:00
    expect(byDay(2 * MB * 3600)).toBeCloseTo(NOW + 8 * HOUR_MS, -1);
    expect(byDay(2 * MB * 3600 * 12 * 21)).toBeCloseTo(Date.UTC(2026, 5, 22, 7), -1);
  });

  it('goes by the last line of the schedule that fits, across midnight too', () => {
    const slowNights = line([
      { days: [...weekdays], from: '00:00', to: '24:00', limit: 'pause' },
      { days: ['mon'], from: '22:00', to: '02:00', limit: MB },
    ]);
    expect(slowNights(MB * 3600 * 3)).toBeCloseTo(Date.UTC(2026, 5, 2, 1), -1);
    expect(slowNights(MB * 3600 * 5)).toBeCloseTo(Date.UTC(2026, 5, 8, 23), -1);
  });

  it('goes by the clocks in the night in which they are put back', () => {
    const nowMs = Date.UTC(2026, 9, 24, 22);
    const sentBy = forecastLine({
      schedule: [{ days: [...weekdays], from: '01:00', to: '04:00', limit: 'pause' }],
      usual: 'full',
      timeZone: 'Europe/Berlin',
      nowMs,
      speed: (limit) => (limit === 'pause' ? 0 : MB),
    });
    // An hour until 01:00, and the pause lasts four
    expect(sentBy(MB * 3600 * 2)).toBeCloseTo(nowMs + 6 * HOUR_MS, -1);
  });

  it('is not known where the line always rests or was never measured', () => {
    expect(line([{ days: [...weekdays], from: '00:00', to: '24:00', limit: 'pause' }])(1)).toBeUndefined();
    const { speed } = createMeasuredLine();
    const never = forecastLine({ schedule: [], usual: 'full', timeZone: 'UTC', nowMs: NOW, speed });
    expect(never(1)).toBeUndefined();
  });
});

describe('what the line carried', () => {
  it('counts under the limit that it was measured under, and at least so much is thought of others', () => {
    const measured = createMeasuredLine();
    expect(measured.speed('full')).toBeUndefined();
    measured.add(MB, 60 * MB, 60_000);
    expect([measured.speed(MB), measured.speed('full'), measured.speed(2 * MB)]).toEqual([MB, MB, MB]);
    expect([measured.speed(MB / 2), measured.speed('pause')]).toEqual([MB / 2, 0]);
    measured.add('full', 60 * 5 * MB, 60_000);
    expect([measured.speed(MB), measured.speed('full')]).toEqual([MB, 5 * MB]);
  });

  it('follows a line that became slower', () => {
    const measured = createMeasuredLine();
    for (let hour = 0; hour < 10; hour += 1) measured.add('full', 8 * MB * 3600, HOUR_MS);
    for (let hour = 0; hour < 10; hour += 1) measured.add('full', 2 * MB * 3600, HOUR_MS);
    expect(measured.speed('full')).toBeLessThan(2.1 * MB);
  });
});

it('learns how long a folder keeps its exports once five have disappeared, whatever one of them did', () => {
  expect(keptForMs([1, 2, 3, 4])).toBeUndefined();
  expect(keptForMs([HOUR_MS, 6 * DAY_MS, 7 * DAY_MS, 7 * DAY_MS, 8 * DAY_MS, 9 * DAY_MS])).toBe(6 * DAY_MS);
});

const incident = (id: string, more: Partial<WaitingIncident> = {}): WaitingIncident => ({
  id,
  waitingBytes: 2 * MB * 3600,
  heldBytes: 0,
  isMarked: false,
  isMoved: false,
  ...more,
});
const goneIn = (ms: number, lifeMs = 7 * DAY_MS) => ({ deadline: { atMs: NOW + ms, lifeMs } });
const ids = (leaving: readonly { readonly id: string }[]) => leaving.map(({ id }) => id);

describe('what will be gone before its turn', () => {
  it('is what waits behind too much, and not what has its turn a day before', () => {
    const waiting = [
      incident('new', goneIn(7 * DAY_MS)),
      incident('large', { waitingBytes: 2 * MB * 3600 * 60 }),
      incident('in time', goneIn(5 * DAY_MS)),
      incident('too late', goneIn(3 * DAY_MS)),
    ];
    const leaving = findLeaving(waiting, line([]), NOW);
    expect(ids(leaving)).toEqual(['too late']);
    expect(leaving[0]).toMatchObject({ goneAtMs: NOW + 3 * DAY_MS, isLate: false });
    expect(leaving[0]?.sentInTurnMs).toBeCloseTo(NOW + 63 * HOUR_MS, -1);
  });

  it('is told a whole day before, however long the queue was not looked at by then', () => {
    const looksApart = 5 * 60_000;
    const held = { heldBytes: 5, waitingBytes: 0 };
    const waiting = [
      incident('at the next look', { ...held, ...goneIn(DAY_MS + 3 * looksApart) }),
      incident('now', { ...held, ...goneIn(DAY_MS + looksApart) }),
    ];
    expect(ids(findLeaving(waiting, line([]), NOW))).toEqual(['now']);
  });

  it('cannot all be saved by going first, the sooner one before the later one', () => {
    const day = 2 * MB * 3600 * 24;
    const waiting = [
      incident('b', { waitingBytes: day, ...goneIn(1.5 * DAY_MS) }),
      incident('a', { waitingBytes: day, ...goneIn(1.1 * DAY_MS) }),
    ];
    const leaving = findLeaving(waiting, line([]), NOW);
    expect(leaving.map(({ id, isLate }) => [id, isLate])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it('is not sent in time where a person paused it, or moved others before it', () => {
    const held = incident('held', { heldBytes: 5, waitingBytes: 0, ...goneIn(20 * HOUR_MS) });
    expect(findLeaving([held], line([]), NOW)).toMatchObject([
      { id: 'held', isLate: true, sentInTurnMs: undefined },
    ]);
    const moved = incident('moved', { isMoved: true, waitingBytes: 2 * MB * 3600 * 48 });
    expect(findLeaving([moved, incident('a', goneIn(DAY_MS))], line([]), NOW)).toMatchObject([
      { isLate: true },
    ]);
  });

  it('stays so while its turn would come hardly sooner', () => {
    const waiting = (turnHours: number, isMarked: boolean) => [
      incident('large', { waitingBytes: 2 * MB * 3600 * (turnHours - 1) }),
      incident('a', { isMarked, ...goneIn(3 * DAY_MS) }),
    ];
    expect(ids(findLeaving(waiting(45, false), line([]), NOW))).toEqual([]);
    expect(ids(findLeaving(waiting(45, true), line([]), NOW))).toEqual(['a']);
    expect(ids(findLeaving(waiting(40, true), line([]), NOW))).toEqual([]);
  });

  it('is said a day ahead whatever the line carries, and two thirds of a life ahead that is shorter', () => {
    const speeds = fc.option(fc.integer({ min: 1, max: 1e9 }), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1e12 }), { maxLength: 20 }), speeds, (sizes, speed) => {
        const sentBy = speed === undefined ? () => undefined : line([], speed);
        const waiting = sizes.map((waitingBytes, index) =>
          incident(String(index), { waitingBytes, ...goneIn(DAY_MS) }),
        );
        expect(findLeaving(waiting, sentBy, NOW)).toHaveLength(sizes.length);
      }),
    );
    const unknown = () => undefined;
    const short = (ms: number) => findLeaving([incident('a', goneIn(ms, DAY_MS))], unknown, NOW).length;
    expect([short(17 * HOUR_MS), short(16 * HOUR_MS)]).toEqual([0, 1]);
  });
});
