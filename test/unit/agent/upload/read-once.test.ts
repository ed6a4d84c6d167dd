import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createHashPool,
  type Advanced,
  type HashPartRequest,
  type HashPool,
} from '../../../../electron/agent/files/hashing/hash-pool.ts';
import { createSharedBuffer } from '../../../../electron/agent/files/hashing/shared-memory.ts';
import { openFile } from '../../../../electron/agent/files/opened-file.ts';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';
import { openSource, type SourceFile } from '../../../../electron/agent/files/source-file.ts';
import { createBufferPool, type BufferPool } from '../../../../electron/agent/service/signed-put-body.ts';
import type { MultipartRow, PartRow } from '../../../../electron/agent/store/multipart-rows.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createEtagCache, type EtagCache } from '../../../../electron/agent/upload/etag-cache.ts';
import { canReadOnce, createPartSlots, readOnce } from '../../../../electron/agent/upload/read-once.ts';
import type { BegunPart, ClipBytes } from '../../../../electron/agent/upload/send-parts.ts';
import { ok, type Result } from '../../../../shared/lib/result.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { multipartRow } from '../../../helpers/queue-fixture.ts';
import { sharedThreads } from '../../../helpers/shared-threads.ts';

const PART = 200_000;
const PARTS = 6;
const bytes = Buffer.alloc((PARTS - 1) * PART + 77, 'what a camera saw, ');
bytes.forEach((_byte, index) => index % 4096 === 0 && bytes.writeUInt8((index >> 12) & 255, index));
const upload: MultipartRow = {
  ...multipartRow({ partSizeBytes: PART, partCount: PARTS, sizeBytes: bytes.length }),
  completing: 0,
};
const HOST = 'storage.test';
const clock = createSystemClock();
const never = new AbortController().signal;

const partOf = (number: number): Buffer => bytes.subarray((number - 1) * PART, number * PART);
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
const upTo = (number: number): string => sha256(bytes.subarray(0, number * PART));
const md5Of = (number: number): string => createHash('md5').update(partOf(number)).digest('hex');
const row = (number: number, sum = upTo(number)): PartRow => ({
  clipId: upload.clipId,
  number,
  sizeBytes: partOf(number).length,
  etag: '"e"',
  sha256: sum,
  fromStart: 1,
});

let root = '';
let pool: HashPool;
let source: SourceFile;
let slots: BufferPool;
let etags: EtagCache;
/** Ranges whose hashes were requested, several at a time in that order. */
let asked: HashPartRequest[];
let clip: ClipBytes | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'read-once-'));
  await writeFile(join(root, 'a.mp4'), bytes);
  const looked = await openFile(join(root, 'a.mp4'), undefined, root);
  if (!looked.ok) throw new Error(looked.error.message);
  const { version } = looked.value;
  await looked.value.close();
  const gate = createRootGate({ clock, rootPath: root });
  const ref = { rootPath: root, folder: '', path: 'a.mp4', version, isFolderGone: false };
  const opened = await openSource({ of: () => gate }, ref, never);
  gate.close();
  if (!opened.ok) throw new Error(opened.error.message);
  source = opened.value;
  slots = createBufferPool(clock, 5, () => createSharedBuffer(PART));
  etags = createEtagCache();
  asked = [];
  const threads = createHashPool({ rootPath: root, clock, workers: sharedThreads, threads: 1 });
  const hashPart: HashPool['hashPart'] = (request, signal) => {
    asked.push(request);
    return threads.hashPart(request, signal);
  };
  pool = { ...threads, hashPart };
});
afterEach(async () => {
  clip?.close();
  source.release();
  slots.stop();
  await pool.stop();
  await rm(root, { recursive: true, force: true });
});

function open(rows: readonly PartRow[] = [], hashPool = pool): ClipBytes {
  clip = readOnce({ hashPool, evidence: source, upload, rows, slots, etags, host: () => HOST });
  return clip;
}

const begin = (one: ClipBytes, number: number, signal = never): BegunPart =>
  one.begin(number, number < PARTS ? number + 1 : undefined, signal);

async function held(part: BegunPart) {
  const content = await part.content;
  if (!content.ok) throw new Error(content.error.message);
  if (content.value.held === undefined) throw new Error('The part is not held');
  return content.value.held;
}

