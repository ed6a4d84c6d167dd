import type { FormatterModule } from 'i18next';
import { directionOf } from '../../shared/words/languages.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';

/** How times are shown: in UTC, as evidence needs it, or in the local time zone. */
export type TimeDisplay = 'utc' | 'local';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Caches formats: creating one is slow, and there are only a few different ones. */
function formatFor(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

const hour = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;

const zone = (display: TimeDisplay): Intl.DateTimeFormatOptions =>
  display === 'utc' ? { timeZone: 'UTC' } : {};

/** Date and time of an ISO 8601 text; a text that is not a date is shown as it is. */
export function formatTime(text: string | undefined, display: TimeDisplay, locale: string): string {
  if (text === undefined) return '';
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return visibleName(text);
  return formatFor(locale, {
    // The month as a word: 4/5 is ambiguous
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...hour,
    ...zone(display),
  }).format(timeMs);
}

/** Whether two moments fall in the same year, in the time zone they are shown in. */
export function isSameYear(oneMs: number, otherMs: number, display: TimeDisplay): boolean {
  const yearOf = (timeMs: number): number =>
    display === 'utc' ? new Date(timeMs).getUTCFullYear() : new Date(timeMs).getFullYear();
  return yearOf(oneMs) === yearOf(otherMs);
}

/** Month, day and time, for lists; with the year if it is not the current one. */
export function formatShortTime(text: string, nowMs: number, display: TimeDisplay, locale: string): string {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return visibleName(text);
  return formatFor(locale, {
    ...(isSameYear(timeMs, nowMs, display) ? {} : { year: 'numeric' }),
    month: 'short',
    day: '2-digit',
    ...hour,
    ...zone(display),
  }).format(timeMs);
}

/** The time of day alone, "17:41:09". */
export function formatClock(timeMs: number, display: TimeDisplay, locale: string): string {
  return formatFor(locale, { timeStyle: 'medium', hourCycle: 'h23', ...zone(display) }).format(timeMs);
}

/** A moment of the last 24 hours as "17:41", an earlier one as "Nov 21, 17:41". */
export function formatMinute(text: string, nowMs: number, display: TimeDisplay, locale: string): string {
  const timeMs = Date.parse(text);
  if (Number.isNaN(timeMs)) return visibleName(text);
  const isOld = nowMs - timeMs > 86_400_000;
  return formatFor(locale, {
    ...(isOld ? { month: 'short', day: 'numeric' } : {}),
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...zone(display),
  }).format(timeMs);
}

/** Names that systems use for UTC itself. */
const universal: ReadonlySet<string> = new Set([
  'UTC',
  'Etc/UTC',
  'Etc/UCT',
  'Etc/Zulu',
  'Universal',
  'Zulu',
]);

const zoneNames = new Map<string, string>();

/** The zone with its offset at that time, "UTC" or "GMT−5": this tells repeated hours apart when clocks go back. */
export function zoneName(timeMs: number, display: TimeDisplay, locale: string): string {
  if (display === 'utc') return 'UTC';
  // Asking the system takes as long as everything else that a row of a list needs
  const key = `${locale} ${new Date(timeMs).getTimezoneOffset()}`;
  const name = zoneNames.get(key) ?? readZoneName(timeMs, locale);
  zoneNames.set(key, name);
  return name;
}

function readZoneName(timeMs: number, locale: string): string {
  if (universal.has(formatFor(locale, {}).resolvedOptions().timeZone)) return 'UTC';
  const parts = formatFor(locale, { hour: 'numeric', timeZoneName: 'shortOffset' }).formatToParts(timeMs);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  // A line never breaks after a minus sign, as it can after a hyphen
  return name.replace('-', '−');
}

/** A time within a clip as players show it: "0:03", "12:40", "1:02:03". */
export function formatClipMoment(atMs: number): string {
  const seconds = Math.floor(Math.max(0, atMs) / 1000);
  const pad = (value: number): string => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

/** When no English-speaking region is known: the day comes before the month, which is a word. */
const ENGLISH = 'en-GB';
/** Regions of the pseudo-languages used for testing. */
const madeUp = new Set(['XA', 'XB']);

/**
 * Makes the function that returns the locale for dates and numbers on a page in some language, for someone whose system
 * is set to `systemLanguages`, in order of preference: the region is theirs ("en-IE"), not the one implied by a bare
 * "en". Right-to-left languages use the English locale, so that dates and numbers read from left to right.
 */
export function createLocaleOf(systemLanguages: readonly string[]): (language: string) => string {
  const answers = new Map<string, string>();
  return (language) => {
    const answer = answers.get(language) ?? formatLocale(language, systemLanguages);
    answers.set(language, answer);
    return answer;
  };
}

function formatLocale(language: string, systemLanguages: readonly string[]): string {
  if (directionOf(language) === 'rtl') return ENGLISH;
  const own = localeOf(language);
  if (own === undefined) return ENGLISH;
  if (own.region !== undefined && !madeUp.has(own.region)) return inOurCalendar(language);
  const system = systemLanguages.map(localeOf).filter((locale) => locale?.region !== undefined);
  const same = system.find((locale) => locale?.language === own.language);
  if (same !== undefined) return inOurCalendar(same.baseName);
  const region = system[0]?.region;
  const there = region === undefined ? own.language : `${own.language}-${region}`;
  return inOurCalendar(there);
}

/** Evidence uses one calendar and one set of digits everywhere; a bare "en" counts as British English. */
function inOurCalendar(tag: string): string {
  const { locale, calendar, numberingSystem } = new Intl.DateTimeFormat(tag).resolvedOptions();
  if (locale === 'en') return ENGLISH;
  const isOurs = calendar === 'gregory' && numberingSystem === 'latn';
  const ours = { calendar: 'gregory', numberingSystem: 'latn' };
  return isOurs ? locale : new Intl.Locale(locale, ours).toString();
}

function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}

const numberFormats = new Map<string, Intl.NumberFormat>();

function numberFormatFor(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  const format = numberFormats.get(key) ?? new Intl.NumberFormat(locale, options);
  numberFormats.set(key, format);
  return format;
}

/** A whole number with the locale's separators. */
export function formatCount(value: number, locale: string): string {
  return numberFormatFor(locale, { maximumFractionDigits: 0 }).format(value);
}

/** A share of a whole, 0 to 1, as a percentage; 100 % only when nothing is left. */
export function formatShare(share: number, locale: string): string {
  const shown = share < 1 ? Math.min(Math.floor(share * 100), 99) / 100 : 1;
  return numberFormatFor(locale, { style: 'percent', maximumFractionDigits: 0 }).format(shown);
}

/** Formats the numbers in texts: counts get separators; years, sizes and the like are inserted as they are. */
export function countFormatter(localeOf: (language: string) => string): FormatterModule {
  return {
    type: 'formatter',
    init: () => undefined,
    add: () => undefined,
    addCached: () => undefined,
    format(value: unknown, _format, language = 'en', options = {}) {
      if (typeof value !== 'number') return typeof value === 'string' ? value : '';
      return options['interpolationkey'] === 'count' ? formatCount(value, localeOf(language)) : String(value);
    },
  };
}
