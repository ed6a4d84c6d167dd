import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MultipartRow } from '../../../../electron/agent/store/multipart-rows.ts';
import { createHashPool, type HashPool } from '../../../../electron/agent/files/hashing/hash-pool.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { openFile } from '../../../../electron/agent/files/opened-file.ts';
import { sharedThreads } from '../../../helpers/shared-threads.ts';
import {
  createFileHash,
  type FileHash,
  createHashAhead,
} from '../../../../electron/agent/upload/file-hash.ts';
import { openSource, type SourceFile } from '../../../../electron/agent/files/source-file.ts';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';
import { multipartRow } from '../../../helpers/queue-fixture.ts';

const PART_BYTES = 300_000;
const bytes = randomBytes(2 * PART_BYTES + 123);
const SHA256 = createHash('sha256').update(bytes).digest('hex');
const upload: MultipartRow = {
  ...multipartRow({ partSizeBytes: PART_BYTES, partCount: 3, sizeBytes: bytes.length }),
  completing: 0,
};
const clock = createSystemClock();

let root = '';
let pool: HashPool;
let source: SourceFile;
let stopping: AbortController;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'file-hash-'));
  const path = join(root, 'a.mp4');
  await writeFile(path, bytes);
  const looked = await openFile(path, undefined, root);
  if (!looked.ok) throw new Error(looked.error.message);
  const { version } = looked.value;
  await looked.value.close();
  const gate = createRootGate({ clock, rootPath: root });
  const ref = { rootPath: root, folder: '', path: 'a.mp4', version, isFolderGone: false };
  stopping = new AbortController();
  const opened = await openSource({ of: () => gate }, ref, stopping.signal);
  gate.close();
  if (!opened.ok) throw new Error(opened.error.message);
  source = opened.value;
  pool = createHashPool({ rootPath: '/exports', clock, workers: sharedThreads, threads: 1 });
});
afterEach(async () => {
  source.release();
  await pool.stop();
  await rm(root, { recursive: true, force: true });
});

const make = (): FileHash =>
  createFileHash({
    hashPool: pool,
    evidence: source,
    upload,
    withCrc32: () => true,
    signal: stopping.signal,
  });

describe('createFileHash', () => {
  it.each([
    ['in order', [1, 2, 3]],
    ['in any order', [3, 1, 2]],
    ['told twice', [2, 1, 1, 2, 3]],
  ])('hashes the whole file whose parts are sent %s', async (_what, order) => {
    const hash = make();
    for (const part of order) hash.mayRead(part);
    expect(await hash.digest()).toEqual({ ok: true, value: SHA256 });
    hash.close();
  });

  it('goes on with parts that are sent later', async () => {
    const hash = make();
    hash.mayRead(1);
    await new Promise((resolve) => setImmediate(resolve));
    hash.mayRead(2);
    hash.mayRead(3);
    expect(await hash.digest()).toEqual({ ok: true, value: SHA256 });
    hash.close();
  });

  it('tells a bug when it is asked before every part was sent', async () => {
    const hash = make();
    hash.mayRead(1);
    hash.mayRead(3);
    await expect(hash.digest()).rejects.toThrow('before every part was sent');
    hash.close();
  });

  it('tells a file that became shorter', async () => {
    await truncate(join(root, 'a.mp4'), PART_BYTES);
    const hash = make();
    for (const part of [1, 2, 3]) hash.mayRead(part);
    expect(await hash.digest()).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
    hash.close();
  });

  it('is an interruption, not a fault, when the agent stops', async () => {
    const hash = make();
    hash.mayRead(1);
    stopping.abort(new Error('stopping'));
    expect(await hash.digest()).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    hash.close();
  });
});

describe('what the hash says at the end of a part', () => {
  const upTo = (end: number): string => createHash('sha256').update(bytes.subarray(0, end)).digest('hex');

  it('is that of everything up to there, and the CRC-32 of the part, in whatever order it is asked for', async () => {
    const hash = make();
    const last = hash.reached(3);
    for (const part of [2, 1, 3]) hash.mayRead(part);
    expect(await last).toEqual({
      ok: true,
      value: { sha256: SHA256, crc32: crc32(bytes.subarray(2 * PART_BYTES)) },
    });
    expect(await hash.reached(2)).toEqual({
      ok: true,
      value: { sha256: upTo(2 * PART_BYTES), crc32: crc32(bytes.subarray(PART_BYTES, 2 * PART_BYTES)) },
    });
    expect(await hash.reached(1)).toMatchObject({ value: { sha256: upTo(PART_BYTES) } });
    hash.close();
  });

  it.each([
    ['the agent stops', () => stopping.abort(new Error('stopping'))],
    ['the hash is given up', (hash: FileHash) => hash.close()],
  ])('is not waited for when %s before a part in between was begun', async (_what, end) => {
    const hash = make();
    hash.mayRead(1);
    const waiting = hash.reached(3);
    expect(await hash.reached(1)).toMatchObject({ ok: true });
    end(hash);
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    hash.close();
  });

  it('is the problem of the file once there is one', async () => {
    await truncate(join(root, 'a.mp4'), PART_BYTES + 5);
    const hash = make();
    for (const part of [1, 2, 3]) hash.mayRead(part);
    expect(await hash.reached(1)).toMatchObject({ ok: true });
    for (const part of [2, 3])
      expect(await hash.reached(part)).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
    hash.close();
  });

  it('rejects when its thread breaks', async () => {
    const broken = {
      wholeHash: () => ({ advance: async () => Promise.reject(new Error('broken')), close: () => undefined }),
    } as unknown as HashPool;
    const hash = createFileHash({
      hashPool: broken,
      evidence: source,
      upload,
      withCrc32: () => false,
      signal: stopping.signal,
    });
    const waiting = hash.reached(1);
    hash.mayRead(1);
    await expect(waiting).rejects.toThrow('broken');
    await expect(hash.reached(2)).rejects.toThrow('broken');
    hash.close();
  });
});

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
  return {
    asked,
    hashes: createHashAhead({ hashPool, evidence, upload, numbers, wanted, sha256: true, signal }),
  };
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
