import { describe, expect, it } from 'vitest';
import {
  checkSignedUrl,
  isNamedBy,
  type SignedUrlRules,
  signedUrlExpiresAt,
} from '../../../../../electron/agent/core/parts/check-signed-url.ts';

const anyHost: SignedUrlRules = { allowLoopback: false, hosts: [] };
const loopback: SignedUrlRules = { allowLoopback: true, hosts: [] };
const listed: SignedUrlRules = {
  allowLoopback: false,
  hosts: ['store.example.com', '*.s3.amazonaws.com', 'onprem.example:9000'],
};
const pinned: SignedUrlRules = { ...anyHost, pinnedHost: 'b.s3.amazonaws.com' };
const signature = '?X-Amz-Signature=abc123';

const accepted: readonly (readonly [url: string, rules: SignedUrlRules])[] = [
  [`https://b.s3.amazonaws.com/k${signature}`, anyHost],
  [`https://b.s3.amazonaws.com:443/k${signature}`, anyHost],
  [`https://B.S3.AmazonAWS.com/k${signature}`, anyHost],
  [`https://b.s3.amazonaws.com./k${signature}`, anyHost],
  [`https://xn--exmple-4nf.com/k${signature}`, anyHost],
  [`https://my_bucket.s3.amazonaws.com/k${signature}`, anyHost],
  [`https://h.example/a%20b%2Fc${signature}`, anyHost],
  [`https://h.example/käse${signature}`, anyHost],
  [`https://h.example/k?x-amz-checksum-crc32=abcdEF==`, anyHost],
  [`https://h.example/k?X-Amz-Meta=a@b`, anyHost],
  [`https://${'a'.repeat(63)}.example/k`, anyHost],
  [`https://h.example/${'k'.repeat(8192 - 18)}`, anyHost],
  [`https://store.example.com/k${signature}`, listed],
  [`https://bucket.s3.amazonaws.com/k${signature}`, listed],
  [`https://a.b.s3.amazonaws.com/k${signature}`, listed],
  [`https://onprem.example:9000/k${signature}`, listed],
  [`https://b.s3.amazonaws.com/part7${signature}`, pinned],
  [`http://127.0.0.1:4100/k${signature}`, loopback],
  [`http://localhost:4100/k${signature}`, loopback],
  [`http://[::1]:4100/k${signature}`, loopback],
  [`https://localhost/k${signature}`, loopback],
  [`http://127.0.0.1:4100/k${signature}`, { allowLoopback: true, hosts: ['store.example.com'] }],
];

