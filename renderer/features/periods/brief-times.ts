import type { Period } from '../../../shared/domain/period.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatClock, zoneName, type TimeDisplay } from '../../format/times.ts';
import { timeOf } from './periods.ts';

/** Characters of hours and minutes in "17:41:09". */
const HOUR_AND_MINUTE = 5;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format is slow; there are few different ones. */
function dayFormat(display: TimeDisplay, locale: string, hasYear: boolean): Intl.DateTimeFormat {
  const key = `${display} ${locale} ${hasYear}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      day: 'numeric',
      month: 'short',
      ...(hasYear ? { year: 'numeric' } : {}),
      ...(display === 'utc' ? { timeZone: 'UTC' } : {}),
    });
  formats.set(key, format);
  return format;
}

/** Hours and minutes, "17:41". */
export function formatHour(timeMs: number, display: TimeDisplay, locale: string): string {
  return formatClock(timeMs, display, locale).slice(0, HOUR_AND_MINUTE);
}

/** The day, with its year when that is another one than now: "21 Nov". */
export function formatDay(timeMs: number, nowMs: number, display: TimeDisplay, locale: string): string {
  const isThisYear = new Date(timeMs).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  return dayFormat(display, locale, !isThisYear).format(timeMs);
}

/** When a period is, to the minute, its day given once: "21 Nov 10:15 – 15:15 UTC". Empty without any time. */
export function formatSpan(
  { startAt, endAt }: Period,
  nowMs: number,
  display: TimeDisplay,
  locale: string,
): string {
  if (startAt === undefined && endAt === undefined) return '';
  const day = (text: string | undefined): string =>
    Number.isNaN(timeOf(text)) ? '' : formatDay(timeOf(text), nowMs, display, locale);
  const show = (text: string | undefined, shownDay: string): string =>
    Number.isNaN(timeOf(text))
      ? visibleName(text ?? '')
      : `${shownDay} ${formatHour(timeOf(text), display, locale)}`.trim();
  const end = show(endAt, day(endAt) === day(startAt) ? '' : day(endAt));
  const zoned = [startAt, endAt].find((text) => !Number.isNaN(timeOf(text)));
  const zone = zoned === undefined ? '' : ` ${zoneName(timeOf(zoned), display, locale)}`;
  return `${show(startAt, day(startAt))} – ${end}`.trim() + zone;
}
