import { describe, expect, it } from 'vitest';
import { followCursor, moveCursor } from '../../../../renderer/ui/move-cursor.ts';

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

describe('the cursor', () => {
  const rows = (text: string) => {
    const ids = text.split(' ');
    return { count: ids.length, idAt: (index: number) => ids[index] };
  };

  it.each([
    ['stays where it was', 'a b c d', 2, 'c', 2],
    ['moves down with its row when newer ones come in above', 'x y a b c d', 2, 'c', 4],
    ['moves up with its row when others go', 'c d', 2, 'c', 0],
    ['stays at its place when its row is gone', 'a b d e', 2, 'c', 2],
    ['stays inside of the rows that are left', 'a', 2, 'c', 0],
    ['stays at its place where no row was loaded yet', 'a b c d', 3, undefined, 3],
  ])('%s', (_what, text, index, id, expected) => {
    const { count, idAt } = rows(text);
    expect(followCursor({ index, id }, count, idAt)).toBe(expected);
  });

  it('stands at the beginning of nothing', () => {
    expect(followCursor({ index: 5, id: 'a' }, 0, () => undefined)).toBe(0);
  });
});
