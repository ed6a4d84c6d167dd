import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createPackageWithOptions } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { trayGlyphs } from '../../../../scripts/icons/icon-files.ts';
import { nativeDigest } from '../../../../electron/desktop/security/native-module.ts';
import { afterPack, wrongFuses } from '../../../../scripts/package/builder-hooks.ts';
import {
  checkApp,
  missingFiles,
  moduleManifests,
  unexpectedFiles,
} from '../../../../scripts/package/check-app.ts';
import type { LockedPackage } from '../../../../scripts/package/locked-packages.ts';
import {
  packedApp,
  type PackedApp,
  type PackTarget,
  makeStandIn,
} from '../../../../scripts/package/packed-app.ts';

const NATIVE = 'node_modules/better-sqlite3/prebuilds/linux-x64.node';
const shipped: readonly LockedPackage[] = ['better-sqlite3', 'mediainfo.js'].map((name) => ({
  name,
  folder: `node_modules/${name}`,
  version: '1.0.0',
}));
const manifest = {
  name: 'vms-export-agent',
  version: '0.1.0',
  type: 'module',
  main: 'dist/main/main.js',
  dependencies: {},
};

/** The contents of a correct package, reduced to what is checked. */
const files: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify(manifest),
  ...Object.fromEntries(
    ['headless', 'hash-worker', 'probe-worker', 'send-worker', 'check-worker'].map((name) => [
      `dist/main/${name}.js`,
      '',
    ]),
  ),
  ...Object.fromEntries(
    trayGlyphs.flatMap((glyph) =>
      [glyph, `${glyph}@2x`, `${glyph}Template`, `${glyph}Template@2x`].map((name) => [
        `dist/main/tray/${name}.png`,
        '',
      ]),
    ),
  ),
  'dist/main/main.js': `const checksum = "${nativeDigest(Buffer.from('native'))}";`,
  'dist/preload/preload.cjs': 'const { contextBridge } = require("electron");',
  'dist/renderer/index.html': '<!doctype html>',
  'dist/renderer/thumbnailer.html': '<!doctype html>',
  'build/icons/256x256.png': '',
  'node_modules/better-sqlite3/package.json': '{"name":"better-sqlite3","version":"1.0.0"}',
  'node_modules/better-sqlite3/lib/index.js': '',
  [NATIVE]: 'native',
  'node_modules/mediainfo.js/package.json': '{"name":"mediainfo.js","version":"1.0.0"}',
  'node_modules/mediainfo.js/dist/MediaInfoModule.wasm': '',
};

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-packed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A packaged program with these files, as the builder would leave it. */
async function pack(content: Readonly<Record<string, string>>): Promise<PackedApp> {
  const app = packedApp('linux', folder);
  makeStandIn(app.folder, 'linux', '45.4.1');
  writeFileSync(app.executable, await readStandIn(app));
  const source = join(folder, 'source');
  for (const [path, text] of Object.entries(content)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  await createPackageWithOptions(source, join(app.resources, 'app.asar'), { unpack: '**/*.node' });
  writeFileSync(join(app.resources, 'licences.txt'), '\nbetter-sqlite3 1.0.0\n\nmediainfo.js 1.0.0\n');
  await afterPack({
    appOutDir: app.folder,
    electronPlatformName: 'linux',
    packager: { executableName: 'vms-export-agent', appInfo: { productFilename: 'x' } },
  });
  return app;
}

/** Reads the runtime's program, which the builder renames, and removes it with its licence. */
async function readStandIn(app: PackedApp): Promise<Buffer> {
  const { readFile, rm } = await import('node:fs/promises');
  const made = join(app.folder, 'electron');
  const content = await readFile(made);
  await rm(made);
  await rm(join(app.folder, 'LICENSE'));
  return content;
}

async function problemsOf(app: PackedApp): Promise<readonly string[]> {
  return (await checkApp(app, shipped)).flatMap(({ problems }) => problems);
}

const without = (path: string): Record<string, string> =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== path));

describe('the look at a package', () => {
  test('finds nothing wrong with a right one', async () => {
    expect(await problemsOf(await pack(files))).toEqual([]);
  });

  test('finds a source map', async () => {
    const app = await pack({ ...files, 'dist/main/main.js.map': '{}' });
    expect(await problemsOf(app)).toEqual(['dist/main/main.js.map']);
  });

  test('finds that the native module is missing', async () => {
    const app = await pack(without(NATIVE));
    expect(await problemsOf(app)).toEqual([NATIVE, `${NATIVE} is missing`, NATIVE]);
  });

  test.each([
    ['there', './hash-worker.js', './tray/', []],
    ['missing', './new-worker.js', '../pages/', ['dist/main/new-worker.js', 'dist/pages/']],
  ])('looks for what a part of the program names beside itself: %s', async (_what, worker, folder, wrong) => {
    const part = `new Worker(new URL("${worker}", import.meta.url)); new URL("${folder}", import.meta.url);`;
    const app = await pack({ ...files, 'dist/main/create-agent.js': part });
    expect(await problemsOf(app)).toEqual(wrong);
  });

  test('finds the native module of another platform', async () => {
    const other = NATIVE.replace('linux', 'win32');
    expect(await problemsOf(await pack({ ...files, [other]: 'native' }))).toEqual([other, other]);
  });

  test('finds a native module that the program would not load', async () => {
    const app = await pack({ ...files, [NATIVE]: 'another' });
    expect(await problemsOf(app)).toEqual([NATIVE]);
  });

  test('finds a fuse that was set otherwise', async () => {
    const app = await pack(files);
    await flipFuses(app.executable, { version: FuseVersion.V1, [FuseV1Options.RunAsNode]: true });
    expect(await problemsOf(app)).toEqual(['fuse RunAsNode is on, wanted off']);
  });

  test('finds a preload that needs more than electron', async () => {
    const app = await pack({
      ...files,
      'dist/preload/preload.cjs': 'require("electron"); require("node:fs")',
    });
    expect(await problemsOf(app)).toEqual(['it requires node:fs']);
  });

  test('finds scripts in package.json, and a package that was left out', async () => {
    const app = await pack({
      ...without('node_modules/mediainfo.js/package.json'),
      'package.json': JSON.stringify({ ...manifest, scripts: {} }),
    });
    expect(await problemsOf(app)).toEqual(['mediainfo.js 1.0.0', 'scripts: scripts do not belong there']);
  });

  test('finds something beside the archive', async () => {
    const app = await pack(files);
    writeFileSync(join(app.resources, 'notes.txt'), '');
    expect(await problemsOf(app)).toEqual(['notes.txt']);
  });
});

