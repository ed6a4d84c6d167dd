import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyBuild, findBuild, makeBrokenBuild } from './broken-builds.ts';
import { tortureGrowing } from './growing.ts';
import { invariants, type Invariant } from './findings.ts';
import { readOptions, usage, type TortureOptions } from './options.ts';
import { proveTorture } from './prove.ts';
import { reportText } from './report.ts';
import { runTorture } from './run-torture.ts';

/** In every tenth round a clip is truncated or appended to (reference: protocol, step 3). */
const CHANGE_EVERY = 10;
/** Longest time for a kill on a slow machine, milliseconds: limits the whole run. */
const LONGEST_KILL_MS = 10_000;
/** Longest time for the last run, milliseconds. */
const LAST_RUN_LIMIT_MS = 120_000;
/** Exit code that shells report for a program that was stopped. */
const EXIT_STOPPED = 130;
const DRAW_LIMIT = 2 ** 31;

async function torture(options: TortureOptions): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'vms-torture-'));
  const build = options.breakName === undefined ? undefined : findBuild(options.breakName);
  const { kills, seed, complete } = options;
  console.log(
    `seed ${seed}, ${kills} kills, a repeated complete gets ${complete}${build ? `, build ${build.name}` : ''}`,
  );
  const report = await runTorture({
    folder,
    program: build ? makeBrokenBuild(build, join(folder, 'build')) : await copyBuild(join(folder, 'build')),
    kills,
    seed,
    complete,
    changeEvery: CHANGE_EVERY,
    limitMs: kills * LONGEST_KILL_MS,
    lastRunLimitMs: LAST_RUN_LIMIT_MS,
  });
  console.log(reportText(report));
  const names = Object.keys(invariants) as Invariant[];
  const failed = names.filter((name) => report.findings.of(name).length > 0);
  for (const name of names) {
    console.log(`${failed.includes(name) ? 'FAILED' : 'ok    '} ${name.padEnd(3)} ${invariants[name]}`);
    for (const text of report.findings.of(name)) console.log(`         ${text}`);
  }
  if (failed.length > 0 || options.keep) console.log(`The work folder was kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  return { passed: names.length - failed.length, failed: failed.length };
}

async function growing({ kills, seed, keep }: TortureOptions): Promise<{ passed: number; failed: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'vms-torture-'));
  console.log(`seed ${seed}, ${kills} kills while a recorder writes`);
  const program = await copyBuild(join(folder, 'build'));
  const { recordings, sentAhead, named, violations } = await tortureGrowing({ folder, program, kills, seed });
  console.log(
    `${recordings} recordings, ${sentAhead} of them sent in part while they were written; ${named} kills at a named point of an upload`,
  );
  const problems = sentAhead === 0 ? ['nothing was sent while it was written', ...violations] : violations;
  for (const text of problems) console.log(`FAILED ${text}`);
  if (problems.length > 0 || keep) console.log(`The work folder was kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  return { passed: problems.length === 0 ? 1 : 0, failed: problems.length };
}

function run(given: TortureOptions): Promise<{ passed: number; failed: number }> {
  if (given.prove) return proveTorture(given);
  return given.growing ? growing(given) : torture(given);
}

// Otherwise the agent that is running at that moment would outlive the driver.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(EXIT_STOPPED));

const options = readOptions(process.argv.slice(2), () => randomInt(DRAW_LIMIT) / DRAW_LIMIT);
if (
  options === undefined ||
  (options.breakName !== undefined && findBuild(options.breakName) === undefined)
) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const { passed, failed } = await run(options);
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
