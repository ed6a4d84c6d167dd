import type { TFunction } from 'i18next';
import Papa from 'papaparse';
import { unguarded } from '../../shared/lib/csv-text.ts';
import { assertNever, err, ok, type Result } from '../../shared/lib/result.ts';

/** Maximum file size, bytes: tables of users are small, so a larger file is something else. */
const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** Maximum rows: more users than any team has, and hours of work for the service. */
const MAX_ROWS = 5000;

/** A row that is not empty; `number` counts like a spreadsheet, with row 1 at the top of the file. */
export interface CsvRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/** A parsed file. */
export interface CsvTable {
  readonly headings: readonly string[];
  readonly rows: readonly CsvRow[];
  /** False when the file is not UTF-8: accented letters may then be wrong, and a person has to check. */
  readonly isCertain: boolean;
}

/** Why a file cannot be used as a table of users. */
export type CsvProblem =
  | { readonly kind: 'too-large'; readonly maxMb: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-many'; readonly rows: number; readonly max: number }
  | { readonly kind: 'quotes'; readonly row: number }
  | { readonly kind: 'binary' }
  | { readonly kind: 'gone' };

/** Reads a chosen file; of a file that is too large, only enough to know that. */
export async function readCsvFile(file: Blob): Promise<Result<CsvTable, CsvProblem>> {
  try {
    return readCsv(new Uint8Array(await file.slice(0, MAX_FILE_BYTES + 1).arrayBuffer()));
  } catch {
    // The browser only reports that it could not read: the file was moved, changed or locked since it was chosen
    return err({ kind: 'gone' });
  }
}

/** Reads a CSV file with any separator and the encodings that spreadsheets write. */
export function readCsv(bytes: Uint8Array): Result<CsvTable, CsvProblem> {
  if (bytes.length > MAX_FILE_BYTES) return err({ kind: 'too-large', maxMb: MAX_FILE_BYTES / 1024 / 1024 });
  const { text, isCertain } = decode(bytes);
  // A workbook or an image, not text
  if (text.includes('\0')) return err({ kind: 'binary' });
  const { data, errors } = Papa.parse<readonly string[]>(text, { skipEmptyLines: false });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes !== undefined) return err({ kind: 'quotes', row: (quotes.row ?? 0) + 1 });
  const filled = data
    .map((cells, index) => ({ number: index + 1, cells: cells.map((cell) => unguarded(cell.trim())) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const [head, ...rows] = filled;
  if (head === undefined || rows.length === 0) return err({ kind: 'empty' });
  if (rows.length > MAX_ROWS) return err({ kind: 'too-many', rows: rows.length, max: MAX_ROWS });
  return ok({ headings: head.cells, rows, isCertain });
}

function decode(bytes: Uint8Array): { readonly text: string; readonly isCertain: boolean } {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe)
    return { text: new TextDecoder('utf-16le').decode(bytes), isCertain: true };
  if (first === 0xfe && second === 0xff)
    return { text: new TextDecoder('utf-16be').decode(bytes), isCertain: true };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isCertain: true };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isCertain: false };
  }
}

/** Says why a file cannot be used, and what to do. */
export function problemText(problem: CsvProblem, t: TFunction): string {
  switch (problem.kind) {
    case 'too-large':
      return t('users.import.tooLarge', problem);
    case 'empty':
      return t('users.import.empty');
    case 'too-many':
      return t('users.import.tooMany', problem);
    case 'quotes':
      return t('users.import.badQuotes', problem);
    case 'binary':
      return t('users.import.binary');
    case 'gone':
      return t('users.import.gone');
    default:
      return assertNever(problem);
  }
}
