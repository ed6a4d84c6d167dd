import { realpath } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, sep } from 'node:path';

/** Everything that the built pages are made of. A file of another kind does not belong there and is not served. */
const MIME_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
]);

/** A name that changes with its contents: the bundler puts eight characters of their hash into it. */
const HASHED_NAME = /^assets\/(?:.*\/)?[^/]+-[\w-]{8}\.\w+$/;

/** One file of the pages. */
export interface Asset {
  readonly file: string;
  readonly type: string;
  /** True when what is under this name never changes. */
  readonly isFixed: boolean;
}

/**
 * The file for a path that `readPath` answered; undefined when there is none inside the folder. Links are followed
 * first, so that none leads out.
 */
export async function findAsset(assetsDir: string, segments: readonly string[]): Promise<Asset | undefined> {
  const names = segments.length === 0 ? ['index.html'] : segments;
  const type = MIME_TYPES.get(extname(names.at(-1) ?? ''));
  if (type === undefined) return undefined;
  const root = await realPathOf(assetsDir);
  const file = await realPathOf(join(assetsDir, ...names));
  if (root === undefined || file === undefined || !isInside(root, file)) return undefined;
  return { file, type, isFixed: HASHED_NAME.test(names.join('/')) };
}

function isInside(root: string, file: string): boolean {
  const way = relative(root, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

async function realPathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
