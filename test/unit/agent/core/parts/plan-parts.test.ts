import { describe, expect, it } from 'vitest';
import {
  MAX_OBJECT_BYTES,
  partRange,
  planParts,
  aheadPartSize,
  endsInHole,
  fitsParts,
  hasRoomForWaste,
  mayBeginAhead,
  partsToSend,
  urlCount,
  waitsUntil,
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

const DAY_MS = 24 * 60 * 60_000;

describe('mayBeginAhead', () => {
  it.each([
    ['three looks saw it grow', 3, 101, true],
    ['two looks saw it grow', 2, 101, false],
    ['it had its size at the first look', 0, 101, false],
    ['it could still go in one piece', 9, 100, false],
  ])('when %s', (_what, grownLooks, sizeBytes, may) => {
    expect(mayBeginAhead({ grownLooks, sizeBytes }, 100)).toBe(may);
  });
});

describe('partsToSend', () => {
  it.each([
    [10, 10, []],
    [20, 10, []],
    [21, 10, [2]],
    [30, 10, [2]],
    [31, 10, [2, 3]],
    [45, 10, [2, 3, 4]],
  ])('of %i bytes in parts of %i leaves the first and the last', (sizeBytes, partSize, numbers) => {
    expect(partsToSend(sizeBytes, partSize, new Set())).toEqual(numbers);
  });

  it('leaves out what was begun', () => {
    expect(partsToSend(45, 10, new Set([3]))).toEqual([2, 4]);
  });

  it('never names a part beyond the most that storage takes', () => {
    expect(partsToSend(200_000, 10, new Set()).at(-1)).toBe(9_999);
  });
});

it('takes parts that are held in memory, and smaller ones where the settings say so', () => {
  expect([undefined, 64 * MIB, 5 * MIB].map(aheadPartSize)).toEqual([8 * MIB, 8 * MIB, 5 * MIB]);
});

it('gives up a file of more parts than storage takes', () => {
  expect([fitsParts(100_000, 10), fitsParts(100_001, 10)]).toEqual([true, false]);
});

it('asks for the URLs of twice the parts there are, and never for too many', () => {
  expect([urlCount(45, 10), urlCount(90_000, 10)]).toEqual([10, 10_000]);
});

it('takes zeros at the end of a part for what was not written yet', () => {
  const part = new Uint8Array(10_000).fill(1);
  expect(endsInHole(part)).toBe(false);
  part.fill(0, -4096);
  expect(endsInHole(part)).toBe(true);
  part[9_999] = 1;
  expect(endsInHole(part)).toBe(false);
});

describe('waitsUntil', () => {
  const good = { at: 0, sentBytes: 100, voidBytes: 25 };
  const wrong = { at: 5, sentBytes: 100, voidBytes: 26 };

  it.each([
    ['nothing is known', [], undefined],
    ['once more than a quarter was void', [wrong], undefined],
    ['it went well in between', [wrong, good, wrong], undefined],
    ['a quarter was void', [good, good], undefined],
    ['more than a quarter was void twice in a row', [wrong, wrong, good], 5 + 30 * DAY_MS],
  ])('when %s', (_what, results, untilMs) => {
    expect(waitsUntil(results, 10)).toBe(untilMs);
  });

  it('ends after 30 days', () => {
    expect(waitsUntil([wrong, wrong], 5 + 30 * DAY_MS)).toBeUndefined();
  });
});

describe('hasRoomForWaste', () => {
  it.each([
    ['nothing was sent in vain', { voidBytes: 0, openBytes: 99 }, undefined, true],
    ['what is open may all be void', { voidBytes: 1, openBytes: 99 }, undefined, false],
    ['the last of this kind went well', { voidBytes: 1, openBytes: 99 }, 0, true],
    ['the last of this kind was void', { voidBytes: 1, openBytes: 99 }, 50, false],
    ['the day is used up', { voidBytes: 100, openBytes: 0 }, 0, false],
  ])('when %s', (_what, waste, lastVoid, has) => {
    const last = lastVoid === undefined ? undefined : { at: 0, sentBytes: 100, voidBytes: lastVoid };
    expect(hasRoomForWaste(waste, last, 100)).toBe(has);
  });
});
