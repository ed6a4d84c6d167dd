import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAsset } from '../../../electron/pages/find-asset.ts';

let base: string;
let pages: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'console-assets-'));
  pages = join(base, 'pages');
  await mkdir(join(pages, 'assets'), { recursive: true });
  // A neighbour whose path begins like the folder's own
  await mkdir(join(base, 'pages-old'));
  for (const file of ['index.html', 'assets/index-Bx_9-aZ1.js', 'assets/inter.woff2', 'notes.exe', 'README'])
    await writeFile(join(pages, file), file);
  await writeFile(join(base, 'secret.json'), 'secret');
  await writeFile(join(base, 'pages-old', 'old.js'), 'old');
  await symlink(join(base, 'secret.json'), join(pages, 'out.json'));
  await symlink(join(base, 'pages-old'), join(pages, 'old'));
  await symlink(base, join(pages, 'assets', 'up'));
  await symlink(join(pages, 'index.html'), join(pages, 'inside.html'));
  await symlink(join(pages, 'gone.js'), join(pages, 'dangling.js'));
});
afterAll(() => rm(base, { recursive: true }));

describe('findAsset', () => {
  it('answers the front page for the bare address', async () => {
    expect(await findAsset(pages, [])).toEqual({
      file: join(pages, 'index.html'),
      type: 'text/html; charset=utf-8',
      isFixed: false,
    });
  });

  it.each([
    ['assets/index-Bx_9-aZ1.js', 'text/javascript; charset=utf-8', true],
    ['assets/inter.woff2', 'font/woff2', false],
    ['index.html', 'text/html; charset=utf-8', false],
  ])('answers %s as %s', async (path, type, isFixed) => {
    expect(await findAsset(pages, path.split('/'))).toEqual({ file: join(pages, path), type, isFixed });
  });

  it('follows a link that stays inside', async () => {
    expect(await findAsset(pages, ['inside.html'])).toMatchObject({ file: join(pages, 'index.html') });
  });

  it.each([
    ['a link out of the folder', 'out.json'],
    ['a linked folder whose path begins like ours', 'old/old.js'],
    ['a linked folder above', 'assets/up/secret.json'],
    ['the way up', '../secret.json'],
    ['a link to nothing', 'dangling.js'],
    ['a file that is not there', 'assets/missing.js'],
    ['a file below a file', 'index.html/x.js'],
    ['a folder', 'assets'],
    ['a kind that no page has', 'notes.exe'],
    ['a file without a kind', 'README'],
  ])('has nothing for %s', async (_what, path) => {
    expect(await findAsset(pages, path.split('/'))).toBeUndefined();
  });

  it('has nothing when the folder itself is gone', async () => {
    expect(await findAsset(join(base, 'never'), [])).toBeUndefined();
  });
});
