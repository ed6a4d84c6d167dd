import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { FUSE_COUNT } from './builder-hooks.ts';
import { getRawHeader, listPackage } from '@electron/asar';

/** Marks the fuses in a runtime; followed by the version, the number of fuses, and a digit for each. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_WIRE_VERSION = 1;
/**
 * A Windows program of 1024 bytes without code, with version information: the builder needs it to write the archive's
 * checksum into. Made with `resedit` (NtExecutable.createEmpty, one VersionInfo), deflated.
 */
const EMPTY_EXE =
  'zZPPSgJRGMV/dxgCC8Vlu0ZwLS7ctDMYrQGbkSZE2tjkTCXojFzHvauex0WLCHoEn6WeIGOujmUZCUF0Nufec7/vnMv9c3oxQQA6MJ/DhAWq/IykNnfwmOM+Mys8iMasYDquMYj8wAij2BiNh8NIxoFfymZ3i994NGvg34k17QWtsKdtKM4vYkU61mBnuZQyxkJH0aVIm1L6Ol8brosaf4aSHMkucCs+ZH/Kr253Lb+AUNH7789gpSfbKm/QE5wA7TzkBUz15fGJCtDCpUOLGme4WDjYdLCwqeOouif9+TX12RZDlewSI+kRckOdHn0CLEKuiYCGqilTocyh4qtk/1TIIGgiifAZ0yXGxmNAoLxryqervCNCpZnKq4WH3JAERfV7zpF4hIzo4xHTW/Vn9KnePDJNyz5u/zd+Aw==';

/** A macOS program is a bundle with four helpers, each with an Info.plist that the builder edits. */
const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'];

/** Fuses as shipped by Electron: each has some state, but not all have the one we want. */
const fuseWire = (): Buffer =>
  Buffer.concat([
    Buffer.from(FUSE_SENTINEL),
    Buffer.from([FUSE_WIRE_VERSION, FUSE_COUNT]),
    Buffer.from('1'.padEnd(FUSE_COUNT, '01')),
  ]);

/** Platforms as the builder names them. */
export const targets = ['linux', 'win', 'mac'] as const;
export type PackTarget = (typeof targets)[number];

/** The same platforms as Node names them. */
export const nodePlatforms = { linux: 'linux', win: 'win32', mac: 'darwin' } as const;

const PRODUCT = 'VMS Export Agent';
/** The architecture in the names of prebuilt native modules. */
export const ARCH = 'x64';

/** A packaged program in a folder, before an installer is made from it. */
export interface PackedApp {
  readonly target: PackTarget;
  /** The folder with the whole package. */
  readonly folder: string;
  readonly executable: string;
  readonly resources: string;
}

/** Where the builder puts a program, below its output folder. */
export function packedApp(target: PackTarget, output: string): PackedApp {
  switch (target) {
    case 'linux':
      return place(target, join(output, 'linux-unpacked'), 'vms-export-agent', 'resources');
    case 'win':
      return place(target, join(output, 'win-unpacked'), `${PRODUCT}.exe`, 'resources');
    case 'mac':
      return place(target, join(output, 'mac'), `${PRODUCT}.app`, `${PRODUCT}.app/Contents/Resources`);
  }
}

const place = (target: PackTarget, folder: string, executable: string, resources: string): PackedApp => ({
  target,
  folder,
  executable: join(folder, executable),
  resources: join(folder, resources),
});

export const asarOf = (app: PackedApp): string => join(app.resources, 'app.asar');

/** The native module for this platform. */
function nativeModule(target: PackTarget): string {
  return `node_modules/better-sqlite3/prebuilds/${nodePlatforms[target]}-${ARCH}.node`;
}

/** The native modules that may be present: a universal program contains both. */
export function nativeModules(target: PackTarget): readonly string[] {
  const own = nativeModule(target);
  return target === 'mac' ? [own, own.replace(ARCH, 'arm64')] : [own];
}

/** Paths of the files in the archive, including unpacked ones; with forward slashes, and no leading one. */
export function filesIn(asar: string): readonly string[] {
  const entries = listPackage(asar, { isPack: false }).map((entry) => entry.replaceAll('\\', '/').slice(1));
  const folders = new Set(entries.map((entry) => entry.slice(0, Math.max(0, entry.lastIndexOf('/')))));
  return entries.filter((entry) => !folders.has(entry));
}

/** The archive's header as the runtime hashes it. */
export const headerOf = (asar: string): string => getRawHeader(asar).headerString;

/**
 * Writes a stand-in that the builder accepts as an unpacked Electron of this version: checking the contents of a
 * package does not need the real one, which is not available everywhere.
 */
export function makeStandIn(folder: string, target: PackTarget, version: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'version'), version);
  writeFileSync(join(folder, 'LICENSE'), 'stand-in\n');
  writeFileSync(join(folder, 'LICENSES.chromium.html'), 'stand-in\n');
  if (target === 'mac') return makeMacApp(join(folder, 'Electron.app', 'Contents'));
  for (const inner of ['locales', 'resources']) mkdirSync(join(folder, inner), { recursive: true });
  writeFileSync(join(folder, 'locales', 'en-US.pak'), '');
  const head = target === 'win' ? inflateRawSync(Buffer.from(EMPTY_EXE, 'base64')) : Buffer.from('\u007fELF');
  writeProgram(join(folder, target === 'win' ? 'electron.exe' : 'electron'), head);
}

function writeProgram(file: string, head: Buffer): void {
  writeFileSync(file, Buffer.concat([head, fuseWire()]));
  chmodSync(file, 0o755);
}

function makeMacApp(contents: string): void {
  const framework = join(contents, 'Frameworks', 'Electron Framework.framework');
  for (const inner of [join(contents, 'MacOS'), join(contents, 'Resources'), framework])
    mkdirSync(inner, { recursive: true });
  writeProgram(join(contents, 'MacOS', 'Electron'), Buffer.from('stand-in'));
  writeProgram(join(framework, 'Electron Framework'), Buffer.from('stand-in'));
  writeFileSync(join(contents, 'Info.plist'), propertyList('Electron', 'com.github.Electron'));
  for (const kind of helpers) {
    const name = `Electron Helper${kind}`;
    const helper = join(contents, 'Frameworks', `${name}.app`, 'Contents');
    mkdirSync(join(helper, 'MacOS'), { recursive: true });
    writeProgram(join(helper, 'MacOS', name), Buffer.from('stand-in'));
    writeFileSync(join(helper, 'Info.plist'), propertyList(name, 'com.github.Electron.helper'));
  }
}

const propertyList = (name: string, id: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>CFBundleExecutable</key><string>${name}</string>
  <key>CFBundleIdentifier</key><string>${id}</string>
  <key>CFBundleName</key><string>${name}</string>
  <key>CFBundlePackageType</key><string>APPL</string>
</dict></plist>
`;

/** Parts of a package that belong to the runtime, not to us. */
export const runtimeFiles: readonly RegExp[] = [
  /^(LICENSE\.electron\.txt|LICENSES\.chromium\.html|version)$/,
  /^locales\//,
  /^vms-export-agent$/,
  new RegExp(`^${PRODUCT}\\.exe$`),
  new RegExp(`^${PRODUCT}\\.app/Contents/(MacOS|Frameworks)/`),
];
