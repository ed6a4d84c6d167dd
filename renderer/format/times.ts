import { visibleName } from '../../shared/lib/visible-name.ts';

/** How times are shown: in UTC as evidence needs it, or in the zone of this desk. */
export type TimeDisplay = 'utc' | 'local';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format is slow; there are few different ones. */
function formatFor(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

const hour = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

const zone = (display: TimeDisplay): Intl.DateTimeFormatOptions =>
  display === 'utc' ? { timeZone: 'UTC' } : {};

/** Date and time of an ISO 8601 text; what is no date is shown as it came. */
export function formatTime(text: string | undefined, display: TimeDisplay, locale: string): string {
  if (text === undefined) return '';
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return visibleName(text);
  return formatFor(locale, {
    // The month by its name: 4/5 is two days
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...hour,
    ...zone(display),
  }).format(timeMs);
}

/** Day and time without the year, for lists: the year stands beside it where it is another one. */
export function formatShortTime(text: string, nowMs: number, display: TimeDisplay, locale: string): string {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return visibleName(text);
  const isThisYear = new Date(timeMs).getUTCFullYear() === new Date(nowMs).getUTCFullYear();
  return formatFor(locale, {
    ...(isThisYear ? {} : { year: 'numeric' }),
    month: 'short',
    day: '2-digit',
    ...hour,
    ...zone(display),
  }).format(timeMs);
}

/** The hour alone, "17:41:09". */
export function formatClock(timeMs: number, display: TimeDisplay, locale: string): string {
  return formatFor(locale, { timeStyle: 'medium', hourCycle: 'h23', ...zone(display) }).format(timeMs);
}

/** Names of systems for UTC itself. */
const universal: ReadonlySet<string> = new Set([
  'UTC',
  'Etc/UTC',
  'Etc/UCT',
  'Etc/Zulu',
  'Universal',
  'Zulu',
]);

/** Name of the zone with its offset at that time, "UTC" or "GMT+1": doubled hours are told apart by it. */
export function zoneName(timeMs: number, display: TimeDisplay, locale: string): string {
  if (display === 'utc' || universal.has(formatFor(locale, {}).resolvedOptions().timeZone)) return 'UTC';
  const parts = formatFor(locale, { hour: 'numeric', timeZoneName: 'shortOffset' }).formatToParts(timeMs);
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** A time within a clip as players show it: "0:03", "12:40", "1:02:03". */
export function formatClipMoment(atMs: number): string {
  const seconds = Math.floor(Math.max(0, atMs) / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}
