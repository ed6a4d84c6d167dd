import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PartHash } from '../../../../electron/agent/files/hashing/hash-pool.ts';
import type { SourceFile } from '../../../../electron/agent/files/source-file.ts';
import { createRateLimit } from '../../../../electron/agent/service/rate-limit.ts';
import type { PutOutcome } from '../../../../electron/agent/service/signed-put-answer.ts';
import { createBufferPool, type PutRequest } from '../../../../electron/agent/service/signed-put-body.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createEtagCache, type EtagCache } from '../../../../electron/agent/upload/etag-cache.ts';
import { createSendRange, type HeldRange } from '../../../../electron/agent/upload/send-range.ts';
import { createTransferMeter } from '../../../../electron/agent/upload/transfer-meter.ts';
import { ok } from '../../../../shared/lib/result.ts';

const clock = createSystemClock();
const bytes = Buffer.from('what the file holds');
const url = new URL('http://storage.test/key?X-Amz-Signature=s');
const sumsOf = (content: Buffer): Required<PartHash> => ({
  sha256: createHash('sha256').update(content).digest('hex'),
  md5: createHash('md5').update(content).digest('hex'),
  crc32: crc32(content),
  sizeBytes: content.length,
});
const sums = sumsOf(bytes);
const otherSums = sumsOf(Buffer.from('what another holds.'));

const heldOf = ({ sha256, md5 }: PartHash): HeldRange => ({
  source: { bytes, use: () => () => undefined },
  sha256,
  md5: async () => ok(md5),
});

let etags: EtagCache;
let puts: PutRequest[];
beforeEach(() => {
  etags = createEtagCache();
  puts = [];
});

/** Sends the bytes to storage that answers with this etag; the file is unchanged. */
async function send(given: { readonly sums?: PartHash; readonly hashing?: PartHash }, etag: string) {
  const put = async (request: PutRequest): Promise<PutOutcome> => {
    puts.push(request);
    const sum = request.withCrc32 === false ? {} : { crc32: crc32(bytes) };
    return { kind: 'answer', status: 200, text: '', sentBytes: bytes.length, etag, ...sum };
  };
  const evidence = {
    name: 'a.avi',
    version: { sizeBytes: bytes.length, mtimeNs: '1', inode: '1', device: '1' },
    verifyUnchanged: async () => ok({ isTouched: false, ctimeNs: '1' }),
  } as Partial<SourceFile> as SourceFile;
  const sendRange = createSendRange({
    signedPut: { put, stop: () => undefined },
    bufferPool: createBufferPool(clock, 1),
    limiter: createRateLimit(clock, null),
    meter: createTransferMeter(clock),
    etags,
    serviceClock: { now: () => 0 } as Parameters<typeof createSendRange>[0]['serviceClock'],
  });
  const { hashing, sums: held } = given;
  return sendRange({
    evidence,
    hashPool: {} as Parameters<typeof sendRange>[0]['hashPool'],
    url,
    step: 'object',
    offset: 0,
    length: bytes.length,
    name: 'a.avi',
    meterKey: undefined,
    ...(held && { held: heldOf(held) }),
    ...(hashing && { hashing: async () => ok(hashing) }),
    signal: new AbortController().signal,
  });
}

describe('bytes that lie in memory', () => {
  it('need no sum that ties what is sent to what was hashed', async () => {
    expect(await send({ sums }, '"opaque"')).toMatchObject({ kind: 'stored', sha256: sums.sha256 });
    expect(puts.map(({ withCrc32 }) => withCrc32)).toEqual([false]);
  });

  it('are proven by an etag that is their MD5, and refused with one that is another', async () => {
    expect(await send({ sums }, `"${sums.md5}"`)).toMatchObject({ kind: 'stored' });
    expect(await send({ sums }, `"${otherSums.md5}"`)).toMatchObject({
      kind: 'stop',
      outcome: { kind: 'refused', failure: { code: 'BYTES_DAMAGED' } },
    });
  });
});

describe('bytes that are read a second time to be hashed', () => {
  it('are tied to what was sent by their CRC-32, where the etag is none or not known yet', async () => {
    expect(await send({ hashing: sums }, '"opaque"')).toMatchObject({ kind: 'stored' });
    expect(await send({ hashing: otherSums }, '"opaque"')).toMatchObject({
      kind: 'stop',
      outcome: { kind: 'refused', failure: { code: 'BYTES_DAMAGED' } },
    });
    expect(puts.map(({ withCrc32 }) => withCrc32)).toEqual([true, true]);
  });

  it('are proven by the MD5 alone where etags are known to be one', async () => {
    await send({ hashing: sums }, `"${sums.md5}"`);
    expect(await send({ hashing: sums }, `"${sums.md5}"`)).toMatchObject({ kind: 'stored' });
    expect(puts.map(({ withCrc32 }) => withCrc32)).toEqual([true, false]);
  });
});
