import {
  fromAbsolute,
  getLocalTimeZone,
  parseDate,
  toCalendarDate,
  toCalendarDateTime,
  toZoned,
  type CalendarDateTime,
} from '@internationalized/date';
import type { TFunction } from 'i18next';
import { z } from 'zod';
import type { Period, PeriodRange } from '../../../shared/domain/action.ts';
import { type ServiceId, serviceIdSchema } from '../../../shared/domain/ids.ts';
import type { TimeDisplay } from '../../format/format.ts';

/** The relation of a period to a moment. */
export type Phase = 'now' | 'coming' | 'past' | 'undated';

/** A period of the list. */
export interface ListedPeriod {
  readonly period: Period;
  readonly phase: Phase;
}

/** A time of the service in milliseconds; NaN if it is missing or unreadable. */
export function timeOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Date.parse(text);
}

/** A period without an end is ongoing; one without any time is undated. */
export function phaseOf({ startAt, endAt }: Period, nowMs: number): Phase {
  const [startMs, endMs] = [timeOf(startAt), timeOf(endAt)];
  if (Number.isNaN(startMs) && Number.isNaN(endMs)) return 'undated';
  if (startMs > nowMs) return 'coming';
  return endMs <= nowMs ? 'past' : 'now';
}

const ranks: Readonly<Record<Phase, number>> = { now: 0, coming: 1, past: 2, undated: 3 };

/** Current periods first; then coming ones, soonest first; then past ones, latest first; undated ones last. */
export function orderPeriods(periods: readonly Period[], nowMs: number): readonly ListedPeriod[] {
  return periods
    .map((period) => ({ period, phase: phaseOf(period, nowMs) }))
    .toSorted((one, other) => ranks[one.phase] - ranks[other.phase] || byStart(one, other));
}

function byStart(one: ListedPeriod, other: ListedPeriod): number {
  const byStart = startOf(one) - startOf(other);
  if (Number.isNaN(byStart)) return 0;
  return one.phase === 'coming' ? byStart : -byStart;
}

/** The start of a period for sorting; its end if it has no start. */
function startOf({ period }: ListedPeriod): number {
  const startMs = timeOf(period.startAt);
  return Number.isNaN(startMs) ? timeOf(period.endAt) : startMs;
}

/** An ID of the service as a key: 7 and "7" are different. */
export function idKey(id: ServiceId): string {
  return JSON.stringify(id);
}

/** The name of a period, or its ID if the service gives no name. */
export function periodName({ name, id }: Pick<Period, 'id' | 'name'>, t: TFunction): string {
  return name === undefined || name.trim() === '' ? t('periods.unnamed', { id }) : name;
}

/** Name of the zone in which times are shown. */
export function zoneOf(display: TimeDisplay): string {
  return display === 'utc' ? 'UTC' : getLocalTimeZone();
}

/** From the start of the first day to the end of the last, in a zone; undefined when the days are reversed. */
export function rangeOfDays(
  from: string | undefined,
  to: string | undefined,
  zone: string,
): PeriodRange | undefined {
  if (from !== undefined && to !== undefined && to < from) return undefined;
  return {
    ...(from === undefined ? {} : { startAt: dayStart(from, zone).toISOString() }),
    ...(to === undefined ? {} : { endAt: new Date(dayStart(to, zone, 1).getTime() - 1).toISOString() }),
  };
}

/** The start of a day: midnight, or the first moment after it if the clocks skip midnight. */
function dayStart(day: string, zone: string, daysLater = 0): Date {
  return toZoned(parseDate(day).add({ days: daysLater }), zone).toDate();
}

/** A position on the line, from 0 (start) to 1 (end). */
interface Place {
  readonly atMs: number;
  readonly share: number;
}

/** The contents of the time line above the actions. */
export interface TimeSpans {
  readonly isOneDay: boolean;
  readonly ticks: readonly Place[];
  /** The start and end of the period on the line. */
  readonly from: number;
  readonly to: number;
  readonly markers: readonly Place[];
  /** Undefined when the current time is not on the line. */
  readonly now: Place | undefined;
}

const HOURS_PER_TICK = 3;

const MOST_TICKS = 8;

/** Longest period shown as a line, days: on a longer one, markers could not be told apart. */
const MOST_DAYS = 400;

const DAY_MS = 86_400_000;

/** The time line: one day from midnight or noon if the period fits, otherwise all its days; undefined without times. */
export function planTimeLine(period: Period, nowMs: number, zone: string): TimeSpans | undefined {
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

/** The index of the marker passed last. */
export function lastMarker({ markers }: Period, nowMs: number): number | undefined {
  const passed = markers
    .map(({ at }, index) => ({ atMs: timeOf(at), index }))
    .filter(({ atMs }) => atMs <= nowMs)
    .toSorted((one, other) => one.atMs - other.atMs);
  return passed.at(-1)?.index;
}

/** Most form fields per request, and the longest name of one in characters: the limits of the call `actions.list`. */
export const MAX_FIELDS = 50;
export const MAX_FIELD_NAME = 200;

/** Text that the address may contain: typed by the user, or a word of the service. */
const words = z.string().max(MAX_FIELD_NAME);

/** The screen's search parameters. */
export const periodsSearchSchema = z.object({
  /** First and last day of the range, "2026-11-20", in the zone in which times are shown. */
  from: z.iso.date().optional().catch(undefined),
  to: z.iso.date().optional().catch(undefined),
  period: serviceIdSchema.optional().catch(undefined),
  /** Classification and status by their keys (`keyOf`); all if undefined. */
  kind: words.optional().catch(undefined),
  status: words.optional().catch(undefined),
  ai: z.boolean().catch(false),
  search: words.catch(''),
  fields: z.array(words.min(1)).max(MAX_FIELDS).catch([]),
  sort: z.string().max(300).catch('createdAt'),
  order: z.enum(['ascending', 'descending']).catch('descending'),
  action: serviceIdSchema.optional().catch(undefined),
});
/** See `periodsSearchSchema`. */
export type PeriodsSearch = z.infer<typeof periodsSearchSchema>;
/** Changes the search parameters. */
export type ChangePeriodsSearch = (change: Partial<z.input<typeof periodsSearchSchema>>) => void;
