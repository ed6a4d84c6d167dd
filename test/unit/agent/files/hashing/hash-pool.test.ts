import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createHashEngine,
  type HashAnswer,
} from '../../../../../electron/agent/files/hashing/hash-engine.ts';
import {
  createHashPool,
  type HashPool,
  type HashSource,
} from '../../../../../electron/agent/files/hashing/hash-pool.ts';
import { createSharedBuffer } from '../../../../../electron/agent/files/hashing/shared-memory.ts';
import { ownThreads } from '../../../../../electron/agent/files/own-threads.ts';
import type { WorkerThreads } from '../../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../../electron/agent/system-clock.ts';
import { sharedThreads } from '../../../../helpers/shared-threads.ts';

const MIB = 1024 * 1024;
const bytes = randomBytes(9 * MIB + 12_345);
const clock = createSystemClock();
let folder = '';
let source: HashSource = { fd: -1, name: '' };
let pool: HashPool;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hash-pool-'));
  const path = join(folder, 'clip.mp4');
  await writeFile(path, bytes);
  source = { fd: openSync(path, 'r'), name: path };
  pool = createHashPool({ rootPath: '/exports', clock, workers: sharedThreads });
});

afterEach(async () => {
  await pool.stop();
  closeSync(source.fd);
  await rm(folder, { recursive: true });
});

function sumsOf(offset: number, length: number) {
  const part = bytes.subarray(offset, offset + length);
  return {
    sha256: createHash('sha256').update(part).digest('hex'),
    md5: createHash('md5').update(part).digest('hex'),
    crc32: crc32(part),
    sizeBytes: length,
  };
}

describe('hashPart', () => {
  it.each([
    [0, 0],
    [0, 1],
    [0, 9 * MIB + 12_345],
    [MIB, 256 * 1024],
    [MIB - 7, 256 * 1024 + 1],
    [9 * MIB, 12_345],
  ])('gives the sums of the range at %i of %i bytes', async (offset, length) => {
    const result = await pool.hashPart({ source, offset, length, md5: true, crc32: true });
    expect(result).toEqual({ ok: true, value: sumsOf(offset, length) });
  });

  it('gives the sums of many ranges that are asked for at once', async () => {
    const ranges = Array.from(
      { length: 30 },
      (_unused, index) => [index * 300_001, (index * 77_777) % 900_000] as const,
    );
    const results = await Promise.all(
      ranges.map(([offset, length]) => pool.hashPart({ source, offset, length, md5: true, crc32: true })),
    );
    expect(results).toEqual(
      ranges.map(([offset, length]) =>
        offset + length <= bytes.length
          ? { ok: true, value: sumsOf(offset, length) }
          : expect.objectContaining({ ok: false }),
      ),
    );
  });

  it('leaves out what was not asked for', async () => {
    const result = await pool.hashPart({ source, offset: 0, length: 100, md5: false });
    expect(result).toEqual({ ok: true, value: { sha256: sumsOf(0, 100).sha256, sizeBytes: 100 } });
  });

  it('gives the sums of bytes that are held, without a file', async () => {
    const memory = createSharedBuffer(3 * MIB);
    bytes.copy(memory, 0, 0, 3 * MIB);
    const ranges = [0, 1, 2, 3, 4].map((index) => [index * 500_001, 500_000 + index] as const);
    const results = await Promise.all(
      ranges.map(([offset, length]) => {
        const held = memory.subarray(offset);
        const request = { source: { fd: -1, name: '', held }, offset: 0, length, md5: true, crc32: true };
        return pool.hashPart(request);
      }),
    );
    expect(results).toEqual(ranges.map(([offset, length]) => ({ ok: true, value: sumsOf(offset, length) })));
  });

  it('says that the file ends before the range', async () => {
    const result = await pool.hashPart({ source, offset: 9 * MIB, length: MIB, md5: true });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'FILE_CHANGED', message: expect.stringContaining('clip.mp4') },
    });
    expect(await pool.hashPart({ source, offset: 0, length: 5, md5: true })).toMatchObject({ ok: true });
  });

  it('says that the file cannot be read', async () => {
    const folderFd = openSync(folder, 'r');
    const result = await pool.hashPart({
      source: { fd: folderFd, name: folder },
      offset: 0,
      length: 5,
      md5: true,
    });
    closeSync(folderFd);
    expect(result).toMatchObject({ ok: false, error: { code: 'FILE_NOT_REGULAR', detail: 'EISDIR' } });
  });

  it('ends as cancelled when it is aborted, and the others go on', async () => {
    const stopping = new AbortController();
    const whole = { source, offset: 0, length: bytes.length, md5: true };
    const all = [1, 2, 3].map((index) => pool.hashPart(whole, index === 2 ? stopping.signal : undefined));
    stopping.abort();
    expect((await Promise.all(all)).map((result) => (result.ok ? 'sums' : result.error.code))).toEqual([
      'sums',
      'CANCELLED',
      'sums',
    ]);
    expect(await pool.hashPart(whole, stopping.signal)).toMatchObject({ error: { code: 'CANCELLED' } });
  });
});

