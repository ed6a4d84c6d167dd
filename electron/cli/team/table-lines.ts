import { fitTable, type Column } from '../table.ts';

/** A table and an empty line, with a word on the columns that the terminal has no room for. */
export function tableLines(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): readonly string[] {
  const { lines, leftOut } = fitTable(columns, rows, width);
  if (leftOut.length === 0) return [...lines, ''];
  const note = `Not shown at this width: ${leftOut.join(', ')}. --json has all.`;
  return [...lines, '', note];
}
