import { visibleName } from '../../shared/lib/visible-name.ts';

/** How times are shown: in UTC as evidence needs it, or in the zone of this desk. */
export type TimeDisplay = 'utc' | 'local';

/** Times read from left to right in every language; where text does not, they are written as in English. */
const writtenIn = (language: string): string => (/^(ar|fa|he|ur)(-|$)/.test(language) ? 'en-GB' : language);

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format is slow; there are few different ones. */
function formatFor(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(writtenIn(language), options);
  formats.set(key, format);
  return format;
}

const zone = (display: TimeDisplay): Intl.DateTimeFormatOptions =>
  display === 'utc' ? { timeZone: 'UTC' } : {};

/** Date and time of an ISO 8601 text; what is no date is shown as it came. */
export function formatTime(text: string | undefined, display: TimeDisplay, language: string): string {
  if (text === undefined) return '';
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return visibleName(text);
  return formatFor(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hourCycle: 'h23',
    ...zone(display),
  }).format(timeMs);
}

/** Day and time without the year, for lists: the year stands beside it where it is another one. */
export function formatShortTime(text: string, nowMs: number, display: TimeDisplay, language: string): string {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return visibleName(text);
  const isThisYear = new Date(timeMs).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  return formatFor(language, {
    ...(isThisYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...zone(display),
  }).format(timeMs);
}

/** The hour alone, "17:41:09". */
export function formatClock(timeMs: number, display: TimeDisplay, language: string): string {
  return formatFor(language, { timeStyle: 'medium', hourCycle: 'h23', ...zone(display) }).format(timeMs);
}

/** Name of the zone with its offset at that time, "UTC" or "GMT+1": doubled hours are told apart by it. */
export function zoneName(timeMs: number, display: TimeDisplay, language: string): string {
  if (display === 'utc') return 'UTC';
  const parts = formatFor(language, { hour: 'numeric', timeZoneName: 'shortOffset' }).formatToParts(timeMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}
