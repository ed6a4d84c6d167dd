import {
  DAY_MINUTES,
  minutesOf,
  timeOf,
  weekdays,
  type ScheduleLimit,
  type ScheduleLine,
  type Weekday,
} from '../../../shared/domain/line-schedule.ts';

/** What a minute of the week allows; undefined: no line fits it. */
type Allowed = ScheduleLimit | undefined;
/** The limit of each minute, day after day from Monday on. */
export type Week = readonly (readonly Allowed[])[];

/** A part of the week: the same minutes of several days in a row. Ends are not included. */
export interface WeekArea {
  readonly days: readonly [first: number, end: number];
  readonly minutes: readonly [first: number, end: number];
}

/** The week as the lines of a schedule leave it: the last one that fits counts. */
export function weekOf(schedule: readonly ScheduleLine[]): Week {
  const week: Allowed[][] = weekdays.map(() => Array<Allowed>(DAY_MINUTES).fill(undefined));
  for (const { days, from, to, limit } of schedule) {
    const [start, end] = [minutesOf(from), minutesOf(to)];
    for (const day of days.map((name) => weekdays.indexOf(name))) {
      week[day]?.fill(limit, start, end > start ? end : DAY_MINUTES);
      if (end <= start) week[(day + 1) % weekdays.length]?.fill(limit, 0, end);
    }
  }
  return week;
}

/** The same week with another limit in an area; undefined takes the lines away there. */
export function paintWeek(week: Week, { days, minutes }: WeekArea, limit: Allowed): Week {
  return week.map((day, index) =>
    index < days[0] || index >= days[1] ? day : [...day].fill(limit, minutes[0], minutes[1]),
  );
}

/** The fewest lines by days that make this week, in the order of their times. */
export function linesOf(week: Week): ScheduleLine[] {
  const lines = new Map<string, ScheduleLine>();
  for (const [index, day] of week.entries()) {
    const name = weekdays[index];
    if (name === undefined) continue;
    for (const { start, end, limit } of runsOf(day)) {
      const key = `${timeOf(start)} ${timeOf(end)} ${limit}`;
      const days = [...(lines.get(key)?.days ?? []), name];
      lines.set(key, { days, from: timeOf(start), to: timeOf(end), limit });
    }
  }
  return [...lines].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line);
}

function runsOf(day: readonly Allowed[]) {
  const runs: { start: number; end: number; limit: ScheduleLimit }[] = [];
  for (const [minute, limit] of day.entries()) {
    const last = runs.at(-1);
    if (limit === undefined) continue;
    if (last?.end === minute && last.limit === limit) last.end = minute + 1;
    else runs.push({ start: minute, end: minute + 1, limit });
  }
  return runs;
}

/** A day of the week in a few letters, as the language writes it. */
export function dayName(day: Weekday, locale: string): string {
  // The first of January 2024 was a Monday
  const date = Date.UTC(2024, 0, 1 + weekdays.indexOf(day));
  return new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }).format(date);
}
