import { expect, it } from 'vitest';
import { createLocaleOf } from '../../../../renderer/format/format.ts';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';
import { checkNames } from '../../../../shared/domain/health.ts';
import {
  directionOf,
  isolatedStrings,
  isolatedValue,
  pseudoStrings,
} from '../../../../shared/words/languages.ts';

const localeOf = createLocaleOf(['en-GB']);

it('makes every text foreign and longer, and keeps its placeholders', () => {
  expect(pseudoStrings({ a: { b: 'Retry {{count}} failed' } })).toEqual({
    a: { b: `[Rétrý {{count}} fáíléd${'~'.repeat(7)}]` },
  });
});

it('leaves tags as they are', () => {
  expect(pseudoStrings({ a: 'Sent <time/>' })).toEqual({ a: '[Šéñt <time/>~~~~]' });
});

it('keeps English together on a page from right to left, where its place could change', () => {
  const english = { a: { b: 'Sent.', c: '{{count}} of {{total}}' }, d: 'System User' };
  expect(isolatedStrings(english)).toEqual({
    a: { b: '\u2066Sent.\u2069', c: '\u2066{{count}} of {{total}}\u2069' },
    d: 'System User',
  });
});

it('keeps values in texts together on a page from right to left, and only there', async () => {
  const words = await createI18n('ar-XB', localeOf);
  const isolatedSpeed = isolatedValue('1.5 MB/s');
  expect(words.t('frame.speedOfLimit', { speed: '1.5 MB/s', limit: 'none' })).toContain(isolatedSpeed);
  await words.changeLanguage('en');
  expect(words.t('frame.speedOfLimit', { speed: '1.5 MB/s', limit: 'none' })).toBe('1.5 MB/s of none');
});

it('writes a number of things with the separators of its language, and other numbers as they are', async () => {
  const words = await createI18n('en', localeOf);
  expect(words.t('frame.failed', { count: 50_000 })).toBe('50,000 clips failed');
  expect(words.t('uploads.deleteView', { name: 2026 })).toBe('Delete the view 2026');
});

it('knows which languages run from right to left', () => {
  expect(['en', 'ar-XB', 'he', 'en-XA', 'arn'].map(directionOf)).toEqual(['ltr', 'rtl', 'rtl', 'ltr', 'ltr']);
});

it('has a word for everything that Health checks', async () => {
  const words = await createI18n('en-US', localeOf);
  const missing = checkNames.filter((name) => !words.exists(`check.${name}`));
  expect(missing).toEqual([]);
});