describe('a clip that is read once', () => {
  it('gives its parts in order, each with the hash of everything up to its end', async () => {
    const one = open();
    for (let number = 1; number <= PARTS; number += 1) {
      const part = begin(one, number);
      const { source: where, sha256: sum } = await held(part);
      expect(Buffer.from(where.bytes).equals(partOf(number))).toBe(true);
      expect(sum).toBe(upTo(number));
      part.end();
    }
    expect(await one.digest()).toEqual({ ok: true, value: sha256(bytes) });
  });

  it('sends what was hashed, whatever the file says when a part goes a second time', async () => {
    const part = begin(open(), 1);
    const { source: where, sha256: sum } = await held(part);
    await writeFile(join(root, 'a.mp4'), Buffer.alloc(bytes.length, 'x'));
    expect(sha256(Buffer.from(where.bytes))).toBe(sum);
    part.end();
  });

  it('holds no more parts than there is room for, and goes on when one has left', async () => {
    const one = open();
    const parts = [1, 2, 3, 4, 5].map((number) => begin(one, number));
    await Promise.all(parts.map(held));
    let isRead = false;
    const sixth = begin(one, 6);
    const reading = sixth.content.then(() => (isRead = true));
    await turn();
    expect([slots.size, isRead]).toEqual([5, false]);
    parts[0]?.end();
    await reading;
    expect(Buffer.from((await held(sixth)).source.bytes).equals(partOf(6))).toBe(true);
    for (const part of [...parts.slice(1), sixth]) part.end();
  });

  it('keeps the memory of a part until no socket is at it', async () => {
    const part = begin(open(), 6 - 5);
    const { source: where } = await held(part);
    const inUse = slots.size;
    const leave = where.use();
    part.end();
    await turn();
    expect(Buffer.from(where.bytes).equals(partOf(1))).toBe(true);
    const others = Array.from({ length: 5 }, () => slots.tryAcquire()).filter((one) => one !== undefined);
    expect(others.every((one) => one.buffer !== where.bytes.buffer)).toBe(true);
    leave();
    expect(slots.tryAcquire()?.buffer).toBe(where.bytes.buffer);
    expect(inUse).toBeGreaterThan(0);
  });

  it('reads the next part while one is sent', async () => {
    const one = open();
    const first = begin(one, 1);
    await held(first);
    await expect.poll(() => slots.size).toBe(2);
    await rm(join(root, 'a.mp4'));
    const second = begin(one, 2);
    expect((await held(second)).sha256).toBe(upTo(2));
    for (const part of [first, second]) part.end();
  });

  it('says what is wrong with the file, and reads no more of it', async () => {
    await truncate(join(root, 'a.mp4'), PART + 5);
    const one = open();
    const parts = [1, 2, 3].map((number) => begin(one, number));
    const read = await Promise.all(parts.map(({ content }) => content));
    expect(read.map((result) => (result.ok ? 'read' : result.error.code))).toEqual([
      'read',
      'FILE_CHANGED',
      'FILE_CHANGED',
    ]);
    for (const part of parts) part.end();
    expect(await one.digest()).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
  });

  it('keeps nobody waiting who wants to stop while a share hangs, and does not use that memory again', async () => {
    const hung = Promise.withResolvers<Result<Advanced, Failure>>();
    let into: Uint8Array | undefined;
    const hashPool: HashPool = {
      ...pool,
      wholeHash: () => ({
        advance: (_to, options) => ((into = options?.into), hung.promise),
        digest: async () => ok(''),
        close: () => undefined,
      }),
    };
    const stopping = new AbortController();
    const part = begin(open([], hashPool), 1, stopping.signal);
    await expect.poll(() => into).toBeDefined();
    stopping.abort(new Error('stopping'));
    expect(await part.content).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
    part.end();
    hung.resolve({ ok: false, error: { code: 'ROOT_HUNG', message: '', advice: '', retryable: true } });
    await turn();
    const others = Array.from({ length: 5 }, () => slots.tryAcquire());
    expect(others.every((one) => one !== undefined && one.buffer !== into?.buffer)).toBe(true);
  });
});

