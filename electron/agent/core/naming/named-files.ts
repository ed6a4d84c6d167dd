/**
 * What in an export names its files: lists of checksums, `incident.json` and `videos.csv`, playlists, and the XML of an
 * incident package. They tell when a file is missing or another one. No path leaves the folder, and nothing is expanded
 * or fetched: a document type is refused, and of XML only texts that end like a clip or a picture are looked at.
 */
import { decodeText } from '../text/parse-strict-json.ts';
import { baseName, folderOf, isKnownExtension, splitName } from './file-kinds.ts';
import { isHashList, MAX_LIST_ROWS, pathProblem, readHashList, type HashList } from './hash-list.ts';
import { readSidecar, sidecarOf } from './read-sidecar.ts';
import { SIDECAR_NAME } from './recognise-export.ts';
import { readVideosTable } from './sidecar-tables.ts';

/** Playlists of players: a path a line, or in XML. */
const playlists = new Set(['m3u', 'm3u8', 'pls']);
const xmlPlaylists = new Set(['wpl', 'asx', 'xspf']);
/** Folders of a Mission Control incident package; its XML lies beside them. */
const packageFolders = /^(?:videos|images|snapshots)\//i;

type Reader = (path: string, bytes: Uint8Array, text: string, present: Present) => HashList;
type Present = ReadonlySet<string>;

/** How a file is read that names others; undefined: it names none. `isPackage`: the export is an incident package. */
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

/** Whether what is wrong with it is said where it is read for what it describes. */
export const isSidecarName = (path: string): boolean =>
  path === SIDECAR_NAME || path.toLowerCase() === 'videos.csv';

/** Reads one of `filesThatName`; undefined when it is no text. `present`: all paths of the export. */
export function readNamedFiles(path: string, bytes: Uint8Array, present: Present): HashList | undefined {
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  return readerOf(path, true)?.(path, bytes, text, present) ?? { files: [], refused: [] };
}

function readSidecarNames(path: string, bytes: Uint8Array): HashList {
  const rules = { name: path, timeZone: 'UTC' };
  const table = path === SIDECAR_NAME ? undefined : readVideosTable(bytes, path);
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

/** One path a line; `File1=` before it in the older form. */
function playlistRows(text: string): readonly string[] {
  const rows = text.replace(/^\ufeff/, '').split(/\r?\n/, MAX_LIST_ROWS);
  return rows
    .filter(
      (row) => !/^\s*(?:#|\[|$)/.test(row) && !/^(?:title|length|version|numberofentries)\d*=/i.test(row),
    )
    .map((row) => row.replace(/^file\d+=/i, '').trim());
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Texts and attributes of XML that end like a clip or a picture; none where it has a document type. */
function xmlTexts(text: string): readonly string[] {
  if (/<!(?:doctype|entity)/i.test(text)) return [];
  const found = text.matchAll(/=\s*"([^"<>]{1,300})"|=\s*'([^'<>]{1,300})'|>([^<>]{1,300})</g);
  const texts: string[] = [];
  for (const [, double, single, plain] of found) {
    const name = (double ?? single ?? plain ?? '').trim();
    if (!isKnownExtension(splitName(baseName(name)).extension)) continue;
    texts.push(name.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, key: string) => entities[key] ?? whole));
    if (texts.length === MAX_LIST_ROWS) break;
  }
  return texts;
}

/** Addresses and full paths name nothing in the folder; a path that leaves it is refused. */
function inFolder(list: string, rows: readonly string[]): HashList {
  const paths = new Set<string>();
  const refused: { row: number; why: string }[] = [];
  for (const [index, row] of rows.entries()) {
    const path = plainPath(row);
    if (/^[a-z][a-z\d+.-]*:|^\//i.test(path)) continue;
    const why = pathProblem(path);
    if (why === undefined) paths.add(folderOf(list) + path);
    else refused.push({ row: index + 1, why });
  }
  return { files: [...paths].map((path) => ({ path })), refused };
}

const plainPath = (row: string): string => row.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');

/** An incident package may name its files without their folders. */
function inPackage(rows: readonly string[], present: Present): HashList {
  const byName = Map.groupBy(present, (path) => baseName(path).toLowerCase());
  const named = inFolder('', rows);
  const files = named.files.map(({ path }) => {
    const [only, ...more] = present.has(path) ? [path] : (byName.get(baseName(path).toLowerCase()) ?? []);
    return { path: only !== undefined && more.length === 0 ? only : path };
  });
  return { ...named, files };
}
