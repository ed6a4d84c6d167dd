import { directionOf } from '../../shared/words/languages.ts';

/** Where nobody says which English is read: the day stands before the month, whose name is written. */
const ENGLISH = 'en-GB';
/** Regions of the languages for testing. */
const madeUp = new Set(['XA', 'XB']);

/**
 * How dates and numbers are written on a page in some language, for someone whose system is set to `systemLanguages`,
 * the most wanted first: the region is theirs ("en-IE"), not the one that a bare "en" stands for. Where text runs from
 * right to left they are written as in English, so that they read from left to right.
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

/** Evidence has one calendar and one kind of digits everywhere; a region that nobody wrote down counts as none. */
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
