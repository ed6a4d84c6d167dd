import {
  fromAbsolute,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
  type CalendarDateTime,
} from '@internationalized/date';
import type { Period } from '../../../shared/domain/period.ts';
import { timeOf } from './periods.ts';

/** A place on the line: 0 is its begin, 1 its end. */
interface Place {
  readonly atMs: number;
  readonly share: number;
}

/** What stands on the thin line above the actions. */
export interface TimeLine {
  readonly isOneDay: boolean;
  readonly ticks: readonly Place[];
  /** The period itself. */
  readonly from: number;
  readonly to: number;
  readonly markers: readonly Place[];
  /** Undefined when the moment lies elsewhere. */
  readonly now: Place | undefined;
}

const HOURS_PER_TICK = 3;
const MOST_TICKS = 8;
/** Longer periods are shown without a line: a marker could not be seen on it. */
const MOST_DAYS = 400;
const DAY_MS = 86_400_000;

/** A day from midnight or from noon when the period fits into one, else all its days; undefined without times. */
export function planTimeLine(period: Period, nowMs: number, zone: string): TimeLine | undefined {
  const [startMs, endMs] = [timeOf(period.startAt), timeOf(period.endAt)];
  if (Number.isNaN(startMs) || Number.isNaN(endMs) || endMs < startMs) return undefined;
  if (endMs - startMs > MOST_DAYS * DAY_MS) return undefined;
  const { first, days } = frameOf(startMs, endMs, zone);
  const msOf = (time: CalendarDateTime): number => toZoned(time, zone).toDate().getTime();
  const [lineStartMs, lineEndMs] = [msOf(first), msOf(first.add({ days }))];
  const place = (atMs: number): Place => ({
    atMs,
    share: (atMs - lineStartMs) / (lineEndMs - lineStartMs),
  });
  const isOn = ({ share }: Place): boolean => share >= 0 && share <= 1;
  const step = days === 1 ? { hours: HOURS_PER_TICK } : { days: Math.ceil(days / MOST_TICKS) };
  const tickCount = days === 1 ? 24 / HOURS_PER_TICK : Math.ceil(days / (step.days ?? 1));
  return {
    isOneDay: days === 1,
    ticks: Array.from({ length: tickCount }, (_, index) =>
      place(msOf(first.add({ days: (step.days ?? 0) * index, hours: (step.hours ?? 0) * index }))),
    ),
    from: place(startMs).share,
    to: place(endMs).share,
    markers: period.markers.map(({ at }) => place(timeOf(at))).filter(isOn),
    now: isOn(place(nowMs)) ? place(nowMs) : undefined,
  };
}

function frameOf(startMs: number, endMs: number, zone: string): { first: CalendarDateTime; days: number } {
  const start = fromAbsolute(startMs, zone);
  const midnight = toCalendarDateTime(toCalendarDate(start));
  const wholeDays = start.hour < 12 ? [midnight] : [midnight, midnight.add({ hours: 12 })];
  const oneDay = wholeDays.find(
    (first) =>
      toZoned(first.add({ days: 1 }), zone)
        .toDate()
        .getTime() >= endMs,
  );
  if (oneDay !== undefined) return { first: oneDay, days: 1 };
  const lastDay = toCalendarDate(fromAbsolute(endMs - 1, zone));
  return { first: midnight, days: lastDay.compare(toCalendarDate(start)) + 1 };
}

/** The marker that was passed last, by its place in the list. */
export function lastMarker({ markers }: Period, nowMs: number): number | undefined {
  const passed = markers
    .map(({ at }, index) => ({ atMs: timeOf(at), index }))
    .filter(({ atMs }) => atMs <= nowMs)
    .toSorted((one, other) => one.atMs - other.atMs);
  return passed.at(-1)?.index;
}
