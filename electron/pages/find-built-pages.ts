import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the built pages lie, seen from the source and from the bundle. */
const places = ['../../dist/renderer', '../renderer'];

/** The folder of the pages that were built with this program; undefined when they were not. */
export function findBuiltPages(): string | undefined {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, 'index.html')));
}