describe('wholeHash', () => {
  it('goes on part by part and gives the sum of the file', async () => {
    const whole = pool.wholeHash(source);
    expect(await whole.advance(3 * MIB, { crc32: true })).toEqual({
      ok: true,
      value: { sha256: sumsOf(0, 3 * MIB).sha256, crc32: crc32(bytes.subarray(0, 3 * MIB)) },
    });
    expect(await whole.digest()).toEqual({ ok: true, value: sumsOf(0, 3 * MIB).sha256 });
    expect(await whole.advance(4 * MIB)).toEqual({ ok: true, value: { sha256: sumsOf(0, 4 * MIB).sha256 } });
    expect(await whole.advance(bytes.length, { crc32: true })).toEqual({
      ok: true,
      value: { sha256: sumsOf(0, bytes.length).sha256, crc32: crc32(bytes.subarray(4 * MIB)) },
    });
    expect(await whole.digest()).toEqual({ ok: true, value: sumsOf(0, bytes.length).sha256 });
    whole.close();
  });

  it('leaves what it hashed in memory that is given to it', async () => {
    const memory = createSharedBuffer(2 * MIB);
    const whole = pool.wholeHash(source);
    await whole.advance(3 * MIB);
    const added = await whole.advance(4 * MIB + 17, { into: memory.subarray(5, 5 + MIB + 17) });
    expect(added).toEqual({ ok: true, value: { sha256: sumsOf(0, 4 * MIB + 17).sha256 } });
    expect(memory.subarray(5, 5 + MIB + 17).equals(bytes.subarray(3 * MIB, 4 * MIB + 17))).toBe(true);
    expect([memory[4], memory[5 + MIB + 17]]).toEqual([0, 0]);
    whole.close();
  });

  it('of two files are kept apart', async () => {
    const path = join(folder, 'other.mp4');
    await writeFile(path, 'other bytes');
    const other = { fd: openSync(path, 'r'), name: path };
    const [one, two] = [pool.wholeHash(source), pool.wholeHash(other)];
    await Promise.all([one.advance(2 * MIB), two.advance(5)]);
    await Promise.all([two.advance(11), one.advance(bytes.length)]);
    expect(await one.digest()).toEqual({ ok: true, value: sumsOf(0, bytes.length).sha256 });
    expect(await two.digest()).toEqual({
      ok: true,
      value: createHash('sha256').update('other bytes').digest('hex'),
    });
    one.close();
    two.close();
    closeSync(other.fd);
  });

  it('of an empty file is the sum of nothing', async () => {
    const whole = pool.wholeHash(source);
    expect(await whole.digest()).toEqual({ ok: true, value: createHash('sha256').digest('hex') });
    whole.close();
  });

  it('says that the file became shorter', async () => {
    const whole = pool.wholeHash(source);
    expect(await whole.advance(10 * MIB)).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
    whole.close();
  });
});

