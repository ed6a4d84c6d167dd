import { describe, expect, test } from 'vitest';
import { missingFiles, moduleManifests, unexpectedFiles } from '../../../../scripts/package/allowed-files.ts';
import type { PackTarget } from '../../../../scripts/package/packed-app.ts';

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
        'dist/main/probe-worker.js',
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
