/** Rows come in above and go: the cursor looks for its row this far around the place where it was. */
const MOST_MOVED_ROWS = 200;

/** Where the cursor of a grid was put, and on which row; a row that is not there yet has no id. */
export interface Cursor {
  readonly index: number;
  readonly id: string | undefined;
  /** A person went there before the row was: it is chosen when it comes. */
  readonly isAwaited?: boolean;
}

/** Where the cursor is now: it stays with its row when the rows around it change. */
export function followCursor(
  { index, id }: Cursor,
  rowCount: number,
  idAt: (index: number) => string | undefined,
): number {
  const last = Math.max(0, rowCount - 1);
  for (let away = 0; id !== undefined && away <= MOST_MOVED_ROWS; away += 1) {
    if (index + away <= last && idAt(index + away) === id) return index + away;
    if (index - away >= 0 && idAt(index - away) === id) return index - away;
  }
  return Math.min(index, last);
}

/** Where a key moves the cursor of a grid to, or undefined when it moves nothing. */
export function moveCursor(
  key: string,
  from: number,
  rowCount: number,
  pageRows: number,
): number | undefined {
  if (rowCount === 0) return undefined;
  const to = targetOf(key, from, rowCount, pageRows);
  return to === undefined ? undefined : Math.min(Math.max(to, 0), rowCount - 1);
}

function targetOf(key: string, from: number, rowCount: number, pageRows: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return from + 1;
    case 'ArrowUp':
    case 'k':
      return from - 1;
    case 'PageDown':
      return from + pageRows;
    case 'PageUp':
      return from - pageRows;
    case 'Home':
      return 0;
    case 'End':
      return rowCount - 1;
    default:
      return undefined;
  }
}
