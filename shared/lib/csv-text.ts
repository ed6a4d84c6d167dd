import Papa from 'papaparse';

/**
 * Where a spreadsheet may see a formula: at the start of a text, and after characters at which a spreadsheet with
 * another separator splits it, whatever our quotes; also in the full-width forms of East Asian keyboards. Where there
 * is an apostrophe already, another one is added, so that removing one restores the text.
 */
const FORMULA = /((?:^|[;\t\r\n])"*)(?='*[=+\-@＝＋－＠])/g;
const GUARDED = /((?:^|[;\t\r\n])"*)'(?='*[=+\-@＝＋－＠])/g;
/** Without it, spreadsheets read a file in the code page of the PC. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A table as CSV that spreadsheets open unchanged: with a byte order mark, every cell in quotes, CRLF, and no formulas.
 * An apostrophe keeps a text from becoming one; numbers stay numbers.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? cell.replace(FORMULA, "$1'") : cell)),
  );
  return `${BYTE_ORDER_MARK}${Papa.unparse(cells, { quotes: true, newline: '\r\n' })}\r\n`;
}

/** The original of a cell of `csvText`. */
export const unguarded = (cell: string): string => cell.replace(GUARDED, '$1');
