import { expect, it } from 'vitest';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';
import { checkNames } from '../../../../shared/domain/health.ts';
import {
  directionOf,
  isolatedStrings,
  isolatedValue,
  pseudoStrings,
} from '../../../../shared/words/languages.ts';

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
  const words = await createI18n('ar-XB');
  const isolatedSpeed = isolatedValue('1.5 MB/s');
  expect(words.t('frame.speedOfLimit', { speed: '1.5 MB/s', limit: 'none' })).toContain(isolatedSpeed);
  await words.changeLanguage('en');
  expect(words.t('frame.speedOfLimit', { speed: '1.5 MB/s', limit: 'none' })).toBe('1.5 MB/s of none');
});

it('knows which languages run from right to left', () => {
  expect(['en', 'ar-XB', 'he', 'en-XA', 'arn'].map(directionOf)).toEqual(['ltr', 'rtl', 'rtl', 'ltr', 'ltr']);
});

it('has a word for everything that Health checks', async () => {
  const words = await createI18n('en-US');
  const missing = checkNames.filter((name) => !words.exists(`check.${name}`));
  expect(missing).toEqual([]);
});
