import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { extname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { err, ok, type Result } from '../../shared/lib/result.ts';

/** Where the built pages are, relative to the source and to the bundle. */
const places = ['../../dist/renderer', '../renderer'];

/** File types of the built pages. A file of another type does not belong there and is not served. */
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

/** The folder of the pages that were built with this program; undefined when there are none. */
export function findBuiltPages(): string | undefined {
  const folders = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  return folders.find((folder) => existsSync(join(folder, 'index.html')));
}

/** One file of the pages. */
export interface Asset {
  readonly file: string;
  readonly type: string;
  /** True when the content under this name never changes. */
  readonly isFixed: boolean;
}

/**
 * The file for a path from `readPath`; undefined when there is none inside the folder. Links are resolved first, so
 * that none leads out.
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

/** Why an address is refused: an HTTP status and a sentence. */
interface RefusedPath {
  readonly status: 400 | 414;
  readonly text: string;
}

/** Longest address, characters: a launch address has 51, an asset fewer than 100. */
const MAX_TARGET_LENGTH = 1024;

/** Escapes that would turn into a separator, a NUL, a dot or another escape after the check. */
const DISGUISED = /%(?:2f|5c|00|2e|25)/i;

/** A segment of our own paths. No leading dot: neither `..` nor hidden files; no colon: neither drives nor streams. */
const SEGMENT = /^[\w-][\w.-]*$/;

/** The segments of an address's path, decoded once; empty for `/`. The query is ignored: nothing here depends on it. */
export function readPath(target: string): Result<readonly string[], RefusedPath> {
  if (target.length > MAX_TARGET_LENGTH) return err({ status: 414, text: 'The address is too long.' });
  const [path = ''] = target.split('?', 1);
  const decoded = DISGUISED.test(path) ? undefined : decode(path);
  if (decoded === undefined || !decoded.startsWith('/')) return err(malformed);
  if (decoded === '/') return ok([]);
  const segments = decoded.slice(1).split('/');
  return segments.every((segment) => SEGMENT.test(segment)) ? ok(segments) : err(malformed);
}

const malformed: RefusedPath = { status: 400, text: 'The address is not valid.' };

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** A page may load and run only what comes from its own origin; no text ever becomes markup or script. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** Browser features that no screen uses. */
const SWITCHED_OFF = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'publickey-credentials-get',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/**
 * Headers of every response of the console and of the app's own scheme, refusals included. There are no CORS headers:
 * no other origin may read anything.
 */
export const securityHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': SWITCHED_OFF.map((name) => `${name}=()`).join(', '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const satisfies Readonly<Record<string, string>>;
