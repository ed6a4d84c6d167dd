import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brokenBuilds, makeBrokenBuild, type BrokenBuild } from './broken-builds.ts';
import type { TortureOptions } from './options.ts';
import { runTorture, type TortureReport } from './run-torture.ts';

/** Changes come more often than in a normal run: one mistake shows only when a file changes during its upload. */
const CHANGE_EVERY = 4;
/** Longest time for the kills of one build, milliseconds. */
const BUILD_LIMIT_MS = 180_000;
/** Longest wait for a build that cannot finish, milliseconds. */
const LAST_RUN_LIMIT_MS = 30_000;

/** Runs every broken build; one that passes is a failure of the torture test. */
export async function proveTorture(options: TortureOptions): Promise<{ passed: number; failed: number }> {
  let failed = 0;
  for (const build of brokenBuilds) {
    const report = await tryBuild(build, options);
    const caught = build.expected.filter((invariant) => report.findings.of(invariant).length > 0);
    if (caught.length === 0) failed += 1;
    console.log(`${caught.length > 0 ? 'ok    ' : 'FAILED'} ${build.name}: ${build.mistake}`);
    const after = `after ${report.kills} kills, ${report.seconds.toFixed(1)} s`;
    if (report.findings.all().length === 0)
      console.log(`         not noticed ${after}, seed ${options.seed}`);
    for (const { invariant, text } of report.findings.all().slice(0, 3)) {
      console.log(`         ${invariant} ${after}: ${text}`);
    }
  }
  return { passed: brokenBuilds.length - failed, failed };
}

async function tryBuild(build: BrokenBuild, { seed, complete }: TortureOptions): Promise<TortureReport> {
  const folder = mkdtempSync(join(tmpdir(), 'vms-torture-'));
  try {
    const program = makeBrokenBuild(build, join(folder, 'build'));
    return await runTorture({
      folder,
      program,
      kills: build.kills,
      seed,
      complete,
      changeEvery: CHANGE_EVERY,
      limitMs: BUILD_LIMIT_MS,
      lastRunLimitMs: LAST_RUN_LIMIT_MS,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
