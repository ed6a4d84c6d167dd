import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findElectron } from './electron-path.ts';
import { ensureChromium } from './ensure-chromium.ts';
import { runChecks, staticChecks } from './run-checks.ts';
import { nodeStep, programStep, runStep, type Step, type StepEnd } from './run-step.ts';
import { addTallies, readTally, TALLY_FILE_VARIABLE, tallyLine, type Tally } from './tally.ts';

/** Everything together; a run takes a fraction of it, and a build server should hear of a hang within half an hour. */
const TOTAL_LIMIT_MS = 25 * 60_000;
/** Kills of the agent in each run; `npm run torture` does more. */
const KILLS = '30';

/** Whole programs rather than test files: each counts as one. */
const programs: readonly Step[] = [
  nodeStep('demo', 'test/demo/demo.ts', '--once'),
  nodeStep('torture', 'test/torture/torture.ts', '--kills', KILLS),
  nodeStep('packages', 'scripts/pack-check.ts'),
].filter((step) => step.arguments[0] !== undefined && existsSync(step.arguments[0]));

const hasElectron =
  findElectron({ packageDir: 'node_modules/electron', environment: process.env }) !== undefined;
const patterns = process.argv.slice(2);
const vitest = programStep('vitest', 'vitest', 'run', ...patterns);
const deadline = performance.now() + TOTAL_LIMIT_MS;
const limits = () => ({ quiet: false, limitMs: Math.max(0, deadline - performance.now()) });

function tallyOf(ends: readonly StepEnd[]): Tally {
  const passed = ends.filter((end) => end.ok).length;
  return { passed, failed: ends.length - passed, skipped: 0 };
}

/** A run that is green by its tests but not by its exit code (an unhandled error, a time-out) counts as one failure more. */
async function runTests(step: Step): Promise<Tally> {
  const folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-tally-'));
  const file = join(folder, 'tally.json');
  const environment = { ...step.environment, [TALLY_FILE_VARIABLE]: file };
  const end = await runStep({ ...step, environment }, limits());
  const tally = readTally(file) ?? { passed: 0, failed: 0, skipped: 0 };
  rmSync(folder, { recursive: true, force: true });
  if (!end.ok) console.log(`${step.name} ended with ${end.ending}`);
  return !end.ok && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/** The pages and the desktop app in a real browser; without one they count as skipped. */
async function runBrowserTests(): Promise<Tally> {
  const chromium = ensureChromium();
  if (chromium === undefined) {
    console.log(
      'No Chromium was found or could be installed; the tests of the pages and of the desktop app are skipped.',
    );
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const build = await runStep(
    programStep('build', 'vite', 'build', '--app', '--logLevel', 'error'),
    limits(),
  );
  if (!build.ok) return { passed: 0, failed: 1, skipped: 0 };
  console.log(
    hasElectron
      ? 'The desktop app is tested on the double (project desktop) and on the Electron runtime (desktop-electron).'
      : 'The desktop app is tested on the double (project desktop); the Electron runtime is not installed, so the same tests on it (desktop-electron) are skipped.',
  );
  const environment = { CHROMIUM_PATH: chromium };
  return runTests({ ...programStep('playwright', 'playwright', 'test'), environment });
}

async function runPrograms(): Promise<Tally> {
  const ends: StepEnd[] = [];
  for (const program of programs) {
    console.log(`\n${program.name}: ${program.arguments.join(' ')}`);
    const end = await runStep(program, limits());
    ends.push(end);
    console.log(`${end.ok ? 'ok    ' : 'FAILED'} ${end.name} ${end.seconds.toFixed(1)} s, ${end.ending}`);
  }
  return tallyOf(ends);
}

async function runAll(): Promise<readonly Tally[]> {
  if (patterns.length > 0) return [await runTests(vitest)];
  return [
    tallyOf(await runChecks(staticChecks)),
    await runTests(vitest),
    await runBrowserTests(),
    await runPrograms(),
  ];
}

const total = addTallies(await runAll());
console.log(`\n${tallyLine(total)}`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
