import fc from 'fast-check';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAsset, readPath, securityHeaders } from '../../../electron/console/page-files.ts';

let base: string;
let pages: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'console-assets-'));
  pages = join(base, 'pages');
  await mkdir(join(pages, 'assets'), { recursive: true });
  // A sibling whose path begins like that of the folder
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

describe('readPath', () => {
  it.each([
    ['/', []],
    ['/?from=mail', []],
    ['/call', ['call']],
    ['/index.html', ['index.html']],
    ['/assets/index-Bx_9-aZ1.js', ['assets', 'index-Bx_9-aZ1.js']],
    ['/assets/inter.woff2?v=1', ['assets', 'inter.woff2']],
    ['/%63all', ['call']],
    ['/launch/-_codeWithAnything', ['launch', '-_codeWithAnything']],
  ])('reads %s', (target, segments) => {
    expect(readPath(target)).toEqual({ ok: true, value: segments });
  });

  it.each([
    '/../etc/passwd',
    '/a/../../etc/passwd',
    '/..',
    '/./a',
    '/.',
    '/.env',
    '/assets/.hidden',
    '/..%2fetc',
    '/assets%2Findex.js',
    '/%2e%2e/etc/passwd',
    '/%2E%2E%5Cwindows',
    '/%252e%252e/etc/passwd',
    '/a%5cb',
    '/a\\b',
    '/a%00.html',
    '/a%0d%0aset-cookie:x',
    '/a%20b',
    '/a b',
    '/%c3%a9',
    '/%ff',
    '/%zz',
    '/%',
    '//evil.example/',
    '/a//b',
    '/a/',
    '/C:/windows',
    '/index.html::$DATA',
    '/~root',
    '?',
    '',
    'call',
    'http://127.0.0.1/',
  ])('refuses %s', (target) => {
    expect(readPath(target)).toMatchObject({ ok: false, error: { status: 400 } });
  });

  it('refuses an address that is too long', () => {
    expect(readPath(`/${'a'.repeat(1023)}`)).toMatchObject({ ok: true });
    expect(readPath(`/${'a'.repeat(1024)}`)).toMatchObject({ ok: false, error: { status: 414 } });
  });

  it('never answers a name that could lead elsewhere', () => {
    const piece = fc.oneof(
      fc.constantFrom('/', '.', '..', '%2e', '%2f', '%5c', '\\', '%25', '%00', ':', 'a', 'index.html', '?'),
      fc.string({ maxLength: 4, unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = readPath(`/${pieces.join('')}`);
        return !path.ok || path.value.every((name) => /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/.test(name));
      }),
      { numRuns: 2000 },
    );
  });
});

it('checklist 12: sets the policy of every answer, to the letter', () => {
  expect(securityHeaders).toEqual({
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; " +
      "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
      "object-src 'none'; require-trusted-types-for 'script'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), idle-detection=(), ' +
      'local-fonts=(), magnetometer=(), microphone=(), midi=(), payment=(), publickey-credentials-get=(), ' +
      'serial=(), usb=(), xr-spatial-tracking=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
});
