import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, textWidth } from '../../../electron/cli/text-width.ts';

test.each([
  ['Gate', 4],
  ['Müller', 6],
  ['Mu\u0308ller', 6],
  ['北门', 4],
  ['서울', 4],
  ['カメラ', 6],
  ['ＡＢ', 4],
  ['مرحبا', 5],
  ['⚽', 2],
  ['–', 1],
])('%s takes %d cells', (text, cells) => {
  expect(textWidth(text)).toBe(cells);
});

test.each([
  ['abcdefghij', 10, 'abcdefghij'],
  ['abcdefghij', 5, 'ab…ij'],
  ['abcdefghij', 2, 'a…'],
  ['abcdefghij', 1, '…'],
  ['北门东门西门', 7, '北…西门'],
  ['a\u0301b\u0301c\u0301d\u0301', 3, 'a\u0301…d\u0301'],
])('cuts %s to %d cells', (text, cells, cut) => {
  expect(cutText(text, cells)).toBe(cut);
});

test.each([
  ['abcdefghij', 5, 'abcd…'],
  ['北门东门西门', 6, '北门…'],
  ['abc', 3, 'abc'],
])('cuts the end of %s to %d cells', (text, cells, cut) => {
  expect(cutText(text, cells, 'end')).toBe(cut);
});

test('a cut text never takes more cells than it may', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, cells) => {
      expect(textWidth(cutText(text, cells))).toBeLessThanOrEqual(cells);
      expect(textWidth(cutText(text, cells, 'end'))).toBeLessThanOrEqual(cells);
    }),
  );
});
