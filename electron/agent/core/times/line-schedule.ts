import {
  type CalendarDate,
  fromAbsolute,
  getDayOfWeek,
  Time,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
} from '@internationalized/date';
import {
  DAY_MINUTES,
  minutesOf,
  weekdays,
  type ScheduleLimit,
  type ScheduleLine,
} from '../../../../shared/domain/line-schedule.ts';

/** What the schedule says of an instant: the last line that fits, and until when. */
export interface ScheduledLimit {
  /** Undefined: no line fits, so the usual limit counts. */
  readonly limit: ScheduleLimit | undefined;
  /** When something begins or ends next, milliseconds since 1970; undefined: never. */
  readonly untilMs: number | undefined;
}

/** Days ahead in which every line begins or ends once. */
const AHEAD_DAYS = 8;

/**
 * The limit of the schedule at an instant. A line runs without a break from the first instant at which the clocks of the
 * zone show its beginning, or have gone past it, to the first at which they show its end: so an hour that the clocks
 * show twice or skip neither stops it in the middle nor begins it twice. `timeZone` must be a known zone.
 */
export function limitAt(schedule: readonly ScheduleLine[], nowMs: number, timeZone: string): ScheduledLimit {
  const [first = { limit: undefined, untilMs: undefined }] = limitsFrom(schedule, nowMs, timeZone);
  return first;
}

/** As `limitAt`, and what follows, one after the other, for at least a week. */
export function* limitsFrom(
  schedule: readonly ScheduleLine[],
  nowMs: number,
  timeZone: string,
): Generator<ScheduledLimit> {
  const today = toCalendarDate(fromAbsolute(nowMs, timeZone));
  const runs = schedule.flatMap((line) =>
    [...runsOf(line, today, timeZone)].map((edges) => ({ limit: line.limit, edges })),
  );
  const ahead = new Set(runs.flatMap(({ edges }) => edges).filter((edgeMs) => edgeMs > nowMs));
  let fromMs = nowMs;
  for (const untilMs of [...[...ahead].toSorted((a, b) => a - b), undefined]) {
    const run = runs.findLast(({ edges: [startMs, endMs] }) => startMs <= fromMs && fromMs < endMs);
    yield { limit: run?.limit, untilMs };
    fromMs = untilMs ?? fromMs;
  }
}

/** From when to when the line holds: what began the day before may still, and the next one is ahead. */
function* runsOf(
  { days, from, to }: ScheduleLine,
  today: CalendarDate,
  timeZone: string,
): Generator<readonly [number, number]> {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  for (let ahead = -1; ahead <= AHEAD_DAYS; ahead += 1) {
    const day = today.add({ days: ahead });
    const name = weekdays[getDayOfWeek(day, 'en-US', 'mon')];
    if (name === undefined || !days.includes(name)) continue;
    const startMs = firstAt(day, start, timeZone);
    const endMs = firstAt(day, end > start ? end : end + DAY_MINUTES, timeZone);
    // A day that a zone skips, as when it crosses the date line, has none
    if (startMs < endMs) yield [startMs, endMs];
  }
}

/** The first instant at which the clocks show so many minutes of this day, or a later time; milliseconds since 1970. */
function firstAt(day: CalendarDate, minutes: number, timeZone: string): number {
  const date = day.add({ days: Math.floor(minutes / DAY_MINUTES) });
  const rest = minutes % DAY_MINUTES;
  const wall = toCalendarDateTime(date, new Time(Math.floor(rest / 60), rest % 60));
  const earlierMs = toZoned(wall, timeZone, 'earlier').toDate().getTime();
  const shown = toCalendarDateTime(fromAbsolute(earlierMs, timeZone));
  if (shown.compare(wall) === 0) return earlierMs;
  // The clocks were put past it: `earlier` has the offset from after that, `later` the one from before
  let before = earlierMs;
  let after = toZoned(wall, timeZone, 'later').toDate().getTime();
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toCalendarDateTime(fromAbsolute(middle, timeZone)).compare(wall) < 0) before = middle;
    else after = middle;
  }
  return after;
}