describe('the fuses', () => {
  test('of a runtime as it comes are not as wanted', async () => {
    makeStandIn(folder, 'linux', '45.4.1');
    expect(await wrongFuses(join(folder, 'electron'))).not.toEqual([]);
  });

  test('stop the build when the runtime has one that nobody decided about', async () => {
    const file = join(folder, 'vms-export-agent');
    const wire = Buffer.concat([
      Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
      Buffer.from([1, 10]),
      Buffer.from('1111111111'),
    ]);
    writeFileSync(file, wire);
    const packager = { executableName: 'vms-export-agent', appInfo: { productFilename: 'x' } };
    await expect(afterPack({ appOutDir: folder, electronPlatformName: 'linux', packager })).rejects.toThrow(
      /strictlyRequireAllFuses/,
    );
    expect(await wrongFuses(file)).toContain('fuse 9 of this runtime is not named');
  });
});

const modules = new Set(['better-sqlite3', 'got', '@swc/helpers', 'mediainfo.js']);

describe('the allow-list of the archive', () => {
  test.each<readonly [target: PackTarget, file: string]>([
    ['linux', 'package.json'],
    ['linux', 'dist/main/main.js'],
    ['linux', 'dist/main/hash-worker.js'],
    ['linux', 'dist/main/tray/idleTemplate@2x.png'],
    ['linux', 'dist/preload/preload.cjs'],
    ['linux', 'dist/renderer/assets/index-BR_VDTuC.js'],
    ['linux', 'node_modules/got/dist/source/index.js'],
    ['linux', 'node_modules/@swc/helpers/LICENSE'],
    ['linux', 'node_modules/mediainfo.js/dist/MediaInfoModule.wasm'],
    ['linux', 'node_modules/got/node_modules/better-sqlite3/lib/index.js'],
    ['linux', 'node_modules/better-sqlite3/prebuilds/linux-x64.node'],
    ['win', 'node_modules/better-sqlite3/prebuilds/win32-x64.node'],
    ['mac', 'node_modules/better-sqlite3/prebuilds/darwin-arm64.node'],
  ])('%s: takes %s', (target, file) => {
    expect(unexpectedFiles([file], target, modules)).toEqual([]);
  });

  test.each<readonly [target: PackTarget, file: string]>([
    ['linux', 'dist/main/main.js.map'],
    ['linux', 'dist/renderer/assets/index.js.map'],
    ['linux', 'dist/licences.txt'],
    ['linux', 'electron/main.ts'],
    ['linux', 'test/unit/a.test.ts'],
    ['linux', '.npmrc'],
    ['linux', 'README.md'],
    ['linux', 'build/icon.svg'],
    ['linux', 'node_modules/left-pad/index.js'],
    ['linux', 'node_modules/got/README.md'],
    ['linux', 'node_modules/got/dist/index.d.ts'],
    ['linux', 'node_modules/got/test/index.js'],
    ['linux', 'node_modules/got/dist/a.test.js'],
    ['linux', 'node_modules/better-sqlite3/deps/sqlite3.c'],
    ['linux', 'node_modules/better-sqlite3/prebuilds/linuxmusl-x64.node'],
    ['linux', 'node_modules/better-sqlite3/prebuilds/linux-arm64.node'],
    ['win', 'node_modules/better-sqlite3/prebuilds/linux-x64.node'],
    ['mac', 'node_modules/better-sqlite3/prebuilds/win32-x64.node'],
  ])('%s: refuses %s', (target, file) => {
    expect(unexpectedFiles([file], target, modules)).toEqual([file]);
  });

  test('names what has to be there and is not', () => {
    expect(missingFiles(['package.json', 'dist/main/main.js'], 'win')).toEqual(
      expect.arrayContaining([
        'dist/main/headless.js',
        'dist/preload/preload.cjs',
        'node_modules/better-sqlite3/prebuilds/win32-x64.node',
        'node_modules/mediainfo.js/**/*.wasm',
      ]),
    );
  });

  test('finds the packages of the archive by their own package.json', () => {
    const files = [
      'package.json',
      'node_modules/got/package.json',
      'node_modules/@swc/helpers/package.json',
      'node_modules/@swc/helpers/cjs/package.json',
      'node_modules/got/node_modules/zod/package.json',
      'node_modules/zod/v4/package.json',
    ];
    expect(moduleManifests(files)).toEqual([files[1], files[2], files[4]]);
  });
});
