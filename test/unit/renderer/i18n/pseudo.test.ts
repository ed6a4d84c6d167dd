import { expect, it } from 'vitest';
import { directionOf } from '../../../../renderer/i18n/create-i18n.ts';
import { pseudoStrings } from '../../../../renderer/i18n/pseudo.ts';

it('makes every text foreign and longer, and keeps its placeholders', () => {
  expect(pseudoStrings({ a: { b: 'Retry {{count}} failed' } })).toEqual({
    a: { b: `[Rétrý {{count}} fáíléd${'~'.repeat(7)}]` },
  });
});

it('leaves tags as they are', () => {
  expect(pseudoStrings({ a: 'Sent <time/>' })).toEqual({ a: '[Šéñt <time/>~~~~]' });
});

it('knows which languages run from right to left', () => {
  expect(['en', 'ar-XB', 'he', 'en-XA', 'arn'].map(directionOf)).toEqual(['ltr', 'rtl', 'rtl', 'ltr', 'ltr']);
});
