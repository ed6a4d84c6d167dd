import Papa from 'papaparse';

/**
 * Where a spreadsheet may see a formula: at the beginning of a text, and after characters at which one with another
 * separator splits it, since our quotes do not count there; also in the wide forms of East Asian keyboards. Apostrophes
 * that are already there get one more, so that removing one restores the text.
 */
const FORMULA = /((?:^|[;\t\r\n])"*)(?='*[=+\-@＝＋－＠])/g;
const GUARDED = /((?:^|[;\t\r\n])"*)'(?='*[=+\-@＝＋－＠])/g;
/** Spreadsheets read a file without it in the code page of the PC. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A table as CSV that spreadsheets open as it is: with a byte order mark, each cell in quotes, CRLF, and none of them a
 * formula. An apostrophe keeps a text from being one; numbers stay numbers.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cell.replace(FORMULA, "$1'") : cell)),
  );
  return `${BYTE_ORDER_MARK}${Papa.unparse(cells, { quotes: true, newline: '\r\n' })}\r\n`;
}

/** A cell of `csvText` as it was given. */
export const unguarded = (cell: string): string => cell.replace(GUARDED, '$1');
