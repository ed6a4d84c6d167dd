/**
 * Packs the program for three platforms around a stand-in for Electron's runtime, and proves that the packages are
 * right: `npm run pack-check`. With `--built` it takes what `npm run build` left in dist.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { checkApp, ownFiles, type Check } from './package/check-app.ts';
import { checkRun } from './package/check-run.ts';
import {
  ARCH,
  nodePlatforms,
  packedApp,
  targets,
  type PackedApp,
  type PackTarget,
} from './package/packed-app.ts';
import { writeShippedLicences } from './package/shipped-licences.ts';
import { makeStandIn } from './package/stand-in-runtime.ts';
import { programStep, runStep } from './run-step.ts';

/** One build or one package takes some 10 s on an old machine; this catches one that hangs, milliseconds. */
const STEP_LIMIT_MS = 180_000;

async function step(name: string, ...args: readonly string[]): Promise<void> {
  const end = await runStep(programStep(name, ...args), { quiet: true, limitMs: STEP_LIMIT_MS });
  if (end.ok) return;
  console.log(end.output.trimEnd());
  throw new Error(`${name} ended with ${end.ending}`);
}

async function pack(target: PackTarget, folder: string): Promise<PackedApp> {
  const runtime = join(folder, 'runtime', target);
  const output = join(folder, 'output');
  makeStandIn(runtime, target, manifest.devDependencies.electron);
  const overrides = [
    `-c.electronDist=${runtime}`,
    `-c.directories.output=${output}`,
    `-c.${target}.target=dir`,
    // A certificate of this machine has nothing to do with the check.
    ...(target === 'win' ? ['-c.win.signExecutable=false'] : []),
  ];
  await step(
    `pack for ${target}`,
    'electron-builder',
    `--${target}`,
    `--${ARCH}`,
    ...overrides,
    '--publish',
    'never',
  );
  return packedApp(target, output);
}

function printSizes(app: PackedApp): void {
  const rows = new Map<string, number>();
  for (const { path, bytes } of ownFiles(app)) {
    const row = path.split('/').slice(0, 1).join('/');
    rows.set(row, (rows.get(row) ?? 0) + bytes);
  }
  const sum = [...rows.values()].reduce((total, bytes) => total + bytes, 0);
  for (const [row, bytes] of [...rows, ['besides the runtime', sum] as const])
    console.log(`  ${(bytes / 1e6).toFixed(2).padStart(7)} MB  ${row}`);
}

function tell(target: PackTarget, checks: readonly Check[]): void {
  for (const { name, problems } of checks) {
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${target}: ${name}`);
    for (const problem of problems.slice(0, 20)) console.log(`         ${problem}`);
    if (problems.length > 20) console.log(`         and ${problems.length - 20} more`);
  }
}

/** Whether a package for this platform runs on this machine: its native module has to be the right one. */
const runsHere = (target: PackTarget): boolean =>
  nodePlatforms[target] === process.platform && (process.arch === ARCH || target === 'mac');

async function main(folder: string): Promise<readonly Check[]> {
  if (!process.argv.includes('--built') || !existsSync('dist/main'))
    await step('build', 'vite', 'build', '--app', '--logLevel', 'error');
  const shipped = writeShippedLicences();
  const all: Check[] = [];
  for (const target of targets) {
    const app = await pack(target, folder);
    const seen = await checkApp(app, shipped);
    const ran = runsHere(target) ? await checkRun(app, join(folder, 'run')) : [];
    tell(target, [...seen, ...ran]);
    printSizes(app);
    all.push(...seen, ...ran);
  }
  return all;
}

const folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-pack-'));
mkdirSync(join(folder, 'run'));
try {
  const checks = await main(folder);
  const failed = checks.filter(({ problems }) => problems.length > 0).length;
  console.log(`\n${checks.length} checks, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