const refused: readonly (readonly [name: string, url: unknown, rules: SignedUrlRules])[] = [
  ['input E1: plain http', `http://h.example/k${signature}`, anyHost],
  ['input E1: plain http where loopback is allowed', `http://h.example/k${signature}`, loopback],
  ['input E2: loopback name', 'http://localhost/k', anyHost],
  ['input E2: loopback name over https', 'https://localhost/k', anyHost],
  ['input E2: loopback name with a dot', 'https://localhost./k', anyHost],
  ['input E2: name under localhost', 'https://a.localhost/k', anyHost],
  ['input E2: loopback address', 'http://127.0.0.1/k', anyHost],
  ['input E2: other loopback address where loopback is allowed', 'http://127.0.0.2/k', loopback],
  ['input E3: metadata address', 'https://169.254.169.254/latest', anyHost],
  ['input E3: hexadecimal address', 'https://0x7f.1/k', anyHost],
  ['input E3: decimal address', 'https://2130706433/k', anyHost],
  ['input E3: octal address', 'https://0177.0.0.1/k', anyHost],
  ['input E3: short address', 'https://127.1/k', anyHost],
  ['input E3: full-width address', 'https://１２７.0.0.1/k', anyHost],
  ['input E3: public address', 'https://93.184.216.34/k', anyHost],
  ['input E3: IPv6 address', 'https://[2606:2800:220:1::1]/k', anyHost],
  ['input E3: mapped IPv6 address', 'https://[::ffff:127.0.0.1]/k', anyHost],
  ['input E3: address with a dot', 'https://127.0.0.1./k', anyHost],
  ['input E3: address that is listed', 'https://10.0.0.5/k', { ...anyHost, hosts: ['10.0.0.5'] }],
  ['input E4: user and password', 'https://user:p@h.example/k', anyHost],
  ['input E4: user only', 'https://user@h.example/k', anyHost],
  ['input E4: empty user', 'https://@h.example/k', anyHost],
  ['input E4: empty user and password', 'https://:@h.example/k', anyHost],
  ['input E5: host in the user', 'https://good.example@evil/', anyHost],
  ['input E5: backslash', 'https://evil\\@good/', anyHost],
  ['input E5: backslash in the path', 'https://good.example/a\\b', anyHost],
  ['input E6: suffix without a dot boundary', `https://evils3.amazonaws.com/k`, listed],
  ['input E6: listed name as a prefix', `https://b.s3.amazonaws.com.evil.test/k`, listed],
  ['input E6: the suffix itself', 'https://s3.amazonaws.com/k', listed],
  ['input E6: another host', 'https://other.example.com/k', listed],
  ['input E7: another port', 'https://h.example:22/k', anyHost],
  ['input E7: another port of a listed host', 'https://store.example.com:8443/k', listed],
  ['input E7: no port where one is listed', 'https://onprem.example/k', listed],
  ['input E7: port 0', 'https://h.example:0/k', anyHost],
  ['input E8: file', 'file:///etc/passwd', anyHost],
  ['input E8: ftp', 'ftp://h.example/k', anyHost],
  ['input E8: javascript', 'javascript:alert(1)', anyHost],
  ['input E8: data', 'data:text/plain,x', anyHost],
  ['input E8: protocol-relative', '//h.example/k', anyHost],
  ['input E8: one slash', 'https:/h.example/k', anyHost],
  ['input E8: no slash', 'https:h.example/k', anyHost],
  ['input E8: three slashes', 'https:///h.example/k', anyHost],
  ['input E9: homograph', 'https://exаmple.com/k', { ...anyHost, hosts: ['example.com'] }],
  ['input E10: line break', 'https://h.example/k\r\nX: y', anyHost],
  ['input E10: tab inside the scheme', 'ht\ttps://h.example/k', anyHost],
  ['input E10: space', 'https://h.example/a b', anyHost],
  ['input E10: space before', ' https://h.example/k', anyHost],
  ['input E10: no-break space', 'https://h.example/a\u00a0b', anyHost],
  ['input E10: NUL', 'https://h.example/a\u0000b', anyHost],
  ['input E10: hidden direction mark', 'https://h.example/a\u202eb', anyHost],
  ['input E10: soft hyphen in the host', 'https://h\u00ad.example/k', anyHost],
  ['input E11: too long', `https://h.example/${'k'.repeat(8192 - 17)}`, anyHost],
  ['input E11: empty', '', anyHost],
  ['input E11: null', null, anyHost],
  ['input E11: undefined', undefined, anyHost],
  ['input E11: object', { href: 'https://h.example/k' }, anyHost],
  ['input E11: list', ['https://h.example/k'], anyHost],
  [
    'input E12: another host than the upload began with',
    `https://c.s3.amazonaws.com/part7${signature}`,
    pinned,
  ],
  [
    'input E12: another port than the upload began with',
    'http://127.0.0.1:2/k',
    { ...loopback, pinnedHost: '127.0.0.1:1' },
  ],
  ['a fragment', 'https://h.example/k#x', anyHost],
  ['an empty fragment', 'https://h.example/k#', anyHost],
  ['a .local name', 'https://store.local/k', anyHost],
  ['an .internal name', 'https://metadata.google.internal/k', anyHost],
  ['two dots at the end', 'https://h.example../k', anyHost],
  ['an empty label', 'https://h..example/k', anyHost],
  ['a label over 63 characters', `https://${'a'.repeat(64)}.example/k`, anyHost],
  ['no host', 'https://', anyHost],
  ['no URL at all', 'https://h.example:port/k', anyHost],
  ['the checksum of an empty body', 'https://h.example/k?x-amz-checksum-crc32=AAAAAA%3D%3D', anyHost],
  ['the same in plain letters', 'https://h.example/k?X-Amz-Checksum-CRC32=AAAAAA==', anyHost],
];

