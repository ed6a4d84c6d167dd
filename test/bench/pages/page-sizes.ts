import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const BYTES_PER_KB = 1000;

/** Scripts and styles of the built pages, compressed, kB (1000 bytes). */
export function scriptKilobytes(folder: string): number {
  return gzipKilobytes(folder, ['.js', '.css', '.html']);
}

/** Fonts of the built pages as they are: a browser takes those that a text needs. */
export function fontKilobytes(folder: string): number {
  const sizes = filesOf(folder, ['.woff2']).map((path) => readFileSync(path).length);
  return sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB;
}

function gzipKilobytes(folder: string, endings: readonly string[]): number {
  const sizes = filesOf(folder, endings).map((path) => gzipSync(readFileSync(path), { level: 9 }).length);
  return sizes.reduce((sum, size) => sum + size, 0) / BYTES_PER_KB;
}

function filesOf(folder: string, endings: readonly string[]): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => join(folder, path));
}
