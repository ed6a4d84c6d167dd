import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { extractFile } from '@electron/asar';
import { parseSync, Visitor } from 'vite';
import { z } from 'zod';
import { nativeDigest } from '../../electron/desktop/security/native-module.ts';
import { wrongFuses } from './builder-hooks.ts';
import type { LockedPackage } from './locked-packages.ts';
import {
  asarOf,
  filesIn,
  headerOf,
  nativeModules,
  type PackedApp,
  type PackTarget,
  runtimeFiles,
} from './packed-app.ts';
import { trayGlyphs } from '../icons/icon-files.ts';

/** Our own files that the archive may contain. */
const ownInArchive: readonly RegExp[] = [
  /^package\.json$/,
  /^dist\/main\/[\w-]+\.js$/,
  /^dist\/main\/tray\/[a-zA-Z]+(@2x)?\.png$/,
  /^dist\/preload\/preload\.cjs$/,
  /^dist\/renderer\/(index|thumbnailer)\.html$/,
  /^dist\/renderer\/assets\/[\w.-]+\.(js|css|svg|woff2|png)$/,
  /^build\/icons\/256x256\.png$/,
];
/** Files that a module may include: code, data that code reads, and its licence. */
const moduleFiles: readonly RegExp[] = [
  /\.(js|cjs|mjs|json|wasm)$/,
  /\/(licen[cs]e|notice|copying|copyrightnotice|thirdpartynotice)[^/]*$/i,
];
/** Refused in any folder: never executable code. */
const refused: readonly RegExp[] = [
  /\.(map|ts|mts|cts|tsx|flow|md|markdown)$/,
  /\/(test|tests|__tests__|example|examples|docs|coverage|\.github)\//,
  /\.(test|spec)\.[cm]?js$/,
];
/** The tray images of each state, in the macOS form and in the form for other systems. */
const trayPictures = trayGlyphs.flatMap((glyph) =>
  ['', 'Template'].flatMap((form) => [`${glyph}${form}.png`, `${glyph}${form}@2x.png`]),
);
/** Files without which the program does not start or does not work. */
const needed = [
  'package.json',
  'dist/main/main.js',
  'dist/main/headless.js',
  ...trayPictures.map((name) => `dist/main/tray/${name}`),
  'dist/preload/preload.cjs',
  'dist/renderer/index.html',
  'dist/renderer/thumbnailer.html',
  'node_modules/better-sqlite3/lib/index.js',
  'build/icons/256x256.png',
];

/** The package that a file of `node_modules` belongs to: the builder may nest packages in other folders. */
const MODULE = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//;

/** Files that do not belong in the archive; `modules` are the names of the shipped packages. */
export function unexpectedFiles(
  files: readonly string[],
  target: PackTarget,
  modules: ReadonlySet<string>,
): readonly string[] {
  const native = new Set(nativeModules(target));
  return files.filter((file) => {
    const name = MODULE.exec(file)?.[1];
    if (name === undefined) return !ownInArchive.some((pattern) => pattern.test(file));
    if (native.has(file)) return false;
    return (
      !modules.has(name) ||
      refused.some((pattern) => pattern.test(file)) ||
      !moduleFiles.some((pattern) => pattern.test(file))
    );
  });
}

/** Required files that are missing. */
export function missingFiles(files: readonly string[], target: PackTarget): readonly string[] {
  const present = new Set(files);
  const missing = [...needed, ...nativeModules(target)].filter((file) => !present.has(file));
  // Its folder inside the package varies between versions.
  const hasWasm = files.some((file) => /^node_modules\/mediainfo\.js\/.*\.wasm$/.test(file));
  return hasWasm ? missing : [...missing, 'node_modules/mediainfo.js/**/*.wasm'];
}

/** The package.json files of the packages in the archive. */
export const moduleManifests = (files: readonly string[]): readonly string[] =>
  files.filter((file) => /(^|\/)node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file));

/** A check of a packaged program; no problems means that it passed. */
export interface Check {
  readonly name: string;
  readonly problems: readonly string[];
}

