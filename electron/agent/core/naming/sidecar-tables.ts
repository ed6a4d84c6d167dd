import Papa from 'papaparse';
import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { decodeText, type JsonValue } from '../text/parse-strict-json.ts';
import type { FileSeen } from '../settle/file-seen.ts';
import { MAX_SIDECAR_BYTES } from './read-sidecar.ts';

/**
 * Sidecars for people with a spreadsheet or an editor, at the top of an export. `incident.csv` and `videos.csv` have
 * the fields of `incident.json` under the same names; a text file describes the incident if nothing else does.
 */
export interface SidecarTables {
  readonly incidentTable?: FileSeen;
  readonly videosTable?: FileSeen;
  readonly notes?: FileSeen;
}

/**
 * Text files that describe an incident; the first one present is used. A readme is more often a vendor's than a
 * person's.
 */
const NOTES = ['description.txt', 'notes.txt'];

const INCIDENT_TABLE = 'incident.csv';
const VIDEOS_TABLE = 'videos.csv';
const tableNames = new Set([INCIDENT_TABLE, VIDEOS_TABLE, ...NOTES]);

/** Whether a path is that of such a table or text. */
export const isSidecarTable = (path: string): boolean => tableNames.has(path.toLowerCase());

/** Finds the tables and the text among the documents of an export, ignoring case. */
export function sidecarTables(documents: readonly FileSeen[]): SidecarTables {
  const byName = new Map(documents.map((file) => [file.path.toLowerCase(), file]));
  const notes = NOTES.flatMap((name) => byName.get(name) ?? []).at(0);
  const [incidentTable, videosTable] = [INCIDENT_TABLE, VIDEOS_TABLE].map((name) => byName.get(name));
  return {
    ...(incidentTable && { incidentTable }),
    ...(videosTable && { videosTable }),
    ...(notes && { notes }),
  };
}

/** Largest text that is read, bytes. */
const MAX_NOTES_BYTES = 64 * 1024;

/** The text of a text file, without control characters; undefined if it is empty. */
export function readNotes(bytes: Uint8Array, name: string): Result<string | undefined, Failure> {
  if (bytes.length > MAX_NOTES_BYTES) return err(tooLarge(name, MAX_NOTES_BYTES));
  const text = decodeText(bytes);
  if (text === undefined || text.includes('\0')) return err(noText(name));
  const plain = text
    .replace(/^\uFEFF/, '')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .trim();
  return ok(plain === '' ? undefined : plain);
}

/** Fields that are numbers. */
const numbers = new Set([
  'schema_version',
  'longitude',
  'latitude',
  'camera_longitude',
  'camera_latitude',
  'clock_offset_seconds',
]);

type Fields = Readonly<Record<string, JsonValue>>;

/** `incident.csv`: two columns, key and value. Returns the fields of `incident.json`. */
export function readIncidentTable(bytes: Uint8Array, name: string): Result<Fields, Failure> {
  const rows = rowsOf(bytes, name);
  if (!rows.ok) return rows;
  const fields = new Map<string, JsonValue>();
  for (const [index, [key = '', value = '', ...more]] of rows.value.entries()) {
    const field = key.trim().toLowerCase();
    if (field === '' || (fields.size === 0 && field === 'key')) continue;
    if (more.some((cell) => cell.trim() !== ''))
      return err(failure('SIDECAR_SHAPE', `${place(name, index)} has more than a key and a value.`));
    if (fields.has(field))
      return err(failure('SIDECAR_DUPLICATE_KEY', `${place(name, index)} repeats "${visibleName(key)}".`));
    const text = value.trim();
    if (text !== '') fields.set(field, field === 'tags' ? tagsOf(text) : valueOf(field, text));
  }
  return ok(Object.fromEntries(fields));
}

const tagsOf = (text: string): readonly string[] => text.split(/[;,]/).map((tag) => tag.trim());

/** `videos.csv`: a header row, then a row for each clip. Returns the entries of `videos` in `incident.json`. */
export function readVideosTable(bytes: Uint8Array, name: string): Result<readonly Fields[], Failure> {
  const rows = rowsOf(bytes, name);
  if (!rows.ok) return rows;
  const isBlank = (cells: readonly string[]): boolean => cells.every((cell) => cell.trim() === '');
  const headAt = rows.value.findIndex((cells) => !isBlank(cells));
  const [head = [], ...lines] = rows.value.slice(Math.max(0, headAt));
  const keys = head.map((cell) => cell.trim().toLowerCase());
  if (!keys.includes('file'))
    return err(failure('SIDECAR_SHAPE', `${visibleName(name)} has no "file" column in its first row.`));
  const videos: Fields[] = [];
  for (const [index, cells] of lines.entries()) {
    if (isBlank(cells)) continue;
    if (cells.slice(keys.length).some((cell) => cell.trim() !== ''))
      return err(
        failure('SIDECAR_SHAPE', `${place(name, headAt + 1 + index)} has more columns than the first row.`),
      );
    const named = keys.flatMap((key, column): [string, JsonValue][] => {
      const text = cells[column]?.trim() ?? '';
      return key === '' || text === '' ? [] : [[key, valueOf(key, text)]];
    });
    videos.push(Object.fromEntries(named));
  }
  return ok(videos);
}

/**
 * Accepts a decimal comma, as spreadsheets in other languages write it. Text that is not a number stays text and is
 * refused later.
 */
function valueOf(key: string, text: string): JsonValue {
  if (!numbers.has(key)) return text;
  const number = text.replace(',', '.');
  return /^[+-]?\d{1,9}(?:\.\d{1,15})?$/.test(number) ? Number(number) : text;
}

/**
 * Cells of a table as text: separated by commas, semicolons or tabs, quoted as in RFC 4180. Formulas are text like any
 * other.
 */
function rowsOf(bytes: Uint8Array, name: string): Result<readonly (readonly string[])[], Failure> {
  if (bytes.length > MAX_SIDECAR_BYTES) return err(tooLarge(name, MAX_SIDECAR_BYTES));
  const text = decodeText(bytes);
  if (text === undefined || text.includes('\0')) return err(noText(name));
  const { data, errors } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    // The first one outside quotes: which one spreadsheets write depends on their language
    delimiter: /[,;\t]/.exec(text.replaceAll(/"[^"]*"/g, ''))?.[0] ?? ',',
  });
  const problem = errors.find(({ type }) => type === 'Quotes');
  if (problem !== undefined)
    return err(
      failure(
        'SIDECAR_UNREADABLE',
        `${place(name, problem.row ?? 0)} has a misplaced or unclosed quotation mark.`,
      ),
    );
  return ok(data);
}

const noText = (name: string): Failure =>
  failure(
    'SIDECAR_ENCODING',
    `${visibleName(name)} is neither UTF-8 text nor UTF-16 text with a byte order mark.`,
    'Save it as UTF-8.',
  );

const tooLarge = (name: string, mostBytes: number): Failure =>
  failure(
    'SIDECAR_TOO_LARGE',
    `${visibleName(name)} is larger than ${mostBytes / 1024} KiB.`,
    `Reduce it to ${mostBytes / 1024} KiB or less.`,
  );

const place = (name: string, index: number): string => `Row ${index + 1} of ${visibleName(name)}`;

const failure = (code: FailureCode, message: string, advice = 'Correct the file.'): Failure => ({
  code,
  message,
  advice: `${advice} Nothing from it was used.`,
  retryable: false,
});
