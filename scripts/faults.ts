/**
 * Runs the fault tests that take too long for every run, and updates docs/reliability.md:
 * `npm run faults [-- FILTER] [--all]`. The last line is `N passed, N failed[, N skipped]`.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { rowsIn } from '../test/faults/matrix-rows.ts';
import {
  mergeRuns,
  readResults,
  resultsFile,
  runsOfPlaywright,
  runsOfVitest,
  type TestRun,
  reliabilityFile,
} from './docs/fault-results.ts';
import { formatted } from './format-text.ts';
import { generatedPages } from './make-docs.ts';
import { ensureTestChromium } from './find-runtimes.ts';
import { programStep, runStep, type Step } from './run-step.ts';

/** Time limit for the whole run, milliseconds; each test has its own as well. */
const LIMIT_MS = 60 * 60_000;
const usage = `npm run faults [-- FILTER] [--all]

  FILTER   only tests whose name contains this: "fault 21", "input C"
  --all    also the tests of the matrix that npm test runs, including those in a browser`;

const folder = mkdtempSync(join(tmpdir(), 'vms-faults-'));
const startedMs = performance.now();
const limitMs = (): number => Math.max(0, LIMIT_MS - (performance.now() - startedMs));

async function report(step: (file: string) => Step): Promise<unknown> {
  const file = join(folder, 'report.json');
  rmSync(file, { force: true });
  const end = await runStep(step(file), { quiet: false, limitMs: limitMs() });
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    console.log(`${end.name} wrote no report: ${end.ending}`);
    return undefined;
  }
}

/**
 * A name pattern that matches the filter literally: a number at its end does not match the start of a longer number.
 */
const patternOf = (filter: string): string =>
  `${filter.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}${/\d$/.test(filter) ? '(?!\\d)' : ''}`;

/** The files matching the glob that contain tests of the matrix. */
const withRows = (pattern: string): readonly string[] =>
  globSync(pattern).filter((file) => rowsIn(readFileSync(file, 'utf8')).length > 0);

const vitest =
  (pattern: string, ...more: readonly string[]) =>
  (file: string) =>
    programStep(
      'vitest',
      'vitest',
      'run',
      '-t',
      pattern,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...more,
    );

async function runAll(pattern: string, isWhole: boolean): Promise<readonly TestRun[]> {
  const long = await report(vitest(pattern, '--config', 'vitest.faults.config.ts'));
  const runs = runsOfVitest(long);
  if (!isWhole) return runs;
  const short = await report(vitest(pattern, ...withRows('test/{unit,integration,contract}/**/*.test.ts')));
  if ((await ensureTestChromium()) === undefined) return [...runs, ...runsOfVitest(short)];
  const pages = await report((file) => ({
    ...programStep(
      'playwright',
      'playwright',
      'test',
      '-g',
      pattern,
      '--reporter=line,json',
      ...withRows('test/e2e/**/*.spec.ts'),
    ),
    environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
  }));
  return [...runs, ...runsOfVitest(short), ...runsOfPlaywright(pages)];
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false } },
  });
  const [filter, ...others] = positionals;
  if (others.length > 0) throw new TypeError(usage);
  const pattern = filter === undefined ? '(fault|input) [A-H]?\\d' : patternOf(filter);
  const isWanted = new RegExp(pattern);
  const runs = (await runAll(pattern, values.all)).filter(({ name }) => isWanted.test(name));
  const results = mergeRuns(readResults(), runs, new Date());
  writeFileSync(resultsFile, await formatted(resultsFile, JSON.stringify(results)));
  const page = (await generatedPages()).get(reliabilityFile) ?? '';
  writeFileSync(reliabilityFile, page);
  const count = (state: TestRun['state']): number => runs.filter((run) => run.state === state).length;
  const skipped = count('skipped') === 0 ? '' : `, ${count('skipped')} skipped`;
  console.log(`\n${resultsFile} and ${reliabilityFile} were written.`);
  console.log(`${count('passed')} passed, ${count('failed')} failed${skipped}`);
  return count('failed') === 0 && count('passed') > 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof TypeError ? usage : error);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
