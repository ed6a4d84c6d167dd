import Papa from 'papaparse';
import { visibleName } from '../../shared/lib/visible-name.ts';

/** First characters that make a spreadsheet take a text for a formula, their full-width forms among them. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Spreadsheets read a file without it in the code page of the PC. */
const BYTE_ORDER_MARK = '\ufeff';
/** Controls other than tab and line end, and what turns the direction of text around. */
const STEERING = /[^\P{Cc}\n\t\r]|\r(?!\n)|[\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Rows as CSV for spreadsheets: every field quoted, quotes doubled, CRLF, and an apostrophe before whatever could be
 * taken for a formula.
 */
export function csvText(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const fields = [headings, ...rows].map((row) => row.map((text) => text.replaceAll(STEERING, visibleName)));
  const text = Papa.unparse(fields, { quotes: true, newline: '\r\n', escapeFormulae: FORMULA });
  return `${BYTE_ORDER_MARK}${text}\r\n`;
}
