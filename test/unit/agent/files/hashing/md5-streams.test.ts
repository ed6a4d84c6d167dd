import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { STREAM_COUNT } from '../../../../../electron/agent/files/hashing/md5-kernel.ts';
import { createMd5Streams } from '../../../../../electron/agent/files/hashing/md5-streams.ts';
import { createSharedBuffer, memoryOf } from '../../../../../electron/agent/files/hashing/shared-memory.ts';

const BUFFER_BYTES = 4 * 1024;
const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

interface Stream {
  readonly stream: number;
  readonly startStep: number;
  readonly bytes: Buffer;
  /** The bytes lie in memory of their own from this place on, instead of passing through the buffer. */
  readonly heldAt?: number;
}

/** Hashes several streams side by side in buffer-sized pieces, each starting at its own step. */
function hashTogether(streams: readonly Stream[]) {
  const md5 = createMd5Streams(BUFFER_BYTES);
  const sums = new Map<number, string>();
  for (let step = 0; sums.size < streams.length; step++) {
    const counts = Array<number>(STREAM_COUNT).fill(0);
    const active = streams.filter((one) => one.startStep <= step && !sums.has(one.stream));
    for (const one of active) {
      if (one.startStep === step) md5.begin(one.stream, held(one));
      const offset = (step - one.startStep) * BUFFER_BYTES;
      const piece = one.bytes.subarray(offset, offset + BUFFER_BYTES);
      if (one.heldAt === undefined) piece.copy(md5.buffer(one.stream));
      counts[one.stream] = piece.length;
    }
    md5.update(counts);
    for (const one of active) {
      if ((step - one.startStep + 1) * BUFFER_BYTES < one.bytes.length) continue;
      sums.set(one.stream, md5.end(one.stream, one.bytes.length));
    }
  }
  return sums;
}

function held({ heldAt, bytes }: Stream) {
  if (heldAt === undefined) return undefined;
  const memory = createSharedBuffer(heldAt + bytes.length);
  memory.set(bytes, heldAt);
  return { memory: memoryOf(memory), at: heldAt };
}

describe('createMd5Streams', () => {
  it.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 4_095, 4_096, 4_097, 12_288, 50_001])(
    'hashes %i bytes as node:crypto does, in every stream',
    (sizeBytes) => {
      for (let stream = 0; stream < STREAM_COUNT; stream++) {
        const bytes = randomBytes(sizeBytes);
        expect(hashTogether([{ stream, startStep: 0, bytes }]).get(stream)).toBe(md5Of(bytes));
      }
    },
  );

  it('keeps streams of different lengths apart that come and go at different times', () => {
    for (let round = 0; round < 60; round++) {
      const streams = Array.from({ length: STREAM_COUNT }, (_unused, stream) => ({
        stream,
        startStep: Math.floor(Math.random() * 4),
        bytes: randomBytes(Math.floor(Math.random() * 30_000)),
        ...(Math.random() < 0.5 && { heldAt: Math.floor(Math.random() * 100_000) }),
      })).filter(() => Math.random() < 0.7);
      const sums = hashTogether(streams);
      for (const one of streams) expect(sums.get(one.stream), `stream ${one.stream}`).toBe(md5Of(one.bytes));
    }
  });

  it('hashes bytes up to the end of the memory that holds them', () => {
    const bytes = randomBytes(2 * 64 * 1024 - 3);
    expect(hashTogether([{ stream: 5, startStep: 0, bytes, heldAt: 3 }]).get(5)).toBe(md5Of(bytes));
  });

  it('finds no memory behind other bytes', () => {
    expect(() => memoryOf(Buffer.alloc(10))).toThrow('not in shared memory');
  });

  it('knows the sums of RFC 1321', () => {
    const sums = hashTogether([
      { stream: 0, startStep: 0, bytes: Buffer.from('') },
      { stream: 3, startStep: 0, bytes: Buffer.from('message digest') },
      { stream: 7, startStep: 0, bytes: Buffer.from('1234567890'.repeat(8)) },
    ]);
    expect(sums.get(0)).toBe('d41d8cd98f00b204e9800998ecf8427e');
    expect(sums.get(3)).toBe('f96b697d7cb7938d525a2f31aaf161d0');
    expect(sums.get(7)).toBe('57edf4a22be3c955ac49da2e2107b67a');
  });
});
