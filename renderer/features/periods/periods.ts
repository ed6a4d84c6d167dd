import type { TFunction } from 'i18next';
import { getLocalTimeZone, parseDate, toZoned } from '@internationalized/date';
import type { Period, PeriodRange } from '../../../shared/domain/period.ts';
import type { ServiceId } from '../../../shared/domain/service-id.ts';
import type { TimeDisplay } from '../../format/times.ts';

/** How a period stands to a moment. */
export type Phase = 'now' | 'coming' | 'past' | 'undated';

/** A period of the list. */
export interface ListedPeriod {
  readonly period: Period;
  readonly phase: Phase;
}

/** A time of the service in milliseconds; NaN when it gave none, or none that can be read. */
export function timeOf(text: string | undefined): number {
  return text === undefined ? Number.NaN : Date.parse(text);
}

/** A period without an end goes on; one without any time is undated. */
export function phaseOf({ startAt, endAt }: Period, nowMs: number): Phase {
  const [startMs, endMs] = [timeOf(startAt), timeOf(endAt)];
  if (Number.isNaN(startMs) && Number.isNaN(endMs)) return 'undated';
  if (startMs > nowMs) return 'coming';
  return endMs <= nowMs ? 'past' : 'now';
}

const ranks: Readonly<Record<Phase, number>> = { now: 0, coming: 1, past: 2, undated: 3 };

/** What goes on stands first; then what comes, the next one first; then what was, the latest first. */
export function orderPeriods(periods: readonly Period[], nowMs: number): readonly ListedPeriod[] {
  return periods
    .map((period) => ({ period, phase: phaseOf(period, nowMs) }))
    .toSorted((one, other) => ranks[one.phase] - ranks[other.phase] || byStart(one, other));
}

function byStart(one: ListedPeriod, other: ListedPeriod): number {
  const sooner = startOf(one) - startOf(other);
  if (Number.isNaN(sooner)) return 0;
  return one.phase === 'coming' ? sooner : -sooner;
}

/** A period that tells only its end is placed by that. */
function startOf({ period }: ListedPeriod): number {
  const startMs = timeOf(period.startAt);
  return Number.isNaN(startMs) ? timeOf(period.endAt) : startMs;
}

/** Ids of the service as keys: 7 and "7" are two. */
export function idKey(id: ServiceId): string {
  return JSON.stringify(id);
}

/** What a period is called; by its id when the service gives no name. */
export function periodName({ name, id }: Pick<Period, 'id' | 'name'>, t: TFunction): string {
  return name === undefined || name.trim() === '' ? t('periods.unnamed', { id }) : name;
}

/** Name of the zone in which times are shown. */
export function zoneOf(display: TimeDisplay): string {
  return display === 'utc' ? 'UTC' : getLocalTimeZone();
}

/** From the first moment of the first day to the last one of the last day, in a zone; undefined when it is turned. */
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

/** Days begin at midnight, or when the clocks have gone over it at the first moment after. */
function dayStart(day: string, zone: string, daysLater = 0): Date {
  return toZoned(parseDate(day).add({ days: daysLater }), zone).toDate();
}
