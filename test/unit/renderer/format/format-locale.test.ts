import { describe, expect, it } from 'vitest';
import { createLocaleOf } from '../../../../renderer/format/format-locale.ts';

describe('how an English page writes dates and numbers', () => {
  it.each([
    [['en-US', 'en'], 'en-US'],
    [['en-IE', 'en-GB'], 'en-IE'],
    [['de-DE', 'en-AU'], 'en-AU'],
    [['de-DE', 'de'], 'en-DE'],
    [['nb-NO'], 'en-NO'],
    [['xx-QX'], 'en-GB'],
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

  it('as in English where the text runs from right to left', () => {
    expect(localeOf('ar-EG')).toBe('en-GB');
  });

  it('as someone at this desk does, in the languages for testing', () => {
    expect(localeOf('en-XA')).toBe('en-IE');
  });
});
