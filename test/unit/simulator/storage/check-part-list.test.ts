import { describe, expect, it } from 'vitest';
import { checkPartList, compositeEtag, MIN_PART_BYTES } from '../../../simulator/storage/check-part-list.ts';

const held = (...sizes: readonly number[]) =>
  new Map(
    sizes.map((sizeBytes, index) => [
      index + 1,
      { path: undefined, sizeBytes, etag: `e${index + 1}`, sha256: undefined },
    ]),
  );
const list = (...numbers: readonly number[]) =>
  numbers.map((partNumber) => ({ partNumber, etag: `e${partNumber}` }));
const min = MIN_PART_BYTES;

describe('the list that completes an upload', () => {
  it.each([
    ['all parts in order', list(1, 2, 3), held(min, min, 1), undefined],
    ['one small part', list(1), held(1), undefined],
    ['quoted etags', [{ partNumber: 1, etag: '"e1"' }], held(min), undefined],
    ['no part', [], held(min), 'MalformedXML'],
    ['parts out of order', list(2, 1), held(min, min), 'InvalidPartOrder'],
    ['a part twice', list(1, 1), held(min), 'InvalidPartOrder'],
    ['a part that was not sent', list(1, 2), held(min), 'InvalidPart'],
    [
      'an etag of another part',
      [
        { partNumber: 1, etag: 'e2' },
        { partNumber: 2, etag: 'e1' },
      ],
      held(min, min),
      'InvalidPart',
    ],
    ['a sent part left out', list(1), held(min, min), 'InvalidPart'],
    ['a middle part under 5 MiB', list(1, 2), held(min - 1, min), 'EntityTooSmall'],
    ['more bytes than allowed', list(1, 2), held(min, min), 'EntityTooLarge', 2 * min - 1],
  ])('is judged: %s', (_what, listed, parts, code, maxBytes = Number.POSITIVE_INFINITY) => {
    expect(checkPartList(listed, parts, maxBytes)?.code).toBe(code);
  });

  it('takes 10,000 parts and not one more', () => {
    const numbers = Array.from({ length: 10_001 }, (_unused, index) => index + 1);
    const parts = held(...numbers.map(() => min));
    expect(checkPartList(list(...numbers), parts, Number.POSITIVE_INFINITY)?.code).toBe('MalformedXML');
    parts.delete(10_001);
    expect(checkPartList(list(...numbers.slice(0, -1)), parts, Number.POSITIVE_INFINITY)).toBeUndefined();
  });

  it('gives the object the MD5 of the parts’ MD5s and their number', () => {
    // Computed with md5sum: of hello, of world, and of the 32 raw bytes of both
    const etags = ['5d41402abc4b2a76b9719d911017c592', '7d793037a0760186574b0282f2f435e7'];
    expect(compositeEtag(etags)).toBe('065947336a2f2a95ba8899f3675c3be6-2');
  });
});
