import { describe, expect, it } from 'vitest';
import { nextRange, OVERSCAN_ROWS, rowsToDraw } from '../../../../renderer/ui/row-range.ts';

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
