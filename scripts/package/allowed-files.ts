import { trayGlyphs } from '../icons/icon-files.ts';
import { nativeModules, type PackTarget } from './packed-app.ts';

/** What the archive may hold of our own. */
const ownFiles: readonly RegExp[] = [
  /^package\.json$/,
  /^dist\/main\/[\w-]+\.js$/,
  /^dist\/main\/tray\/[a-zA-Z]+(@2x)?\.png$/,
  /^dist\/preload\/preload\.cjs$/,
  /^dist\/renderer\/(index|thumbnailer)\.html$/,
  /^dist\/renderer\/assets\/[\w.-]+\.(js|css|svg|woff2|png)$/,
  /^build\/icons\/256x256\.png$/,
];
/** What a module may bring: code, data that code reads, and its licence. */
const moduleFiles: readonly RegExp[] = [
  /\.(js|cjs|mjs|json|wasm)$/,
  /\/(licen[cs]e|notice|copying|copyrightnotice|thirdpartynotice)[^/]*$/i,
];
/** In whatever folder: these are never code that runs. */
const refused: readonly RegExp[] = [
  /\.(map|ts|mts|cts|tsx|flow|md|markdown)$/,
  /\/(test|tests|__tests__|example|examples|docs|coverage|\.github)\//,
  /\.(test|spec)\.[cm]?js$/,
];
/** The picture of each state, in the form of macOS and that of all others. */
const trayPictures = trayGlyphs.flatMap((glyph) =>
  ['', 'Template'].flatMap((form) => [`${glyph}${form}.png`, `${glyph}${form}@2x.png`]),
);
/** Without these the program does not start or does not do its work. */
const needed = [
  'package.json',
  'dist/main/main.js',
  'dist/main/headless.js',
  'dist/main/hash-worker.js',
  'dist/main/probe-worker.js',
  'dist/main/check-worker.js',
  'dist/main/snapshot-worker.js',
  ...trayPictures.map((name) => `dist/main/tray/${name}`),
  'dist/preload/preload.cjs',
  'dist/renderer/index.html',
  'dist/renderer/thumbnailer.html',
  'node_modules/better-sqlite3/lib/index.js',
  'build/icons/256x256.png',
];

/** The package that a file of `node_modules` belongs to: the builder puts packages into folders of its own choosing. */
const MODULE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Files that do not belong into the archive; `modules` are the names of the shipped packages. */
export function unexpectedFiles(
  files: readonly string[],
  target: PackTarget,
  modules: ReadonlySet<string>,
): readonly string[] {
  const native = new Set(nativeModules(target));
  return files.filter((file) => {
    const name = MODULE.exec(file)?.[1];
    if (name === undefined) return !ownFiles.some((pattern) => pattern.test(file));
    if (native.has(file)) return false;
    return (
      !modules.has(name) ||
      refused.some((pattern) => pattern.test(file)) ||
      !moduleFiles.some((pattern) => pattern.test(file))
    );
  });
}

/** Files without which the program does not do its work. */
export function missingFiles(files: readonly string[], target: PackTarget): readonly string[] {
  const present = new Set(files);
  const missing = [...needed, ...nativeModules(target)].filter((file) => !present.has(file));
  // Its folder inside the package has changed from version to version.
  const hasWasm = files.some((file) => /^node_modules\/mediainfo\.js\/.*\.wasm$/.test(file));
  return hasWasm ? missing : [...missing, 'node_modules/mediainfo.js/**/*.wasm'];
}

/** Where the packages in the archive say what they are. */
export const moduleManifests = (files: readonly string[]): readonly string[] =>
  files.filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file));
