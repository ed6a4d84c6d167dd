import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isBuildOld } from '../../../scripts/ensure-built.ts';

const BUILT_AT = 1_000_000;
const products = ['dist/main/main.js', 'dist/preload/preload.cjs', 'dist/renderer/index.html'];

describe('the built app', () => {
  let root = '';
  async function put(path: string, atSeconds: number): Promise<void> {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, '');
    await utimes(file, atSeconds, atSeconds);
  }
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'build-age-'));
    for (const path of products) await put(path, BUILT_AT);
    await put('electron/main.ts', BUILT_AT - 10);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  test('is used as it is while nothing changed since', () => {
    expect(isBuildOld(root)).toBe(false);
  });

  test.each(products)('is old when %s is missing', async (path) => {
    await rm(join(root, path));
    expect(isBuildOld(root)).toBe(true);
  });

  test.each([
    'electron/desktop/deep/tray.ts',
    'shared/ipc/channels.ts',
    'renderer/ui/x.css',
    'package-lock.json',
  ])('is old when %s changed after it', async (path) => {
    await put(path, BUILT_AT + 1);
    expect(isBuildOld(root)).toBe(true);
  });

  test('is not old because a test or a page of the documentation changed', async () => {
    await put('test/unit/x.test.ts', BUILT_AT + 1);
    await put('docs/x.md', BUILT_AT + 1);
    expect(isBuildOld(root)).toBe(false);
  });
});
