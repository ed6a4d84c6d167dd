import { describe, expect, it } from 'vitest';
import { findJpeg, isAvi } from '../../../../renderer/thumbnailer/by-decoder.ts';
import { judgeFrame, planTimes } from '../../../../renderer/thumbnailer/draw-thumbnail.ts';

const WIDTH = 30;
const HEIGHT = 30;

/** A frame of grey values by row and column. */
function frame(value: (row: number, column: number) => number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(WIDTH * HEIGHT * 4);
  for (let at = 0; at < WIDTH * HEIGHT; at += 1)
    pixels.fill(value(Math.floor(at / WIDTH), at % WIDTH), at * 4, at * 4 + 3);
  return pixels;
}
const scene = (row: number, column: number): number => (row * 37 + column * 11) % 256;

describe('a decoded frame', () => {
  it.each([
    ['a scene', scene, 'fine'],
    ['black', () => 0, 'black'],
    [
      'black as video writes it, with the noise of a sensor',
      (row: number, column: number) => 16 + ((row + column) % 5),
      'black',
    ],
    ['a decoder without data: all green or grey', () => 128, 'black'],
    ['a dark scene with a lamp', (row: number, column: number) => (row < 6 && column < 6 ? 240 : 8), 'fine'],
    [
      'a scene that ends half-way',
      (row: number, column: number) => (row < 15 ? scene(row, column) : 128),
      'torn',
    ],
    [
      'bars above and below',
      (row: number, column: number) => (row < 10 || row > 19 ? 16 : scene(row, column)),
      'fine',
    ],
    ['a small bar below', (row: number, column: number) => (row > 25 ? 16 : scene(row, column)), 'fine'],
  ])('%s', (_what, value, verdict) => {
    expect(judgeFrame(frame(value), WIDTH, HEIGHT)).toBe(verdict);
  });
});

describe('the moments that are tried', () => {
  it.each([
    ['a tenth of a short clip first', 4, 0.4],
    ['three seconds of a long one', 3_600, 3],
  ])('%s', (_what, durationS, first) => {
    expect(planTimes(durationS)[0]).toBeCloseTo(first);
  });

  it('lie in the clip, each once, the very beginning last, and are few', () => {
    for (const durationS of [0.04, 1, 8, 61, 86_400]) {
      const times = planTimes(durationS);
      expect(new Set(times).size).toBe(times.length);
      expect(times.every((at) => at >= 0 && at < durationS)).toBe(true);
      expect(times.at(-1)).toBe(0);
      expect(times.length).toBeLessThanOrEqual(8);
    }
  });

  it.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, 0, -1])(
    'do without a length: %s',
    (durationS) => {
      expect(planTimes(durationS)[0]).toBe(3);
    },
  );
});

describe('the first JPEG among bytes', () => {
  const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xda, 0, 2, 5, 0xff, 0, 0xff, 0xd3, 6, 0xff, 0xd9];

  it('is cut out whole, over stuffed bytes and restarts', () => {
    expect(findJpeg(Uint8Array.from([1, 0xff, 0xd8, 7, ...jpeg, 9, 9]))).toEqual(Uint8Array.from(jpeg));
  });

  it('does not end with a small picture inside a comment', () => {
    const small = [0xff, 0xe1, 0, 6, 0xff, 0xd8, 0xff, 0xd9];
    const nested = [0xff, 0xd8, ...small, ...jpeg.slice(2)];
    expect(findJpeg(Uint8Array.from(nested))).toEqual(Uint8Array.from(nested));
  });

  it.each([
    ['cut off', jpeg.slice(0, -1)],
    ['with a segment beyond the end', [0xff, 0xd8, 0xff, 0xe0, 0xff, 0xff, 1, 2]],
    ['with a segment of no length', [0xff, 0xd8, 0xff, 0xe0, 0, 0, 1, 2, 0xff, 0xd9]],
    ['not there', [1, 2, 3]],
  ])('is none when it is %s', (_what, bytes) => {
    expect(findJpeg(Uint8Array.from(bytes))).toBeUndefined();
  });

  it('is looked for in an AVI only', () => {
    expect(isAvi(new TextEncoder().encode('RIFF....AVI LIST'))).toBe(true);
    expect(isAvi(new TextEncoder().encode('RIFF....WAVEfmt '))).toBe(false);
  });
});
