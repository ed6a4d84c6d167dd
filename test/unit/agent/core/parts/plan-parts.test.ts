import { describe, expect, it } from 'vitest';
import {
  MAX_OBJECT_BYTES,
  partRange,
  planParts,
} from '../../../../../electron/agent/core/parts/plan-parts.ts';

const MIB = 1024 * 1024;
const multipart = (partSizeBytes: number, partCount: number) => ({
  kind: 'multipart',
  partSizeBytes,
  partCount,
});

describe('planParts', () => {
  it.each([
    [0, {}, { kind: 'single' }],
    [1, {}, { kind: 'single' }],
    [99_999_999, {}, { kind: 'single' }],
    [100_000_000, {}, multipart(8 * MIB, 12)],
    [80_000 * MIB, {}, multipart(8 * MIB, 10_000)],
    [80_000 * MIB + 1, {}, multipart(16 * MIB, 5_001)],
    [200_000_000_000, {}, multipart(32 * MIB, 5_961)],
    [MAX_OBJECT_BYTES, {}, multipart(1024 * MIB, 5_120)],
    [MAX_OBJECT_BYTES + 1, {}, { kind: 'too-large', limitBytes: MAX_OBJECT_BYTES }],
    [5 * MIB, { thresholdBytes: 5 * MIB }, multipart(8 * MIB, 1)],
    [12 * MIB, { thresholdBytes: 5 * MIB, partSizeBytes: 5 * MIB }, multipart(5 * MIB, 3)],
    [50_001 * MIB, { partSizeBytes: 5 * MIB }, multipart(10 * MIB, 5_001)],
    [2 * 1024 * MIB, { partSizeBytes: 64 * MIB }, multipart(64 * MIB, 32)],
  ])('plans %i bytes with %o', (sizeBytes, rules, expected) => {
    expect(planParts(sizeBytes, rules)).toEqual(expected);
  });
});

describe('partRange', () => {
  it.each([100_000_000, 160_000 * MIB + 1, 48 * MIB, 10_000_019 * 97])(
    'covers %i bytes once and in order',
    (sizeBytes) => {
      const plan = planParts(sizeBytes, { thresholdBytes: 1 });
      if (plan.kind !== 'multipart') throw new Error('expected parts');
      let position = 0;
      for (let number = 1; number <= plan.partCount; number++) {
        const range = partRange(plan, number, sizeBytes);
        expect(range.offset).toBe(position);
        expect(range.length).toBeGreaterThan(0);
        if (number < plan.partCount) expect(range.length).toBe(plan.partSizeBytes);
        position += range.length;
      }
      expect(position).toBe(sizeBytes);
    },
  );

  it.each([0, -1, 7, 1.5, Number.NaN])('throws for part %s of 6', (partNumber) => {
    expect(() => partRange({ partSizeBytes: 16 * MIB, partCount: 6 }, partNumber, 100_000_000)).toThrow(
      RangeError,
    );
  });
});
