import { readFileSync } from 'node:fs';

/** How many tests or steps ended in which way. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Environment variable with the file into which vitest's reporter writes its tally instead of printing it. */
export const TALLY_FILE_VARIABLE = 'TALLY_FILE';

/** The last line of every test run; continuous integration reads it. */
export function tallyLine(tally: Tally): string {
  const skipped = tally.skipped === 0 ? '' : `, ${tally.skipped} skipped`;
  return `${tally.passed} passed, ${tally.failed} failed${skipped}`;
}

/** The sum of several tallies. */
export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
    skipped: tallies.reduce((sum, tally) => sum + tally.skipped, 0),
  };
}

function isTally(value: unknown): value is Tally {
  if (typeof value !== 'object' || value === null) return false;
  const counts = new Map<string, unknown>(Object.entries(value));
  return ['passed', 'failed', 'skipped'].every((key) => Number.isSafeInteger(counts.get(key)));
}

/** What a reporter wrote; nothing when the run ended before it could write. */
export function readTally(file: string): Tally | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isTally(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
