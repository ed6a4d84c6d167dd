import Papa from 'papaparse';

/** A cell that begins so is a formula for a spreadsheet; also in the wide forms of East Asian keyboards. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as CSV text that spreadsheets open as it is: with a byte order mark, each cell in quotes, and none of them a
 * formula. An apostrophe keeps a text from being one; numbers stay numbers.
 */
export function csvText(rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => [...row]);
  return `\uFEFF${Papa.unparse(cells, { quotes: true, escapeFormulae: formula })}\r\n`;
}
