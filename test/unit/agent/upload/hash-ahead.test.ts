import { describe, expect, it } from 'vitest';
import type { MultipartRow } from '../../../../electron/agent/store/multipart-rows.ts';
import type { HashPool } from '../../../../electron/agent/files/hashing/hash-pool.ts';
import { createHashAhead } from '../../../../electron/agent/upload/hash-ahead.ts';
import type { SourceFile } from '../../../../electron/agent/files/source-file.ts';

const PART = 100;

function ahead(numbers: readonly number[]) {
  const asked: number[] = [];
  const hashPool = {
    hashPart: async ({ offset, length }: { offset: number; length: number }) => {
      asked.push(offset / PART + 1);
      return { ok: true, value: { sha256: `of ${offset / PART + 1}`, sizeBytes: length } };
    },
  } as unknown as HashPool;
  const evidence = { retain: () => undefined } as unknown as SourceFile;
  const upload = { partSizeBytes: PART, partCount: 40, sizeBytes: 40 * PART } as MultipartRow;
  const wanted = () => ({ md5: true, crc32: false });
  const signal = new AbortController().signal;
  return { asked, hashes: createHashAhead({ hashPool, evidence, upload, numbers, wanted, signal }) };
}

const all = Array.from({ length: 40 }, (_, index) => index + 1);

describe('createHashAhead', () => {
  it('asks for the group of the first part and the one after it, and no farther', async () => {
    const { asked, hashes } = ahead(all);
    expect(await hashes.hashOf(1)).toMatchObject({ value: { sha256: 'of 1' } });
    expect(asked).toEqual(all.slice(0, 16));
  });

  it('asks for the next group when the second one begins, each part once', async () => {
    const { asked, hashes } = ahead(all);
    for (const number of all.slice(0, 9)) await hashes.hashOf(number);
    expect(asked).toEqual(all.slice(0, 24));
  });

  it('asks for what is missing only, after a restart', async () => {
    const missing = [3, 7, 39, 40];
    const { asked, hashes } = ahead(missing);
    expect(await hashes.hashOf(39)).toMatchObject({ value: { sha256: 'of 39' } });
    expect(asked).toEqual(missing);
  });

  it('makes the sums again for a part that is sent again', async () => {
    const { asked, hashes } = ahead(all);
    await hashes.hashOf(2);
    await hashes.hashOf(2);
    expect(asked.filter((number) => number === 2)).toHaveLength(2);
  });
});
