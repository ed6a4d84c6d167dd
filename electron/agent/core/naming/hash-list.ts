/**
 * Checksum lists. Hostile ones are refused row by row: no path leaves the folder, no file is named twice, and no checksum
 * is accepted that cannot be verified.
 */
import Papa from 'papaparse';
import { baseName, folderOf, splitName } from './file-kinds.ts';

/** Largest list that is read, bytes, and most rows in it: about a hundred bytes per file. */
export const MAX_LIST_BYTES = 4 * 1024 * 1024;
export const MAX_LIST_ROWS = 50_000;

/** Checksums that are verified, by their number of digits. */
const algorithms = { 64: 'sha256', 32: 'md5', 8: 'crc32' } as const;
type Algorithm = (typeof algorithms)[keyof typeof algorithms];

/** A file that a list names. */
export interface ListedFile {
  /** Relative to the export. */
  readonly path: string;
  /** Missing if only the name is stated. */
  readonly algorithm?: Algorithm;
  /** Lower-case hexadecimal. */
  readonly sum?: string;
}

/** A row that was not used, and why. */
export interface RefusedRow {
  readonly row: number;
  readonly why: string;
}

/** The contents of a list. */
export interface HashList {
  readonly files: readonly ListedFile[];
  readonly refused: readonly RefusedRow[];
}

/** Names of checksum lists as `sha256sum`, `md5sum`, PowerShell and SFV tools write them. */
const listNames = /^(?:sha256|md5)sums?(?:\.txt)?$/i;
const listExtensions = new Set(['sha256', 'md5', 'sfv']);
const hashTable = /(?:^|[-_. ])(?:hash(?:es)?|checksums?|sha256|md5)(?:$|[-_. ])/i;

/** Whether a file is a list of checksums by its name. */
export function isHashList(path: string): boolean {
  const name = baseName(path);
  const { stem, extension } = splitName(name);
  if (listNames.test(name) || listExtensions.has(extension)) return true;
  return extension === 'csv' && hashTable.test(stem);
}

/** The only clip in a list such as `clip.mp4.sha256`; undefined for a list of a whole folder. */
export function onlyFileOf(path: string): string | undefined {
  const { stem, extension } = splitName(baseName(path));
  return listExtensions.has(extension) && stem.includes('.') ? folderOf(path) + stem : undefined;
}

interface Row {
  readonly row: number;
  readonly name: string;
  readonly sum: string;
}

/** Reads a list; `path` is its own path in the export, `present` are all of them. */
export function readHashList(path: string, text: string, present: ReadonlySet<string>): HashList {
  const { extension } = splitName(baseName(path));
  const written = extension === 'csv' ? tableRows(text) : lineRows(text, onlyFileOf(path));
  if (written === undefined) return { files: [], refused: [{ row: 1, why: NO_COLUMNS }] };
  const rows = relativeRows(written, folderOf(path), present);
  const refused: RefusedRow[] = [];
  const files = new Map<string, ListedFile | undefined>();
  for (const row of rows.slice(0, MAX_LIST_ROWS)) {
    const read = readRow(row, path);
    if ('why' in read) {
      refused.push(read);
      continue;
    }
    // With two sums for one file, it is unknown which one is right
    if (files.has(read.path)) {
      refused.push({ row: row.row, why: 'names the same file as an earlier row' });
      if (files.get(read.path)?.sum !== read.sum) files.set(read.path, undefined);
    } else files.set(read.path, read);
  }
  refused.push(...rowsBeyond(rows));
  return { files: [...files.values()].filter((file) => file !== undefined), refused };
}

/** Most folders of a full path that are compared with what is there. */
const MOST_FOLDERS = 64;

/**
 * `Get-FileHash` of PowerShell writes full paths, as of where the export was then. That folder is the one under which
 * most of the listed files are found here, and of two the higher one, since a missing file may have a namesake; paths in
 * it become relative to it, and all others stay as they are.
 */
function relativeRows(rows: readonly Row[], folder: string, present: ReadonlySet<string>): readonly Row[] {
  let keys: ReadonlySet<string> | undefined;
  const found = new Map<string, number>();
  for (const { name } of rows) {
    const path = plainPath(name);
    const parts = path.split('/');
    if (!isFullPath(path) || parts.length > MOST_FOLDERS) continue;
    keys ??= new Set([...present].map(foldedPath));
    for (let at = 1; at < parts.length; at += 1) {
      if (!keys.has(foldedPath(folder + parts.slice(at).join('/')))) continue;
      const base = `${parts.slice(0, at).join('/')}/`;
      found.set(base, (found.get(base) ?? 0) + 1);
      break;
    }
  }
  const [first] = [...found].toSorted(
    ([one, some], [other, others]) => others - some || one.length - other.length,
  );
  if (first === undefined) return rows;
  const [base] = first;
  return rows.map((row) => {
    const path = plainPath(row.name);
    return path.startsWith(base) ? { ...row, name: path.slice(base.length) } : row;
  });
}

