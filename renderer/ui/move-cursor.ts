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