describe('parts of an earlier run', () => {
  it('are read again for the hash of the whole, and not given', async () => {
    const one = open([row(1), row(2), row(4)]);
    for (const [number, after] of [
      [3, 5],
      [5, 6],
      [6, undefined],
    ] as const) {
      const part = one.begin(number, after, never);
      expect((await held(part)).sha256).toBe(upTo(number));
      part.end();
    }
    expect(await one.digest()).toEqual({ ok: true, value: sha256(bytes) });
  });

  it('at the end are proven before the whole has a hash', async () => {
    const rows = [1, 2, 3, 4, 5].map((number) => row(number));
    const one = open([...rows, row(6, upTo(5))]);
    expect(await one.digest()).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
    expect(await open([...rows, row(6)]).digest()).toEqual({ ok: true, value: sha256(bytes) });
  });

  it('that are not what they were let nothing more be sent', async () => {
    const one = open([row(1), row(2, upTo(1))]);
    const parts = [3, 4].map((number) => begin(one, number));
    for (const { content } of parts)
      expect(await content).toMatchObject({ ok: false, error: { code: 'FILE_CHANGED' } });
    for (const part of parts) part.end();
  });

  it.each([
    ['a fresh clip in parts of 8 MiB', { mib: 8, rows: [], atOnce: 8 }, true],
    ['parts that are too large to be held', { mib: 9, rows: [], atOnce: 8 }, false],
    ['more parts at once than are held', { mib: 8, rows: [], atOnce: 9 }, false],
    ['what was kept from the first byte on', { mib: 8, rows: [row(1)], atOnce: 4 }, true],
    ['what an earlier version kept', { mib: 8, rows: [{ ...row(2), fromStart: 0 }], atOnce: 4 }, false],
    ['much that was sent', { mib: 8, rows: [{ ...row(1), sizeBytes: 1024 ** 3 + 1 }], atOnce: 4 }, false],
  ])('decide whether once is enough: %s', (_what, { mib, rows, atOnce }, once) => {
    expect(canReadOnce({ ...upload, partSizeBytes: mib * 1024 * 1024 }, rows, atOnce)).toBe(once);
  });
});

describe('the MD5 of parts that are held', () => {
  it('is made of four at once, and of the last ones, where etags are known to be one', async () => {
    etags.agrees(new URL(`http://${HOST}/k`), `"${'0'.repeat(32)}"`, '0'.repeat(32));
    const one = open();
    const parts = [1, 2, 3, 4].map((number) => begin(one, number));
    const all = await Promise.all(parts.map(held));
    const sums = await Promise.all(all.map(({ md5 }) => md5()));
    expect(sums).toEqual([1, 2, 3, 4].map((number) => ok(md5Of(number))));
    expect(asked.map(({ length }) => length)).toEqual([PART, PART, PART, PART]);
    for (const part of parts) part.end();
    await Promise.all([5, 6].map((number) => held(begin(one, number))));
    expect(asked).toHaveLength(PARTS);
  });

  it('is made for nobody who does not ask, where etags are something else or not known', async () => {
    const one = open();
    for (let number = 1; number <= PARTS; number += 1) {
      const part = begin(one, number);
      await held(part);
      part.end();
    }
    await one.digest();
    expect(asked).toEqual([]);
  });

  it('waits for no part that has no room', async () => {
    const one = open();
    const taken = [slots.tryAcquire(), slots.tryAcquire(), slots.tryAcquire()];
    const parts = [1, 2].map((number) => begin(one, number));
    const [first] = await Promise.all(parts.map(held));
    const waiting = [3, 4, 5].map((number) => begin(one, number));
    expect(await first?.md5()).toEqual(ok(md5Of(1)));
    for (const slot of taken) if (slot !== undefined) slots.release(slot);
    await Promise.all(waiting.map(held));
    for (const part of [...parts, ...waiting]) part.end();
  });

  it('is made of the last ones, however few they are', async () => {
    const one = open([1, 2, 3, 4, 5].map((number) => row(number)));
    const last = begin(one, 6);
    expect(await (await held(last)).md5()).toEqual(ok(md5Of(6)));
    last.end();
  });
});

it('the memory for parts is 32 MiB, shared with threads', () => {
  const all = createPartSlots(clock);
  const taken = Array.from({ length: 20 }, all.tryAcquire).filter((slot) => slot !== undefined);
  expect(taken.reduce((sum, { length }) => sum + length, 0)).toBe(32 * 1024 * 1024);
  expect(taken.every(({ buffer }) => buffer instanceof SharedArrayBuffer)).toBe(true);
});
