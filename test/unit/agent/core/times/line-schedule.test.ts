import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitAt } from '../../../../../electron/agent/core/times/line-schedule.ts';
import { timeOf, weekdays, type ScheduleLine } from '../../../../../shared/domain/line-schedule.ts';
import { mostlyLong } from '../../../../helpers/long.ts';

const MINUTE_MS = 60_000;
const MB = 1_000_000;

/** Zones with the local dates of the nights in which their clocks go forward and back. */
const nights = [
  ['Europe/London', '2026-03-29', '2026-10-25'],
  // At midnight: the first hour of the day is missing, or the last one comes twice
  ['America/Santiago', '2026-09-06', '2026-04-05'],
  ['Asia/Beirut', '2026-03-29', '2026-10-25'],
  ['America/New_York', '2026-03-08', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['Pacific/Auckland', '2026-09-27', '2026-04-05'],
] as const;
const eachNight = nights.flatMap(([zone, ...both]) => both.map((night) => [zone, night] as const));
/** Both nights of the first two zones. */
const IN_EVERY_RUN = 4;

interface Shown {
  readonly ms: number;
  readonly date: string;
  readonly weekday: string;
  /** Local time, such as `2026-03-29T01:30`. */
  readonly clock: string;
}

/**
 * The local time of a zone, minute by minute, over the days around a night; computed by nothing that the product uses.
 */
function clocksAround(timeZone: string, night: string): readonly Shown[] {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const startMs = Date.parse(`${night}T00:00Z`) - 60 * 60 * MINUTE_MS;
  return Array.from({ length: 5 * 24 * 60 }, (_, minute) => {
    const ms = startMs + minute * MINUTE_MS;
    const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const date = `${part['year']}-${part['month']}-${part['day']}`;
    const weekday = String(part['weekday']).toLowerCase();
    return { ms, date, weekday, clock: `${date}T${part['hour']}:${part['minute']}` };
  });
}

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00Z`) + 24 * 60 * MINUTE_MS).toISOString().slice(0, 10);

/** The first minute in which the clocks show this time or, if they jumped past it, a later one. */
const reached = (clocks: readonly Shown[], clock: string): number =>
  clocks.find((each) => each.clock >= clock)?.ms ?? Number.POSITIVE_INFINITY;

/** The runs of one line, found by reading the clocks. */
function runsSeen(clocks: readonly Shown[], { days, from, to }: ScheduleLine): readonly [number, number][] {
  const firsts = clocks.filter(({ date }, at) => clocks[at - 1]?.date !== date).slice(1);
  return firsts
    .filter(({ weekday }) => days.some((day) => day === weekday))
    .map(({ date }) => {
      const endDate = to === '24:00' || to <= from ? dayAfter(date) : date;
      const end = to === '24:00' ? '00:00' : to;
      return [reached(clocks, `${date}T${from}`), reached(clocks, `${endDate}T${end}`)];
    });
}

const minute = fc.integer({ min: 0, max: 24 * 60 - 1 });
const line: fc.Arbitrary<ScheduleLine> = fc
  .record({
    days: fc.subarray([...weekdays], { minLength: 1 }),
    from: minute.map(timeOf),
    to: fc.integer({ min: 0, max: 24 * 60 }).map(timeOf),
    limit: fc.constantFrom<ScheduleLine['limit']>('pause', 'full', MB, 2 * MB),
  })
  .filter(({ from, to }) => from !== to);

describe('the limit of a schedule', () => {
  mostlyLong(eachNight, IN_EVERY_RUN, (some) =>
    it.each(some)(
      'runs without a break through a night in which the clocks change: %s, %s',
      (zone, night) => {
        const clocks = clocksAround(zone, night);
        // The days in the middle: runs that began before the first day are not seen
        const asked = clocks.slice(2 * 24 * 60, 4 * 24 * 60);
        fc.assert(
          fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), fc.nat(), (schedule, seed) => {
            const runs = schedule.map((each) => runsSeen(clocks, each));
            for (let step = 0; step < 24; step += 1) {
              const { ms } = asked[(seed + step * 97) % asked.length] ?? { ms: 0 };
              const fits = schedule.filter((_, at) =>
                runs[at]?.some(([start, end]) => start <= ms && ms < end),
              );
              expect(limitAt(schedule, ms, zone).limit, new Date(ms).toISOString()).toBe(fits.at(-1)?.limit);
            }
          }),
          { numRuns: 12, seed: 18 },
        );
      },
    ),
  );

  mostlyLong(eachNight, IN_EVERY_RUN, (some) =>
    it.each(some)(
      'holds until the instant that it names, and says the next one then: %s, %s',
      (zone, night) => {
        const schedule: readonly ScheduleLine[] = [
          { days: [...weekdays], from: '01:30', to: '05:00', limit: MB },
          { days: [...weekdays], from: '22:15', to: '02:30', limit: 'pause' },
        ];
        const endMs = Date.parse(`${night}T00:00Z`) + 48 * 60 * MINUTE_MS;
        let ms = Date.parse(`${night}T00:00Z`) - 24 * 60 * MINUTE_MS;
        for (let edges = 0; ms < endMs; edges += 1) {
          expect(edges).toBeLessThan(20);
          const { limit, untilMs = Number.NaN } = limitAt(schedule, ms, zone);
          expect(untilMs).toBeGreaterThan(ms);
          expect(limitAt(schedule, untilMs - 1, zone)).toEqual({ limit, untilMs });
          ms = untilMs;
        }
      },
    ),
  );

  it('is that of the last line that fits, and none where no line does', () => {
    const schedule: readonly ScheduleLine[] = [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '07:00', to: '19:00', limit: 2 * MB },
      { days: ['wed'], from: '12:00', to: '13:00', limit: 'full' },
    ];
    const at = (time: string) => limitAt(schedule, Date.parse(time), 'UTC');
    expect(at('2026-05-06T11:59:59.999Z').limit).toBe(2 * MB);
    expect(at('2026-05-06T12:30:00Z').limit).toBe('full');
    expect(at('2026-05-06T13:00:00Z').limit).toBe(2 * MB);
    expect(at('2026-05-06T19:00:00Z').limit).toBeUndefined();
    // Friday evening to Monday morning
    expect(at('2026-05-08T19:00:00Z')).toEqual({
      limit: undefined,
      untilMs: Date.parse('2026-05-11T07:00:00Z'),
    });
    expect(limitAt([], 0, 'UTC')).toEqual({ limit: undefined, untilMs: undefined });
  });

  it('goes on over midnight, on the days on which it begins', () => {
    const night: readonly ScheduleLine[] = [{ days: ['sat'], from: '22:00', to: '06:00', limit: 'pause' }];
    const at = (time: string) => limitAt(night, Date.parse(time), 'Europe/London').limit;
    expect(at('2026-05-09T20:59:00Z')).toBeUndefined();
    expect(at('2026-05-09T21:00:00Z')).toBe('pause');
    expect(at('2026-05-10T04:59:59Z')).toBe('pause');
    expect(at('2026-05-10T05:00:00Z')).toBeUndefined();
  });
});