describe('the threads', () => {
  it('end when there is no work and start again when there is', async () => {
    const count = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length;
    const before = count();
    const short = createHashPool({ rootPath: '/exports', clock, idleMs: 20 });
    const part = { source, offset: 0, length: 100, md5: true };
    await short.hashPart(part);
    expect(count()).toBeGreaterThan(before);
    await expect.poll(count).toBe(before);
    expect(await short.hashPart(part)).toMatchObject({ ok: true });
    await short.stop();
  });

  it('keep the state of an open file over any pause', async () => {
    const short = createHashPool({ rootPath: '/exports', clock, idleMs: 1 });
    const whole = short.wholeHash(source);
    await whole.advance(MIB);
    await clock.sleep(50);
    await whole.advance(bytes.length);
    expect(await whole.digest()).toEqual({ ok: true, value: sumsOf(0, bytes.length).sha256 });
    whole.close();
    await short.stop();
  });

  it('end what is under way as cancelled when they are stopped', async () => {
    const all = [1, 2, 3].map(() => pool.hashPart({ source, offset: 0, length: bytes.length, md5: true }));
    await pool.stop();
    for (const result of await Promise.all(all))
      expect(result).toMatchObject({ error: { code: 'CANCELLED' } });
  });

  it('that reads whole files can start before there is one, and ends if there is none', async () => {
    let [started, ended] = [0, 0];
    const workers: WorkerThreads = {
      take(...given) {
        started += 1;
        return ownThreads.take(...given);
      },
      async giveBack(...given) {
        ended += 1;
        await ownThreads.giveBack(...given);
      },
    };
    const warm = createHashPool({ rootPath: '/exports', clock, workers, idleMs: 50 });
    warm.warmUp();
    expect(started).toBe(1);
    const whole = warm.wholeHash(source);
    await whole.advance(5);
    expect(started).toBe(1);
    whole.close();
    await vi.waitFor(() => expect(ended).toBe(1));
    warm.warmUp();
    await vi.waitFor(() => expect([started, ended]).toEqual([2, 2]));
    await warm.stop();
  });

  it('may be one alone', async () => {
    const single = createHashPool({ rootPath: '/exports', clock, threads: 1 });
    const whole = single.wholeHash(source);
    const [part, advanced] = await Promise.all([
      single.hashPart({ source, offset: 5, length: MIB, md5: true, crc32: true }),
      whole.advance(bytes.length),
    ]);
    expect(part).toEqual({ ok: true, value: sumsOf(5, MIB) });
    expect(advanced.ok).toBe(true);
    expect(await whole.digest()).toEqual({ ok: true, value: sumsOf(0, bytes.length).sha256 });
    await single.stop();
  });
});

describe('createHashEngine', () => {
  it('answers each request once, more than its streams among them, and rests when all is done', () => {
    const answers: HashAnswer[] = [];
    const engine = createHashEngine((answer) => answers.push(answer));
    expect(engine.step()).toBe(false);
    for (let id = 1; id <= 20; id++) {
      engine.take({
        kind: 'part',
        id,
        fd: source.fd,
        offset: id,
        length: id * 50_000,
        sha256: true,
        md5: id % 3 !== 0,
        crc32: true,
      });
    }
    engine.take({ kind: 'cancel', id: 20 });
    engine.take({ kind: 'digest', id: 21, stream: 1 });
    while (engine.step());
    expect(answers.map((answer) => answer.id).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 21 }, (_, i) => i + 1),
    );
    for (const answer of answers) {
      if (answer.kind !== 'sums' || answer.id > 20) continue;
      const { sizeBytes: _size, md5, ...rest } = sumsOf(answer.id, answer.id * 50_000);
      expect(answer.sums).toEqual(answer.id % 3 === 0 ? rest : { ...rest, md5 });
    }
  });
});
