import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf, paintWeek, weekOf } from '../../../../../renderer/features/settings/week-grid.tsx';
import {
  scheduleSchema,
  timeOf,
  weekdays,
  type ScheduleLine,
} from '../../../../../shared/domain/line-schedule.ts';

const line: fc.Arbitrary<ScheduleLine> = fc
  .record({
    days: fc.subarray([...weekdays], { minLength: 1 }),
    from: fc.integer({ min: 0, max: 1439 }).map(timeOf),
    to: fc.integer({ min: 0, max: 1440 }).map(timeOf),
    limit: fc.constantFrom<ScheduleLine['limit']>('pause', 'full', 2_000_000),
  })
  .filter(({ from, to }) => from !== to);

describe('a week that is painted', () => {
  it('becomes lines that make the same week, and that the settings take', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (schedule) => {
        const week = weekOf(schedule);
        const lines = linesOf(week);
        expect(weekOf(lines)).toEqual(week);
        expect(scheduleSchema.safeParse(lines.slice(0, 64)).success).toBe(true);
      }),
      { numRuns: 30, seed: 18 },
    );
  });

  it('joins days that are alike to one line, and takes lines away where nothing is painted', () => {
    const empty = weekOf([]);
    const office = paintWeek(empty, { days: [0, 5], minutes: [7 * 60, 19 * 60] }, 2_000_000);
    expect(linesOf(office)).toEqual([
      { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00', limit: 2_000_000 },
    ]);
    const lunch = paintWeek(office, { days: [2, 3], minutes: [12 * 60, 13 * 60] }, undefined);
    expect(linesOf(lunch)).toEqual([
      { days: ['wed'], from: '07:00', to: '12:00', limit: 2_000_000 },
      { days: ['mon', 'tue', 'thu', 'fri'], from: '07:00', to: '19:00', limit: 2_000_000 },
      { days: ['wed'], from: '13:00', to: '19:00', limit: 2_000_000 },
    ]);
    expect(linesOf(paintWeek(lunch, { days: [0, 7], minutes: [0, 1440] }, undefined))).toEqual([]);
  });

  it('shows a line that goes on over midnight on the day after, from Sunday on Monday', () => {
    const week = weekOf([{ days: ['sun'], from: '22:00', to: '06:00', limit: 'pause' }]);
    expect([week[6]?.[22 * 60 - 1], week[6]?.[22 * 60], week[0]?.[0], week[0]?.[6 * 60]]).toEqual([
      undefined,
      'pause',
      'pause',
      undefined,
    ]);
  });
});
