import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPath } from '../../../electron/pages/read-path.ts';

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