/**
 * Size limit for everything but the runtime, bytes: program, modules, pages, documents. People wait for the download.
 */
const MOST_OWN_BYTES = 40_000_000;
/** Files allowed beside the archive in the resources; any others are unexpected. */
const besideAsar =
  /^(app\.asar(\.unpacked\/.*)?|licences\.txt|app-update\.yml|policies\/.*|systemd\/.*|icon\.icns|[a-z-]+\.lproj\/?.*)$/i;
const besideProgram = /^windows-service\//;

/** Checks everything that can be checked without running the program. */
export async function checkApp(app: PackedApp, shipped: readonly LockedPackage[]): Promise<readonly Check[]> {
  const asar = asarOf(app);
  const files = filesIn(asar);
  const modules = new Set(shipped.map(({ name }) => name));
  return [
    {
      name: 'nothing is in the archive that does not belong there',
      problems: unexpectedFiles(files, app.target, modules),
    },
    {
      name: 'everything is in the archive that belongs there',
      problems: [
        ...missingFiles(files, app.target),
        ...missingNamed(asar, files),
        ...missingModules(asar, files, shipped),
      ],
    },
    { name: 'native modules, and only they, lie outside of the archive', problems: checkUnpacked(app) },
    { name: 'the program knows the checksum of its native module', problems: checkNative(app, files) },
    { name: 'nothing else lies beside the archive', problems: checkBeside(app) },
    { name: 'every fuse is as wanted', problems: await wrongFuses(app.executable) },
    { name: 'the program knows the checksum of its archive', problems: checkIntegrity(app) },
    { name: 'the preload is one script that requires only electron', problems: checkPreload(asar) },
    { name: 'package.json says what is needed and no more', problems: checkManifest(asar) },
    { name: 'the licences name every shipped package', problems: checkLicences(app, shipped) },
    { name: `besides the runtime it is under ${MOST_OWN_BYTES / 1e6} MB`, problems: checkSize(app) },
  ];
}

/** Scripts of the program, all in one folder. */
const PROGRAM = /^dist\/main\/[^/]+\.js$/;
/** How scripts refer to files beside them: workers, images, the preload script. */
const NAMED = /new URL\("(\.{1,2}\/[^"]+)", import\.meta\.url\)/g;

/** Files that the program refers to but that are missing: a missing worker would only fail when it is needed. */
function missingNamed(asar: string, files: readonly string[]): readonly string[] {
  const named = files
    .filter((file) => PROGRAM.test(file))
    .flatMap((file) => [...extractFile(asar, file).toString().matchAll(NAMED)])
    .map(([, path = '']) => posix.join('dist/main', path));
  const isThere = (path: string): boolean =>
    path.endsWith('/') ? files.some((file) => file.startsWith(path)) : files.includes(path);
  return [...new Set(named)].filter((path) => !isThere(path));
}

const moduleSchema = z.object({ name: z.string(), version: z.string() });

function missingModules(
  asar: string,
  files: readonly string[],
  shipped: readonly LockedPackage[],
): readonly string[] {
  const found = moduleManifests(files).map((file) => {
    const { name, version } = moduleSchema.parse(JSON.parse(extractFile(asar, file).toString()));
    return `${name} ${version}`;
  });
  return shipped.map(({ name, version }) => `${name} ${version}`).filter((title) => !found.includes(title));
}

function checkUnpacked(app: PackedApp): readonly string[] {
  const folder = `${asarOf(app)}.unpacked`;
  const found = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
  const wanted = nativeModules(app.target);
  return [
    ...wanted.filter((file) => !found.includes(file)).map((file) => `${file} is missing`),
    ...found.filter((file) => !wanted.includes(file)),
  ];
}

/** The program verifies files outside the archive before loading them (electron/desktop/security/native-module.ts). */
function checkNative(app: PackedApp, files: readonly string[]): readonly string[] {
  // The macOS loader only accepts code signed by the same developer
  if (app.target === 'mac') return [];
  const asar = asarOf(app);
  const program = files
    .filter((file) => PROGRAM.test(file))
    .map((file) => extractFile(asar, file).toString())
    .join('\n');
  return nativeModules(app.target).filter((file) => {
    const unpacked = join(`${asar}.unpacked`, file);
    return !existsSync(unpacked) || !program.includes(nativeDigest(readFileSync(unpacked)));
  });
}

