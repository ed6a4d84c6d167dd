import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BYTES_PER_KB = 1000;
/** The page of the windows and of the console. Others (a hidden one that makes images) are counted separately. */
const PAGE = 'index.html';

/** Scripts, styles and pages as they are built, compressed, kB (1000 bytes). */
export interface PageSizes {
  /** Files that the page itself refers to: they are loaded before anything is shown. */
  readonly first: number;
  /** Including everything that is loaded later. */
  readonly all: number;
  /** Files that only other pages refer to. */
  readonly apart: number;
}

/** Measures the built pages. */
export function pageSizes(folder: string): PageSizes {
  const files = filesOf(folder, ['.js', '.css', '.html']);
  const start = files.filter((path) => basename(path) === PAGE);
  const first = [...start, ...namedIn(start, files)];
  const all = reachedFrom(first, files);
  return {
    first: gzipKilobytes(first),
    all: gzipKilobytes(all),
    apart: gzipKilobytes(files.filter((path) => !all.includes(path))),
  };
}

/** Size of the fonts of the built pages, uncompressed: a browser loads those that a text needs. */
export function fontKilobytes(folder: string): number {
  const sizes = filesOf(folder, ['.woff2']).map((path) => readFileSync(path).length);
  return sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB;
}

function reachedFrom(reached: readonly string[], files: readonly string[]): readonly string[] {
  const more = namedIn(reached, files).filter((path) => !reached.includes(path));
  return more.length === 0 ? reached : reachedFrom([...reached, ...more], files);
}

/** File names contain a hash of their contents, so none is part of another word. */
function namedIn(readers: readonly string[], files: readonly string[]): readonly string[] {
  const texts = readers.map((path) => readFileSync(path, 'utf8')).join('\n');
  return files.filter((path) => basename(path) !== PAGE && texts.includes(basename(path)));
}

function gzipKilobytes(paths: readonly string[]): number {
  const sizes = paths.map((path) => gzipSync(readFileSync(path), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB;
}

function filesOf(folder: string, endings: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => join(folder, path));
}
