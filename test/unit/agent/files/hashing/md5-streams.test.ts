import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMd5Streams, STREAM_COUNT } from '../../../../../electron/agent/files/hashing/md5-streams.ts';

const BUFFER_BYTES = 4 * 1024;
const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

/** Hashes several streams side by side in buffer-sized pieces, each starting at its own step. */
function hashTogether(
  streams: readonly { readonly stream: number; readonly startStep: number; readonly bytes: Buffer }[],
) {
  const md5 = createMd5Streams(BUFFER_BYTES);
  const sums = new Map<number, string>();
  for (let step = 0; sums.size < streams.length; step++) {
    const counts = Array<number>(STREAM_COUNT).fill(0);
    const active = streams.filter((one) => one.startStep <= step && !sums.has(one.stream));
    for (const one of active) {
      if (one.startStep === step) md5.begin(one.stream);
      const offset = (step - one.startStep) * BUFFER_BYTES;
      counts[one.stream] = one.bytes.copy(md5.buffer(one.stream), 0, offset, offset + BUFFER_BYTES);
    }
    md5.update(counts);
    for (const one of active) {
      if ((step - one.startStep + 1) * BUFFER_BYTES < one.bytes.length) continue;
      const rest = (counts[one.stream] ?? 0) - (one.bytes.length % 64);
      sums.set(one.stream, md5.end(one.stream, one.bytes.length, rest));
    }
  }
  return sums;
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
      })).filter(() => Math.random() < 0.7);
      const sums = hashTogether(streams);
      for (const one of streams) expect(sums.get(one.stream), `stream ${one.stream}`).toBe(md5Of(one.bytes));
    }
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