/** Equal for paths that differ only in letter case, or in how accents are composed. */
export const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase();

/** A path as written in a list, with the separators of an export's paths. */
export const plainPath = (name: string): string => name.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');

const isFullPath = (path: string): boolean => path.startsWith('/') || /^[A-Za-z]:/.test(path);

/** The first row beyond the limit, if there is one. */
export function rowsBeyond(rows: readonly { readonly row: number }[]): readonly RefusedRow[] {
  const why = `exceeds the limit of ${MAX_LIST_ROWS.toLocaleString('en')} rows, as do all later rows`;
  return rows.slice(MAX_LIST_ROWS, MAX_LIST_ROWS + 1).map(({ row }) => ({ row, why }));
}

const NO_COLUMNS =
  'does not name both a checksum and a file column (such as Hash and Path), so no checksums are checked';

function readRow({ row, name, sum }: Row, list: string): ListedFile | RefusedRow {
  const path = plainPath(name);
  const why = path === '' ? 'does not contain both a file name and a checksum' : pathProblem(path);
  if (why !== undefined) return { row, why };
  if (!/^[0-9a-f]+$/i.test(sum)) return { row, why: 'has no valid checksum' };
  const algorithm = Object.entries(algorithms).find(([digits]) => sum.length === Number(digits))?.[1];
  if (algorithm === undefined) return { row, why: 'has an unsupported type of checksum' };
  return { path: folderOf(list) + path, algorithm, sum: sum.toLowerCase() };
}

/** Why a path in a list names no file in its folder, as the end of a sentence. */
export function pathProblem(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'does not name a file';
  if (isFullPath(path)) return 'names a file by its full path';
  const parts = path.split('/');
  if (parts.includes('..')) return 'contains a ".." path segment';
  if (parts.includes('.') || parts.includes('')) return 'contains an empty or "." path segment';
  return undefined;
}

/** `SUM  name`, `SUM *name`, `SHA256 (name) = SUM`, `name CRC`, or a sum alone. */
function lineRows(text: string, only: string | undefined): readonly Row[] {
  const rows: Row[] = [];
  for (const [index, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (rows.length > MAX_LIST_ROWS) break;
    if (line.trim() === '' || /^[;#]/.test(line)) continue;
    const row = index + 1;
    const tagged = /^\w+ ?\((.*)\) = ([0-9a-f]+)$/i.exec(line.trim());
    const first = /^\\?([0-9a-f]{8,128}) [ *](.+)$/i.exec(line);
    const last = /^(.*\S)\s+([0-9a-f]{8})$/i.exec(line.trim());
    const alone = only === undefined ? null : /^([0-9a-f]{8,128})$/i.exec(line.trim());
    if (tagged !== null) rows.push({ row, name: tagged[1] ?? '', sum: tagged[2] ?? '' });
    else if (first !== null) rows.push({ row, name: first[2] ?? '', sum: first[1] ?? '' });
    else if (alone !== null) rows.push({ row, name: baseName(only ?? ''), sum: alone[1] ?? '' });
    else if (last !== null) rows.push({ row, name: last[1] ?? '', sum: last[2] ?? '' });
    else rows.push({ row, name: '', sum: '' });
  }
  return rows;
}

/** A table with a column of sums and one of names, as PowerShell writes it; undefined without both. */
function tableRows(text: string): readonly Row[] | undefined {
  if (text.trim() === '') return [];
  // The type line becomes an empty one, so that row numbers match the file
  const table = text.replace(/^\ufeff?(?:#TYPE.*)?/, '');
  const { delimiter } = Papa.parse(table, { skipEmptyLines: true, preview: 1 }).meta;
  const filled = new Map<number, readonly string[]>();
  let row = 0;
  Papa.parse<readonly string[]>(table, {
    delimiter,
    step({ data: cells }, parser) {
      row += 1;
      if (cells.length > 1 || cells[0] !== '') filled.set(row, cells);
      if (filled.size > MAX_LIST_ROWS + 1) parser.abort();
    },
  });
  const [[, head] = [], ...lines] = filled;
  const column = (names: RegExp): number => head?.findIndex((field) => names.test(field.trim())) ?? -1;
  const sums = column(/^(?:hash|sha-?256|md5|checksum)$/i);
  const files = column(/^(?:path|file|file ?name|name)$/i);
  if (sums < 0 || files < 0) return undefined;
  const textAt = (cells: readonly string[], at: number): string => (cells[at] ?? '').trim();
  return lines.map(([at, cells]) => ({ row: at, name: textAt(cells, files), sum: textAt(cells, sums) }));
}
