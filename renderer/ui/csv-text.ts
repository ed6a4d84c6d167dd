import Papa from 'papaparse';
import { useServices } from '../stores/services.ts';
import { useSaveFile, type Saved } from './save-file.ts';

type Rows = readonly (readonly (string | number)[])[];

/** A cell that begins so is a formula for a spreadsheet; also in the wide forms of East Asian keyboards. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A table as CSV text that spreadsheets open as it is: with a byte order mark, each cell in quotes, and none of them a
 * formula. An apostrophe keeps a text from being one; numbers stay numbers.
 */
export function csvText(rows: Rows): string {
  const cells = rows.map((row) => [...row]);
  return `\uFEFF${Papa.unparse(cells, { quotes: true, escapeFormulae: formula })}\r\n`;
}

/** Saves a table as a CSV file, which is named after today in UTC ("2026-05-01"). */
export function useSaveCsv(): (nameOf: (day: string) => string, rows: Rows) => Promise<Saved> {
  const { clock } = useServices();
  const saveFile = useSaveFile();
  return (nameOf, rows) =>
    saveFile(nameOf(new Date(clock.now()).toISOString().slice(0, 10)), 'text/csv', csvText(rows));
}
