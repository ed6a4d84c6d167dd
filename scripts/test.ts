/**
 * Everything that continuous integration runs: the checks of `npm run check`, the tests, the demo, the kills and an
 * inspection of the packages. `npm test`. With `--long`, only the tests marked as long, and the storage contract on a
 * real store: `npm run test:long`. The last line says `N passed, N failed[, N skipped]`; the exit code is 0 if nothing
 * failed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { staticChecks } from './check.ts';
import { findElectron, ensureTestChromium } from './find-runtimes.ts';
import {
  nodeStep,
  programStep,
  runStep,
  runSteps,
  type Step,
  type StepEnd,
  tallyOfPlaywright,
  tallyOfVitest,
  type Tally,
} from './run-step.ts';

/**
 * Time limit for everything: a run takes a fraction of it, and a build server should notice a hang within half an hour.
 */
const TOTAL_LIMIT_MS = 25 * 60_000;
/** Time limit for the long tests. */
const LONG_LIMIT_MS = 60 * 60_000;
/**
 * Time limit for installing a real object store and running its contract; if the store cannot start, that part is
 * skipped.
 */
const STORE_LIMIT_MS = 5 * 60_000;
/** Number of times the agent is killed in each run; `npm run torture` does more. */
const KILLS = '20';

const build = programStep('build', 'vite', 'build', '--app', '--logLevel', 'error');
/** Counts as one test, like each whole program. */
const packages = nodeStep('packages', 'scripts/pack-check.ts', '--built');
/** These mostly wait: beside the browser tests, they use what processor time is left. */
const programs: readonly Step[] = [
  nodeStep('torture', 'test/torture/torture.ts', '--kills', KILLS),
  nodeStep('demo', 'test/demo/demo.ts', '--once'),
];

const { values: options, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    /** Run only the tests that take too long for every run. */
    long: { type: 'boolean', default: false },
  },
});
const deadline = performance.now() + (options.long ? LONG_LIMIT_MS : TOTAL_LIMIT_MS);
const limitMs = (): number => Math.max(0, deadline - performance.now());
const counted = (passed: number, failed: number, skipped = 0): Tally => ({ passed, failed, skipped });

/**
 * Runs tests that write their own report. A run without failed tests but with a non-zero exit code (an unhandled error,
 * a time-out) counts as one failure.
 */
