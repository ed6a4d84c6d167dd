import { describe } from 'vitest';

/** Options of a test that takes too long for every run: `npm run test:long` runs it. New ones each time: vitest adds to them. */
export const long = () => ({ tags: 'long' });

/** Has the first cases tested in every run, and the others of the same kind by `npm run test:long`. */
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
