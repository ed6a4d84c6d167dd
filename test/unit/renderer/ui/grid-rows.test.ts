import { describe, expect, it } from 'vitest';
import {
  followCursor,
  moveCursor,
  nextRange,
  OVERSCAN_ROWS,
  rowsToDraw,
} from '../../../../renderer/ui/grid-rows.ts';

const before = { first: 100, last: 126, keyBase: 0 };
const keys = (first: number, last: number, keyBase: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset - keyBase);

describe('nextRange', () => {
  it('is the same as long as the same rows are in view', () => {
    expect(nextRange(before, 100, 126)).toBe(before);
  });

  it('keeps the elements of the rows that stay in view', () => {
    expect(nextRange(before, 102, 128)).toEqual({ first: 102, last: 128, keyBase: 0 });
    expect(nextRange(before, 97, 123)).toEqual({ first: 97, last: 123, keyBase: 0 });
  });

  it('hands all elements over where no row stays, downwards and upwards', () => {
    for (const first of [171, 5000, 3]) {
      const after = nextRange(before, first, first + 26);
      expect(keys(after.first, after.last, after.keyBase)).toEqual(keys(100, 126, 0));
    }
  });

  it('keeps elements of rows that are drawn beyond the edges', () => {
    const far = 127 + 2 * OVERSCAN_ROWS;
    expect(nextRange(before, far - 1, far + 25).keyBase).toBe(0);
    expect(nextRange(before, far, far + 26).keyBase).toBe(far - 100);
  });
});

describe('rowsToDraw', () => {
  it('draws some rows beyond the edges, and none that are not there', () => {
    expect(rowsToDraw(before, 1000, 110)).toEqual(keys(100 - OVERSCAN_ROWS, 126 + OVERSCAN_ROWS, 0));
    expect(rowsToDraw({ first: 0, last: 26, keyBase: 0 }, 5, 0)).toEqual([0, 1, 2, 3, 4]);
    expect(rowsToDraw({ first: 0, last: 26, keyBase: 0 }, 0, 0)).toEqual([]);
  });

  it('draws the row under the cursor wherever it is, in the order of the rows', () => {
    expect(rowsToDraw(before, 1000, 7)[0]).toBe(7);
    expect(rowsToDraw(before, 1000, 999).at(-1)).toBe(999);
  });

  it('shows the end of a list that became shorter than where it was scrolled to', () => {
    expect(rowsToDraw(before, 50, 0)).toEqual([0, ...keys(49 - OVERSCAN_ROWS, 49, 0)]);
  });
});

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
