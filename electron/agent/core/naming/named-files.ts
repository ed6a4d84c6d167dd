/**
 * Reads what names files in an export: checksum lists, `incident.json` and `videos.csv`, playlists, and the XML of an
 * incident package. They show that a file is missing or replaced. No path leaves the folder, and nothing is expanded or
 * fetched: XML with a document type is refused, and only its texts that end like a clip or a picture count. Hostile
 * checksum lists are refused row by row: no file is named twice, and no checksum is accepted that cannot be verified.
 */
import Papa from 'papaparse';
import { decodeText } from '../text/parse-strict-json.ts';
import { baseName, folderOf, isKnownExtension, splitName } from './file-kinds.ts';
import { isIncidentSidecar, readSidecar, sidecarOf } from './read-sidecar.ts';
import { readVideosTable } from './sidecar-tables.ts';

/** Playlists: one path per line, or XML. */
const playlists = new Set(['m3u', 'm3u8', 'pls']);
const xmlPlaylists = new Set(['wpl', 'asx', 'xspf']);
/** Folders of a Mission Control incident package; its XML is next to them. */
const packageFolders = /^(?:videos|images|snapshots)\//i;

type Reader = (path: string, bytes: Uint8Array, text: string, present: Present) => HashList;
type Present = ReadonlySet<string>;

/** The reader of a file that names others; undefined: it names none. `isPackage`: the export is an incident package. */
function readerOf(path: string, isPackage: boolean): Reader | undefined {
  const { extension } = splitName(path);
  if (isHashList(path)) return (list, _bytes, text) => readHashList(list, text);
  if (isSidecarName(path)) return readSidecarNames;
  if (playlists.has(extension)) return (list, _bytes, text) => inFolder(list, playlistRows(text));
  if (xmlPlaylists.has(extension)) return (list, _bytes, text) => inFolder(list, xmlTexts(text));
  const isPackageXml = isPackage && extension === 'xml' && !path.includes('/');
  return isPackageXml ? (_list, _bytes, text, present) => inPackage(xmlTexts(text), present) : undefined;
}

/** The files of an export that name others, by their paths. */
export function filesThatName(paths: readonly string[]): ReadonlySet<string> {
  const isPackage = paths.some((path) => packageFolders.test(path));
  return new Set(paths.filter((path) => readerOf(path, isPackage) !== undefined));
}

/** Whether the file is a sidecar. Its problems are reported where it is read for what it describes. */
export const isSidecarName = (path: string): boolean =>
  isIncidentSidecar(path) || path.toLowerCase() === 'videos.csv';

/** Reads one of `filesThatName`; undefined if it is not text. `present`: all paths of the export. */
export function readNamedFiles(path: string, bytes: Uint8Array, present: Present): HashList | undefined {
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  return readerOf(path, true)?.(path, bytes, text, present) ?? { files: [], refused: [] };
}

/**
 * Finds the file that a list or a sidecar refers to. Systems differ in letter case and in how they compose accents: if
 * no file has exactly that name, the only one that differs in nothing else is used, unless several of the `names` would
 * match it: a copy on such a system keeps only one of their files. A name without a file is returned unchanged.
 */
export function createFileFinder(present: Present, names: readonly string[]): (named: string) => string {
  const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();
  const group = (paths: Present): ReadonlyMap<string, readonly string[]> => Map.groupBy(paths, keyOf);
  let alike: Readonly<Record<'files' | 'names', ReturnType<typeof group>>> | undefined;
  return (named) => {
    if (present.has(named)) return named;
    alike ??= { files: group(present), names: group(new Set(names)) };
    const [only = named, ...more] = alike.files.get(keyOf(named)) ?? [];
    return more.length === 0 && alike.names.get(keyOf(named))?.length === 1 ? only : named;
  };
}

