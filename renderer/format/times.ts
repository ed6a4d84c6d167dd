/** How times are shown: in UTC as evidence needs it, or in the zone of this desk. */
export type TimeDisplay = 'utc' | 'local';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format is slow; there are few different ones. */
function formatFor(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${language} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format;
}

const zone = (display: TimeDisplay): Intl.DateTimeFormatOptions =>
  display === 'utc' ? { timeZone: 'UTC' } : {};

/** Date and time of an ISO 8601 text; what is no date is shown as it came. */
export function formatTime(text: string | undefined, display: TimeDisplay, language: string): string {
  if (text === undefined) return '';
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return text;
  return formatFor(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
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
