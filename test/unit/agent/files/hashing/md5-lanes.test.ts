import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMd5Lanes, LANE_COUNT } from '../../../../../electron/agent/files/hashing/md5-lanes.ts';

const BUFFER_BYTES = 4 * 1024;
const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex');

/** Hashes streams side by side in pieces of a buffer, each beginning at its own step. */
function hashTogether(
  streams: readonly { readonly lane: number; readonly startStep: number; readonly bytes: Buffer }[],
) {
  const lanes = createMd5Lanes(BUFFER_BYTES);
  const sums = new Map<number, string>();
  for (let step = 0; sums.size < streams.length; step++) {
    const counts = Array<number>(LANE_COUNT).fill(0);
    const active = streams.filter((one) => one.startStep <= step && !sums.has(one.lane));
    for (const one of active) {
      if (one.startStep === step) lanes.begin(one.lane);
      const offset = (step - one.startStep) * BUFFER_BYTES;
      counts[one.lane] = one.bytes.copy(lanes.buffer(one.lane), 0, offset, offset + BUFFER_BYTES);
    }
    lanes.update(counts);
    for (const one of active) {
      if ((step - one.startStep + 1) * BUFFER_BYTES < one.bytes.length) continue;
      const rest = (counts[one.lane] ?? 0) - (one.bytes.length % 64);
      sums.set(one.lane, lanes.end(one.lane, one.bytes.length, rest));
    }
  }
  return sums;
}

describe('createMd5Lanes', () => {
  it.each([0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 4_095, 4_096, 4_097, 12_288, 50_001])(
    'hashes %i bytes as node:crypto does, in every lane',
    (sizeBytes) => {
      for (let lane = 0; lane < LANE_COUNT; lane++) {
        const bytes = randomBytes(sizeBytes);
        expect(hashTogether([{ lane, startStep: 0, bytes }]).get(lane)).toBe(md5Of(bytes));
      }
    },
  );

  it('keeps streams of different lengths apart that come and go at different times', () => {
    for (let round = 0; round < 60; round++) {
      const streams = Array.from({ length: LANE_COUNT }, (_unused, lane) => ({
        lane,
        startStep: Math.floor(Math.random() * 4),
        bytes: randomBytes(Math.floor(Math.random() * 30_000)),
      })).filter(() => Math.random() < 0.7);
      const sums = hashTogether(streams);
      for (const one of streams) expect(sums.get(one.lane), `lane ${one.lane}`).toBe(md5Of(one.bytes));
    }
  });

  it('knows the sums of RFC 1321', () => {
    const sums = hashTogether([
      { lane: 0, startStep: 0, bytes: Buffer.from('') },
      { lane: 3, startStep: 0, bytes: Buffer.from('message digest') },
      { lane: 7, startStep: 0, bytes: Buffer.from('1234567890'.repeat(8)) },
    ]);
    expect(sums.get(0)).toBe('d41d8cd98f00b204e9800998ecf8427e');
    expect(sums.get(3)).toBe('f96b697d7cb7938d525a2f31aaf161d0');
    expect(sums.get(7)).toBe('57edf4a22be3c955ac49da2e2107b67a');
  });
});