function allFiles(folder: string): readonly { readonly path: string; readonly bytes: number }[] {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: file.slice(folder.length + 1).replaceAll('\\', '/'),
      bytes: statSync(file).size,
    }));
}

/** The files besides the runtime; those below the resources have paths relative to them. */
export function ownFiles(app: PackedApp): readonly { readonly path: string; readonly bytes: number }[] {
  const resources = `${app.resources.slice(app.folder.length + 1).replaceAll('\\', '/')}/`;
  return allFiles(app.folder)
    .filter(({ path }) => !runtimeFiles.some((pattern) => pattern.test(path)))
    .map(({ path, bytes }) => ({
      path: path.startsWith(resources) ? path.slice(resources.length) : path,
      bytes,
    }));
}

function checkBeside(app: PackedApp): readonly string[] {
  return ownFiles(app)
    .map(({ path }) => path)
    .filter((path) => !besideAsar.test(path) && !besideProgram.test(path) && !path.endsWith('/Info.plist'));
}

/** macOS stores the checksum in Info.plist, Windows in a resource of the program; Linux has no place for it. */
function checkIntegrity(app: PackedApp): readonly string[] {
  if (app.target === 'linux') return [];
  const wanted = createHash('sha256')
    .update(headerOf(asarOf(app)))
    .digest('hex');
  const holder = app.target === 'win' ? app.executable : join(app.executable, 'Contents', 'Info.plist');
  const text = readFileSync(holder, 'latin1');
  const key = app.target === 'win' ? String.raw`"resources\\app.asar"` : '<key>ElectronAsarIntegrity</key>';
  if (!text.includes(key)) return [`${holder} has no checksum`];
  return text.includes(wanted) ? [] : [`${holder} has another checksum than the archive`];
}

/** A sandboxed preload script has no module loader: requiring anything but electron fails when the window opens. */
function checkPreload(asar: string): readonly string[] {
  const path = 'dist/preload/preload.cjs';
  const scripts = filesIn(asar).filter((file) => file.startsWith('dist/preload/'));
  if (!scripts.includes(path)) return [`${path} is missing`];
  const { program, module, errors } = parseSync(path, extractFile(asar, path).toString());
  const required: string[] = module.staticImports.map((each) => `import ${each.moduleRequest.value}`);
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'require') return;
      required.push(first?.type === 'Literal' ? String(first.value) : 'something that is computed');
    },
  }).visit(program);
  return [
    ...errors.map((error) => error.message),
    ...scripts.filter((file) => file !== path).map((file) => `${file} is a second script`),
    ...required.filter((name) => name !== 'electron').map((name) => `it requires ${name}`),
  ];
}

const manifestSchema = z.object({
  name: z.literal('vms-export-agent'),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  type: z.literal('module'),
  main: z.literal('dist/main/main.js'),
  dependencies: z.record(z.string(), z.string()),
  scripts: z.undefined({ message: 'scripts do not belong there' }).optional(),
  devDependencies: z.undefined({ message: 'development packages do not belong there' }).optional(),
});

function checkManifest(asar: string): readonly string[] {
  const read = manifestSchema.safeParse(JSON.parse(extractFile(asar, 'package.json').toString()));
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

function checkLicences(app: PackedApp, shipped: readonly LockedPackage[]): readonly string[] {
  const file = join(app.resources, 'licences.txt');
  if (!existsSync(file)) return ['licences.txt is missing'];
  const text = readFileSync(file, 'utf8');
  return shipped
    .map(({ name, version }) => `${name} ${version}`)
    .filter((title) => !text.includes(`\n${title}\n`));
}

function checkSize(app: PackedApp): readonly string[] {
  const bytes = ownFiles(app).reduce((sum, file) => sum + file.bytes, 0);
  return bytes <= MOST_OWN_BYTES ? [] : [`it is ${(bytes / 1e6).toFixed(1)} MB`];
}
