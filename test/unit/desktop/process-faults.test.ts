import { describe, expect, it } from 'vitest';
import { nextReloads } from '../../../electron/desktop/process-faults.ts';

const MINUTE = 60_000;

describe('loading a crashed page again', () => {
  it('is done five times in ten minutes, and not a sixth time', () => {
    let reloads: readonly number[] | undefined = [];
    for (const minute of [0, 1, 2, 3, 4]) {
      reloads = nextReloads(reloads ?? [], minute * MINUTE);
      expect(reloads, `minute ${minute}`).toHaveLength(minute + 1);
    }
    expect(nextReloads(reloads ?? [], 9.9 * MINUTE)).toBeUndefined();
  });

  it('forgets what is ten minutes ago', () => {
    const five = [0, 1, 2, 3, 4].map((minute) => minute * MINUTE);
    expect(nextReloads(five, 10 * MINUTE)).toEqual([...five.slice(1), 10 * MINUTE]);
    expect(nextReloads(five, 100 * MINUTE)).toEqual([100 * MINUTE]);
  });
});
