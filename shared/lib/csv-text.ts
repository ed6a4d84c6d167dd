import Papa from 'papaparse';

/** A cell that begins so is a formula for a spreadsheet; also in the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Spreadsheets read a file without it in the code page of the PC. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A table as CSV that spreadsheets open as it is: with a byte order mark, each cell in quotes, CRLF, and none of them a
 * formula. An apostrophe keeps a text from being one; numbers stay numbers.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => [...row]);
  return `${BYTE_ORDER_MARK}${Papa.unparse(cells, { quotes: true, newline: '\r\n', escapeFormulae: FORMULA })}\r\n`;
}
