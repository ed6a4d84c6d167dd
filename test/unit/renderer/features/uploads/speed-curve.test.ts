import { describe, expect, it } from 'vitest';
import { speedCurve } from '../../../../../renderer/features/uploads/speed-curve.ts';

const size = { seconds: 300, height: 64 };

describe('speedCurve', () => {
  it('ends at the right with the newest, and leaves the seconds before the first one empty', () => {
    expect(speedCurve([5, 10], size)).toBe('M298 33L299 2H300');
  });

  it('lies on the ground while nothing moves', () => {
    expect(speedCurve([0, 0, 0], size)).toBe('M297 64L298 64L299 64H300');
  });
});
