import { writeFileSync } from 'node:fs';
import type { FullConfig, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { TALLY_FILE_VARIABLE, tallyLine, type Tally } from '../../scripts/tally.ts';

/** What a test measured is an annotation of this type; it is printed, whether the test passed or not. */
const FIGURE = 'figure';

/** Ends the run with `N passed, N failed[, N skipped]`, or writes these numbers to the file that the caller named. */
export default class TallyReporter implements Reporter {
  #tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  #tests: readonly TestCase[] = [];

  onBegin(_config: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  onEnd(): void {
    for (const test of this.#tests) {
      const { passed, failed, skipped } = this.#tally;
      const outcome = test.outcome();
      for (const { type, description } of test.annotations)
        if (type === FIGURE) process.stdout.write(`${description}\n`);
      if (outcome === 'skipped') this.#tally = { passed, failed, skipped: skipped + 1 };
      else if (outcome !== 'expected') this.#tally = { passed, failed: failed + 1, skipped };
      else this.#tally = { passed: passed + 1, failed, skipped };
    }
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
