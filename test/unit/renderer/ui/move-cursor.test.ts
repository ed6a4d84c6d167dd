import { expect, it } from 'vitest';
import { moveCursor } from '../../../../renderer/ui/move-cursor.ts';

it.each([
  ['ArrowDown', 0, 1],
  ['j', 5, 6],
  ['ArrowUp', 5, 4],
  ['k', 0, 0],
  ['PageDown', 5, 25],
  ['PageDown', 95, 99],
  ['PageUp', 5, 0],
  ['Home', 50, 0],
  ['End', 0, 99],
  ['ArrowDown', 99, 99],
  ['a', 5, undefined],
])('%s moves the cursor of 100 rows from %i to %s', (key, from, to) => {
  expect(moveCursor(key, from, 100, 20)).toBe(to);
});

it('moves nothing in an empty grid', () => {
  expect(moveCursor('End', 0, 0, 20)).toBeUndefined();
});