describe('checkSignedUrl', () => {
  it.each(accepted)('accepts %s', (text, rules) => {
    expect(checkSignedUrl(text, rules)).toMatchObject({ ok: true });
  });

  it.each(refused)('%s: refused', (_name, text, rules) => {
    expect(checkSignedUrl(text, rules)).toMatchObject({
      ok: false,
      error: { code: 'URL_REFUSED', retryable: false },
    });
  });

  it('names the host of a refused URL and never its query', () => {
    const result = checkSignedUrl(`http://h.example/secret-key${signature}`, anyHost);
    const message = result.ok ? '' : result.error.message;
    expect(message).toContain('h.example');
    expect(message).not.toContain('abc123');
    expect(message).not.toContain('secret-key');
  });

  it('gives the URL back without the trailing dot of its host and with its query untouched', () => {
    const result = checkSignedUrl('https://h.example./k?a=%2F&b=+', anyHost);
    expect(result.ok && result.value.href).toBe('https://h.example/k?a=%2F&b=+');
  });
});

describe('isNamedBy', () => {
  it.each([
    ['h.example', 'https://h.example/', true],
    ['H.Example.', 'https://h.example/', true],
    ['h.example:443', 'https://h.example/', true],
    ['h.example:9000', 'https://h.example:9000/', true],
    ['*.example:9000', 'https://h.example:9000/', true],
    ['*.example', 'https://h.example:9000/', false],
    ['', 'https://h.example/', false],
    ['*.', 'https://h.example/', false],
  ])('compares entry %s with %s: %s', (entry, url, expected) => {
    expect(isNamedBy(new URL(url), entry)).toBe(expected);
  });
});

const receivedAtMs = Date.parse('2026-08-01T12:00:00Z');

const at = (iso: string): number => Date.parse(iso);

describe('signedUrlExpiresAt', () => {
  it.each([
    ['date and lifetime', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=7200', at('2026-08-01T13:00:00Z')],
    [
      'the same in small letters',
      'x-amz-date=20260801T110000Z&x-amz-expires=900',
      at('2026-08-01T11:15:00Z'),
    ],
    ['one that is over already', 'X-Amz-Date=20250101T000000Z&X-Amz-Expires=60', at('2025-01-01T00:01:00Z')],
    ['a lifetime of zero', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=0', at('2026-08-01T11:00:00Z')],
    ['Expires in seconds', 'Expires=1785589200&Signature=x', 1_785_589_200_000],
    ['nothing', 'Signature=x', at('2026-08-01T13:00:00Z')],
    ['a lifetime without a date', 'X-Amz-Expires=60', at('2026-08-01T13:00:00Z')],
    ['a date that is none', 'X-Amz-Date=20261399T990000Z&X-Amz-Expires=60', at('2026-08-01T13:00:00Z')],
    [
      'a lifetime that is no number',
      'X-Amz-Date=20260801T110000Z&X-Amz-Expires=1e9',
      at('2026-08-01T13:00:00Z'),
    ],
    ['a negative lifetime', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=-5', at('2026-08-01T13:00:00Z')],
    ['over seven days', 'X-Amz-Date=20260801T110000Z&X-Amz-Expires=99999999', at('2026-08-08T11:00:00Z')],
    ['Expires as a date', 'Expires=tomorrow', at('2026-08-01T13:00:00Z')],
  ])('reads %s', (_name, query, expected) => {
    expect(signedUrlExpiresAt(new URL(`https://h.example/k?${query}`), receivedAtMs)).toBe(expected);
  });
});
