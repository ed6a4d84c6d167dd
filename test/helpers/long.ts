import { describe } from 'vitest';

/**
 * Options of a test that takes too long for every run: `npm run test:long` runs it. A new object each time, because
 * vitest adds to it.
 */
export const long = () => ({ tags: 'long' });

/** Tests the first cases in every run, and the others of the same kind only in `npm run test:long`. */
export function mostlyLong<T>(
  cases: readonly T[],
  inEveryRun: number,
  testThem: (some: readonly T[]) => void,
): void {
  testThem(cases.slice(0, inEveryRun));
  describe('in long runs', long(), () => {
    testThem(cases.slice(inEveryRun));
  });
}
