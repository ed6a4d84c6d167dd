import { describe, expect, it, vi } from 'vitest';
import {
  formatShare,
  formatClipMoment,
  formatShortTime,
  formatTime,
  isSameYear,
  zoneName,
  createLocaleOf,
} from '../../../../renderer/format/format.ts';

const AT = '2026-05-01T19:30:05.000Z';
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

describe('a time', () => {
  it('has date, hour and seconds in UTC', () => {
    expect(formatTime(AT, 'utc', 'en-GB')).toBe('1 May 2026, 19:30:05');
    expect(zoneName(Date.parse(AT), 'utc', 'en-GB')).toBe('UTC');
  });

  it('that is none is shown as it came', () => {
    expect(formatTime('yesterday', 'utc', 'en')).toBe('yesterday');
    expect(formatShortTime('yesterday', NOW_MS, 'utc', 'en')).toBe('yesterday');
    expect(formatTime(undefined, 'utc', 'en')).toBe('');
  });

  it('is of the year of the zone in which it is shown', () => {
    const eve = Date.parse('2026-01-01T00:30:00Z');
    // A desk that is five hours behind UTC
    const local = vi.spyOn(Date.prototype, 'getFullYear').mockImplementation(function (this: Date) {
      return new Date(this.getTime() - 5 * 3_600_000).getUTCFullYear();
    });
    expect(isSameYear(eve, NOW_MS, 'local')).toBe(false);
    local.mockRestore();
    expect(isSameYear(eve, NOW_MS, 'utc')).toBe(true);
    expect(isSameYear(eve - 3_600_000, NOW_MS, 'utc')).toBe(false);
  });

  it('in a list has the year only when it is another one', () => {
    expect(formatShortTime(AT, NOW_MS, 'utc', 'en-GB')).toBe('01 May, 19:30:05');
    expect(formatShortTime('2025-05-01T19:30:05Z', NOW_MS, 'utc', 'en-GB')).toContain('2025');
  });

  it('names its month, so that no region reads another day', () => {
    expect(formatTime(AT, 'utc', 'en-US')).toBe('May 1, 2026, 19:30:05');
    expect(formatTime(AT, 'utc', 'en-ZA')).toBe('01 May 2026, 19:30:05');
    expect(formatTime(AT, 'utc', 'en-CA')).toContain('May 1, 2026');
  });
});

describe('a share', () => {
  it.each([
    [0, '0%'],
    [0.216, '21%'],
    [0.999, '99%'],
    [1, '100%'],
  ])('of %d is %s: never whole before it is', (share, text) => {
    expect(formatShare(share, 'en')).toBe(text);
  });
});

it.each([
  [0, '0:00'],
  [3_999, '0:03'],
  [760_000, '12:40'],
  [3_723_000, '1:02:03'],
])('%d ms into a clip is %s', (atMs, text) => {
  expect(formatClipMoment(atMs)).toBe(text);
});

describe('how an English page writes dates and numbers', () => {
  it.each([
    [['en-US', 'en'], 'en-US'],
    [['en-IE', 'en-GB'], 'en-IE'],
    [['de-DE', 'en-AU'], 'en-AU'],
    [['de-DE', 'de'], 'en-DE'],
    [['nb-NO'], 'en-NO'],
    [['xx-QX'], 'en-GB'],
    // There is no locale for English there
    [['en-TH'], 'en-GB'],
    [['en'], 'en-GB'],
    [[], 'en-GB'],
    [['no tag at all', 'en-NZ'], 'en-NZ'],
  ])('on a system set to %j is %s', (systemLanguages, locale) => {
    expect(createLocaleOf(systemLanguages)('en')).toBe(locale);
  });
});

describe('how other pages write them', () => {
  const localeOf = createLocaleOf(['fr-CA', 'en-IE']);

  it('in the region of the system where that language is read there', () => {
    expect(localeOf('fr')).toBe('fr-CA');
  });

  it('as they say themselves where they name a region', () => {
    expect(localeOf('en-US')).toBe('en-US');
  });

  it('in the calendar and the digits of the evidence', () => {
    const thai = createLocaleOf(['th-TH'])('th');
    const at = Date.parse('2026-05-02T12:00:00Z');
    expect(new Intl.DateTimeFormat(thai, { year: 'numeric' }).format(at)).toContain('2026');
    expect(new Intl.NumberFormat(createLocaleOf([])('bn')).format(12)).toBe('12');
  });

  it('as in English where the text runs from right to left', () => {
    expect(localeOf('ar-EG')).toBe('en-GB');
  });

  it('as someone at this desk does, in the languages for testing', () => {
    expect(localeOf('en-XA')).toBe('en-IE');
  });
});