async function runTests(
  stepWith: (report: string) => Step,
  tallyOf: (report: unknown) => Tally,
): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-report-'));
  const report = join(folder, 'report.json');
  try {
    const end = await runStep(stepWith(report), { quiet: false, limitMs: limitMs() });
    const tally = readTally(report, tallyOf);
    if (!end.ok) console.log(`${end.name} ended with ${end.ending}`);
    return { ...tally, failed: end.ok ? tally.failed : Math.max(1, tally.failed) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads a report; counts nothing when the run ended before writing one. */
function readTally(report: string, tallyOf: (report: unknown) => Tally): Tally {
  try {
    return tallyOf(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return counted(0, 0);
  }
}

const vitestArguments = (report: string): readonly string[] => [
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
];

/** All tests of files that are named explicitly; otherwise either the long ones or the others. */
const isWanted = (tags: readonly string[]): boolean =>
  options.long ? tags.includes('long') : patterns.length > 0 || !tags.includes('long');
const tagsFilter = options.long ? ['--tags-filter=long'] : patterns.length > 0 ? [] : ['--tags-filter=!long'];

const runVitest = (): Promise<Tally> =>
  runTests(
    (report) =>
      programStep('vitest', 'vitest', 'run', ...tagsFilter, ...vitestArguments(report), ...patterns),
    (report) => tallyOfVitest(report, isWanted),
  );

/** The pages and the desktop app in a real browser; without one they count as skipped. Needs the build. */
async function runBrowserTests(chromium: string | undefined): Promise<Tally> {
  if (chromium === undefined) {
    console.log(
      'No Chromium was found or could be installed; the tests of the pages and of the desktop app are skipped.',
    );
    return counted(0, 0, 1);
  }
  const hasElectron =
    findElectron({ packageDir: 'node_modules/electron', environment: process.env }) !== undefined;
  console.log(
    hasElectron
      ? 'The desktop app is tested on the substitute for Electron (project desktop) and on the Electron runtime (desktop-electron).'
      : 'The desktop app is tested on the substitute for Electron (project desktop); the Electron runtime is not installed, so the same tests on it (desktop-electron) are skipped.',
  );
  return runTests(
    (report) => ({
      ...programStep(
        'playwright',
        'playwright',
        'test',
        '--reporter=line,json',
        ...(options.long ? ['--grep=@long'] : []),
      ),
      environment: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: report,
        ...(options.long ? {} : { WITHOUT_LONG: 'true' }),
      },
    }),
    (report) => {
      const { figures, ...tally } = tallyOfPlaywright(report);
      for (const figure of figures) console.log(figure);
      return tally;
    },
  );
}

function tallyOfSteps(ends: readonly StepEnd[]): Tally {
  const passed = ends.filter(({ ok }) => ok).length;
  return counted(passed, ends.length - passed);
}

/** Exit code of scripts/test-s3.ts when there is no store to test. */
const NO_STORE = 'exit code 3';

async function runStoreTests(): Promise<Tally> {
  const limit = Math.min(STORE_LIMIT_MS, limitMs());
  const folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-report-'));
  const report = join(folder, 'report.json');
  const step = nodeStep('store', 'scripts/test-s3.ts', ...vitestArguments(report));
  const end = await runStep(step, { quiet: true, limitMs: limit });
  console.log(end.output.trimEnd());
  const tally = readTally(report, (read) => tallyOfVitest(read, () => true));
  rmSync(folder, { recursive: true, force: true });
  if (end.ending === NO_STORE || !end.output.includes('serves S3 at')) {
    console.log(
      `The object store could not be installed and started within ${limit / 1000} s; it is skipped.`,
    );
    return counted(0, 0, 1);
  }
  return { ...tally, failed: end.ok ? tally.failed : Math.max(1, tally.failed) };
}

/**
 * Everything that does not depend on timing: it uses what processor time the tests leave, and finishes long before
 * them.
 */
async function runBehind(isBuilt: Promise<boolean>): Promise<Tally> {
  const behind = { limitMs: limitMs(), isBehind: true } as const;
  const checks = await runSteps(staticChecks, { ...behind, shown: 'failed ones' });
  const packed = (await isBuilt) ? await runSteps([packages], { ...behind, shown: 'all output' }) : [];
  return tallyOfSteps([...checks, ...packed]);
}

/** Everything that depends on timing: the tests of the agent, then those of the browser and the programs. */
async function runTimed(isBuilt: Promise<boolean>): Promise<readonly Tally[]> {
  const chromium = ensureTestChromium();
  const vitest = await runVitest();
  if (!(await isBuilt)) return [vitest, counted(0, 1)];
  if (options.long) return [vitest, await runBrowserTests(await chromium), await runStoreTests()];
  const [browser, ends] = await Promise.all([
    runBrowserTests(await chromium),
    runSteps(programs, { limitMs: limitMs(), shown: 'all output' }),
  ]);
  return [vitest, browser, tallyOfSteps(ends)];
}

async function runAll(): Promise<readonly Tally[]> {
  if (patterns.length > 0) return [await runVitest()];
  const isBuilt = runStep(build, { quiet: false, limitMs: limitMs() }).then(({ ok }) => ok);
  if (options.long) return runTimed(isBuilt);
  const [behind, timed] = await Promise.all([runBehind(isBuilt), runTimed(isBuilt)]);
  return [behind, ...timed];
}

const tallies = await runAll().catch((error: unknown) => {
  console.error(error);
  return [counted(0, 1)];
});
const total = (key: keyof Tally): number =>
  tallies.map((tally) => tally[key]).reduce((sum, count) => sum + count, 0);
const skipped = total('skipped') === 0 ? '' : `, ${total('skipped')} skipped`;
console.log(`\n${total('passed')} passed, ${total('failed')} failed${skipped}`);
process.exitCode = total('failed') === 0 && total('passed') > 0 ? 0 : 1;
