/** Rows of one height that are in view, by index; `keyBase` makes the keys of their elements. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
  /** A row's element has the key `index - keyBase`. */
  readonly keyBase: number;
}

/** Rows beyond the edges that are drawn too: what is scrolled by less than this is there already. */
export const OVERSCAN_ROWS = 8;

/**
 * The range after some scrolling. A row that stays in view keeps its element; where none of them stays the elements are
 * taken over by the rows that came instead: filling them is much cheaper than making new ones.
 */
export function nextRange(before: RowRange, first: number, last: number): RowRange {
  if (first === before.first && last === before.last) return before;
  const isNear = first <= before.last + 2 * OVERSCAN_ROWS && last >= before.first - 2 * OVERSCAN_ROWS;
  return { first, last, keyBase: isNear ? before.keyBase : before.keyBase + first - before.first };
}

/** The rows to draw: those in view, some around them, and the one under the cursor wherever it is. */
export function rowsToDraw({ first, last }: RowRange, rowCount: number, cursor: number): readonly number[] {
  const from = Math.max(0, Math.min(first, rowCount - 1) - OVERSCAN_ROWS);
  const to = Math.min(rowCount - 1, last + OVERSCAN_ROWS);
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);
  if (rowCount === 0 || (cursor >= from && cursor <= to)) return near;
  return cursor < from ? [cursor, ...near] : [...near, cursor];
}
