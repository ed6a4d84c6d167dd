import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import { addTallies, TALLY_FILE_VARIABLE, tallyLine, type Tally } from '../scripts/tally.ts';

/** Of the message of a first try, characters. */
const MOST_SHOWN = 1500;

/** A file that does not load, or a group whose hooks fail, has failed although none of its tests says so. */
function tallyOfModule(module: TestModule): Tally {
  const tests = [...module.children.allTests()].map((test) => test.result().state);
  const groups = [module, ...module.children.allSuites()].filter((group) => group.errors().length > 0);
  const failed = tests.filter((state) => state === 'failed').length + groups.length;
  return {
    passed: tests.filter((state) => state === 'passed').length,
    failed: failed === 0 && module.state() === 'failed' ? 1 : failed,
    skipped: tests.filter((state) => state === 'skipped' || state === 'pending').length,
  };
}

/** What went wrong before it passed, indented below its line. */
const firstTry = (message: string): string =>
  `  ${message.slice(0, MOST_SHOWN).replaceAll(/\s*\n\s*/g, '\n  ')}\n`;

/** Ends the run with `N passed, N failed[, N skipped]`, or writes these numbers to the file that the caller named. */
export default class TallyReporter implements Reporter {
  #tally: Tally = { passed: 0, failed: 0, skipped: 0 };

  onInit(): void {
    process.once('exit', () => {
      const file = process.env[TALLY_FILE_VARIABLE];
      if (file === undefined) process.stdout.write(`${tallyLine(this.#tally)}\n`);
      else writeFileSync(file, JSON.stringify(this.#tally));
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const unhandled = { passed: 0, failed: unhandledErrors.length, skipped: 0 };
    for (const module of modules)
      for (const test of module.children.allTests())
        if (test.diagnostic()?.flaky === true) {
          process.stdout.write(`second try: ${module.relativeModuleId} > ${test.fullName}\n`);
          for (const { message } of test.result().errors ?? []) process.stdout.write(firstTry(message));
        }
    this.#tally = addTallies([...modules.map(tallyOfModule), unhandled]);
  }
}
