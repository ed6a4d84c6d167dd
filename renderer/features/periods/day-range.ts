import { getLocalTimeZone, parseDate, toZoned } from '@internationalized/date';
import type { PeriodRange } from '../../../shared/domain/period.ts';
import type { TimeDisplay } from '../../format/times.ts';

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
