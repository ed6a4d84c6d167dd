/**
 * Reads what names files in an export: checksum lists, `incident.json` and `videos.csv`, playlists, and the XML of an
 * incident package. They show that a file is missing or replaced. No path leaves the folder, and nothing is expanded or
 * fetched: XML with a document type is refused, and only its texts that end like a clip or a picture count.
 */
import { decodeText } from '../text/parse-strict-json.ts';
import { baseName, folderOf, isKnownExtension, splitName } from './file-kinds.ts';
import {
  foldedPath,
  isHashList,
  MAX_LIST_ROWS,
  pathProblem,
  plainPath,
  readHashList,
  rowsBeyond,
  type HashList,
} from './hash-list.ts';
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
  if (isHashList(path)) return (list, _bytes, text, present) => readHashList(list, text, present);
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
  const group = (paths: Present): ReadonlyMap<string, readonly string[]> => Map.groupBy(paths, foldedPath);
  let alike: Readonly<Record<'files' | 'names', ReturnType<typeof group>>> | undefined;
  return (named) => {
    if (present.has(named)) return named;
    alike ??= { files: group(present), names: group(new Set(names)) };
    const [only = named, ...more] = alike.files.get(foldedPath(named)) ?? [];
    return more.length === 0 && alike.names.get(foldedPath(named))?.length === 1 ? only : named;
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
