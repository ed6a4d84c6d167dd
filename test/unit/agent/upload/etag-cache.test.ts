import { beforeEach, describe, expect, it } from 'vitest';
import {
  createEtagCache,
  type EtagCache,
  bareEtag,
  md5OfEtag,
} from '../../../../electron/agent/upload/etag-cache.ts';

const MD5 = '9e107d9d372bb6826bd81d3542a419d6';
const OTHER = 'e4d909c290d0fb1ca068ffaddf22cbd0';
const secure = new URL('https://storage.test/key');
const plain = new URL('http://127.0.0.1:9000/key');

let cache: EtagCache;
beforeEach(() => {
  cache = createEtagCache();
});

describe('createEtagBook', () => {
  it('knows nothing of a host at first', () => {
    expect(cache.kindOf('storage.test')).toBe('unknown');
  });

  it.each([secure, plain])(
    'learns that etags are MD5 sums where one agreed, and refuses one that does not after that (%s)',
    (url) => {
      expect(cache.agrees(url, `"${MD5.toUpperCase()}"`, MD5)).toBe(true);
      expect(cache.kindOf(url.host)).toBe('md5');
      expect(cache.agrees(url, `"${OTHER}"`, MD5)).toBe(false);
      expect(cache.kindOf(url.host)).toBe('md5');
    },
  );

  it('refuses the first etag that does not agree where nothing guards the way', () => {
    expect(cache.agrees(plain, `"${OTHER}"`, MD5)).toBe(false);
    expect(cache.kindOf(plain.host)).toBe('unknown');
  });

  it('takes a first etag that does not agree for another kind of etag where TLS guards the way', () => {
    expect(cache.agrees(secure, `"${OTHER}"`, MD5)).toBe(true);
    expect(cache.kindOf(secure.host)).toBe('opaque');
    expect(cache.agrees(secure, `"${OTHER}"`, MD5)).toBe(true);
  });

  it.each(['"0x8DB9C4F1E7A2B30"', `"${MD5}-3"`])('has nothing against %s, which is no MD5', (etag) => {
    expect(cache.agrees(plain, etag, MD5)).toBe(true);
    expect(cache.kindOf(plain.host)).toBe('opaque');
  });

  it('learns nothing when no MD5 was made', () => {
    expect(cache.agrees(plain, `"${MD5}"`, undefined)).toBe(true);
    expect(cache.kindOf(plain.host)).toBe('unknown');
  });

  it('keeps hosts apart, ports included', () => {
    cache.agrees(plain, `"${MD5}"`, MD5);
    expect(cache.kindOf('127.0.0.1:9001')).toBe('unknown');
  });
});

describe('bareEtag', () => {
  it.each([
    [`"${MD5}"`, MD5],
    [MD5, MD5],
    [`W/"${MD5}"`, MD5],
    [`""${MD5}""`, MD5],
    [`"${MD5}-12"`, `${MD5}-12`],
    ['"a"b"', 'a"b'],
    ['""', ''],
    ['W/plain', 'W/plain'],
  ])('of %s is %s', (etag, bare) => {
    expect(bareEtag(etag)).toBe(bare);
  });
});

describe('md5OfEtag', () => {
  it.each([
    [`"${MD5}"`, MD5],
    [`"${MD5.toUpperCase()}"`, MD5],
    [`"${MD5}-2"`, undefined],
    ['"0x8DB9C4F1E7A2B30"', undefined],
    [`"${MD5.slice(1)}"`, undefined],
    ['""', undefined],
  ])('of %s is %s', (etag, md5) => {
    expect(md5OfEtag(etag)).toBe(md5);
  });
});
