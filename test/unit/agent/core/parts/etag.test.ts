import { describe, expect, it } from 'vitest';
import { bareEtag, md5OfEtag } from '../../../../../electron/agent/core/parts/etag.ts';

const MD5 = '9e107d9d372bb6826bd81d3542a419d6';

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