function readSidecarNames(path: string, bytes: Uint8Array): HashList {
  const rules = { name: path, timeZone: 'UTC' };
  const table = isIncidentSidecar(path) ? undefined : readVideosTable(bytes, path);
  const sidecar =
    table === undefined ? readSidecar(bytes, rules) : table.ok && sidecarOf({ videos: table.value }, rules);
  if (sidecar === false || !sidecar.ok) return { files: [], refused: [] };
  const files = sidecar.value.videos.flatMap(({ file, sha256 }) =>
    file === undefined
      ? []
      : [{ path: file, ...(sha256 !== undefined && { algorithm: 'sha256' as const, sum: sha256 }) }],
  );
  return { files, refused: [] };
}

/** A name in a list, and its line, from 1. */
interface NamedRow {
  readonly row: number;
  readonly name: string;
}

/** One path per line, after `File1=` in the older form. */
function playlistRows(text: string): readonly NamedRow[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const isOther = /^\s*(?:#|\[|$)|^(?:title|length|version|numberofentries)\d*=/i;
  return lines.flatMap((line, index) =>
    isOther.test(line) ? [] : [{ row: index + 1, name: line.replace(/^file\d+=/i, '').trim() }],
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Texts and attributes of XML that end like a clip or a picture; none if it has a document type. */
function xmlTexts(text: string): readonly NamedRow[] {
  if (/<!(?:doctype|entity)/i.test(text)) return [];
  const found = text.matchAll(/=\s*"([^"<>]{1,300})"|=\s*'([^'<>]{1,300})'|>([^<>]{1,300})</g);
  const rows: NamedRow[] = [];
  let row = 1;
  let counted = 0;
  for (const { 1: double, 2: single, 3: plain, index } of found) {
    const written = (double ?? single ?? plain ?? '').trim();
    if (!isKnownExtension(splitName(baseName(written)).extension)) continue;
    row += text.slice(counted, index).split('\n').length - 1;
    counted = index;
    const name = written.replaceAll(
      /&(amp|lt|gt|quot|apos);/g,
      (whole, key: string) => entities[key] ?? whole,
    );
    rows.push({ row, name });
    if (rows.length > MAX_LIST_ROWS) break;
  }
  return rows;
}

/** Ignores URLs and full paths, which name nothing in the folder; refuses a path that leaves it. */
function inFolder(list: string, rows: readonly NamedRow[]): HashList {
  const paths = new Set<string>();
  const refused = [...rowsBeyond(rows)];
  for (const { row, name } of rows.slice(0, MAX_LIST_ROWS)) {
    const path = plainPath(name);
    if (/^[a-z][a-z\d+.-]*:|^\//i.test(path)) continue;
    const why = pathProblem(path);
    if (why === undefined) paths.add(folderOf(list) + path);
    else refused.push({ row, why });
  }
  return { files: [...paths].map((path) => ({ path })), refused };
}

const plainPath = (row: string): string => row.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');

/** An incident package may name its files without their folders. */
function inPackage(rows: readonly NamedRow[], present: Present): HashList {
  const byName = Map.groupBy(present, (path) => baseName(path).toLowerCase());
  const named = inFolder('', rows);
  const files = named.files.map(({ path }) => {
    const [only, ...more] = present.has(path) ? [path] : (byName.get(baseName(path).toLowerCase()) ?? []);
    return { path: only !== undefined && more.length === 0 ? only : path };
  });
  return { ...named, files };
}

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

/** Reads a list; `path` is its own path in the export. */
export function readHashList(path: string, text: string): HashList {
  const { extension } = splitName(baseName(path));
  const rows = extension === 'csv' ? tableRows(text) : lineRows(text, onlyFileOf(path));
  if (rows === undefined) return { files: [], refused: [{ row: 1, why: NO_COLUMNS }] };
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

/** The first row beyond the limit, if there is one. */
function rowsBeyond(rows: readonly { readonly row: number }[]): readonly RefusedRow[] {
  const why = `exceeds the limit of ${MAX_LIST_ROWS.toLocaleString('en')} rows, as do all later rows`;
  return rows.slice(MAX_LIST_ROWS, MAX_LIST_ROWS + 1).map(({ row }) => ({ row, why }));
}

const NO_COLUMNS =
  'does not name both a checksum and a file column (such as Hash and Path), so no checksums are checked';

function readRow({ row, name, sum }: Row, list: string): ListedFile | RefusedRow {
  const path = name.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
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
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'names a file by its full path';
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
