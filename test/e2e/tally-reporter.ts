import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { TALLY_FILE_VARIABLE, tallyLine, type Tally } from '../../scripts/tally.ts';

/** Ends the run with `N passed, N failed[, N skipped]`, or writes these numbers to the file that the caller named. */
export default class TallyReporter implements Reporter {
  #tally: Tally = { passed: 0, failed: 0, skipped: 0 };

  onTestEnd(_test: TestCase, { status }: TestResult): void {
    const { passed, failed, skipped } = this.#tally;
    if (status === 'passed') this.#tally = { passed: passed + 1, failed, skipped };
    else if (status === 'skipped') this.#tally = { passed, failed, skipped: skipped + 1 };
    else this.#tally = { passed, failed: failed + 1, skipped };
  }

  /** A file that does not load, or a hook that fails outside of a test. */
  onError(): void {
    this.#tally = { ...this.#tally, failed: this.#tally.failed + 1 };
  }

  async onExit(): Promise<void> {
    const file = process.env[TALLY_FILE_VARIABLE];
    if (file === undefined) process.stdout.write(`${tallyLine(this.#tally)}\n`);
    else writeFileSync(file, JSON.stringify(this.#tally));
  }
}
