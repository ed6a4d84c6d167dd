/**
 * Packs the program for three platforms around a stand-in for Electron's runtime, and checks the packages:
 * `npm run pack-check`. With `--built`, it uses the existing build in dist.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  copyFileSync,
  writeFileSync,
  readFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createHash } from 'node:crypto';
import { extractAll } from '@electron/asar';
import { z } from 'zod';
import manifest from '../package.json' with { type: 'json' };
import { checkApp, ownFiles, type Check } from './package/check-app.ts';
import {
  ARCH,
  nodePlatforms,
  packedApp,
  targets,
  type PackedApp,
  type PackTarget,
  asarOf,
  makeStandIn,
} from './package/packed-app.ts';
import { writeShippedLicences } from './make-licences.ts';
import { programStep, runStep } from './run-step.ts';
import { startSimulator } from '../test/simulator/index.ts';

/** Catches a build or packaging step that hangs, milliseconds: each takes some 10 s on an old machine. */
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
    // A certificate on this machine is irrelevant to the check.
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

/** Whether a package for this platform can run on this machine: its native module must match. */
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

const run = promisify(execFile);
/** Time limit for a run, milliseconds: it takes a few seconds, but a build server may be busy. */
const RUN_LIMIT_MS = 60_000;
/** One clip that mediainfo's WebAssembly has to inspect, and two that it does not. */
const clips = ['corridor-fragmented.mp4', 'gate-4-north.mp4', 'concourse.mkv'] as const;
const CLIPS_FOLDER = 'test/fixtures/clips';

/** Modules that import `electron` when loaded, which plain Node cannot do. */
const needsElectron = new Set(['electron-updater']);

/**
 * Extracts the archive and runs its contents under Node: command line, database, workers, WebAssembly, and an upload to
 * the simulated service. Only a package for this machine can run here.
 */
async function checkRun(app: PackedApp, folder: string): Promise<readonly Check[]> {
  const program = join(folder, 'app');
  extractAll(asarOf(app), program);
  return [
    { name: 'every module that is shipped can be loaded', problems: await loadModules(program) },
    { name: 'the packed program says its version', problems: await askVersion(program) },
    { name: 'the packed program uploads an export, byte for byte', problems: await upload(program, folder) },
  ];
}

async function loadModules(program: string): Promise<readonly string[]> {
  const { dependencies } = manifestIn(program);
  const names = Object.keys(dependencies).filter((name) => !needsElectron.has(name));
  const script = `for (const name of ${JSON.stringify(names)}) await import(name);
    new (await import('better-sqlite3')).default(':memory:').prepare('select 1').get();`;
  return attempt(() => node(program, ['--input-type=module', '--eval', script]));
}

async function askVersion(program: string): Promise<readonly string[]> {
  return attempt(async () => {
    const said = await node(program, ['dist/main/headless.js', '--version']);
    const { version } = manifestIn(program);
    if (!said.includes(version)) throw new Error(`it says ${said.trim()}, not ${version}`);
  });
}

async function upload(program: string, folder: string): Promise<readonly string[]> {
  const simulator = await startSimulator({ folder: join(folder, 'storage') });
  try {
    return await attempt(async () => {
      const config = writeExport(folder, simulator);
      const args = ['run', '--once', '--console', 'off', '--json', '--config', config];
      await node(program, ['dist/main/headless.js', ...args, '--data-dir', join(folder, 'data')]);
      const sums = (await simulator.objects()).map(({ key }) => simulator.sha256OfObject(key));
      const stored = new Set(await Promise.all(sums));
      const lost = clips.filter((clip) => !stored.has(sha256(join(CLIPS_FOLDER, clip))));
      if (lost.length > 0) throw new Error(`not in storage: ${lost.join(', ')}`);
    });
  } finally {
    await simulator.stop();
  }
}

function writeExport(folder: string, service: { readonly baseUrl: string; readonly apiKey: string }): string {
  const made = join(folder, 'exports', 'Gate 4 2026-05-01');
  mkdirSync(made, { recursive: true });
  for (const clip of clips) copyFileSync(join(CLIPS_FOLDER, clip), join(made, clip));
  writeFileSync(join(folder, 'key.txt'), service.apiKey, { mode: 0o600 });
  const config = join(folder, 'config.json');
  const watch = [{ path: 'exports', timeZone: 'Europe/London', settleSeconds: 0.2 }];
  writeFileSync(config, JSON.stringify({ baseUrl: service.baseUrl, apiKeyFile: 'key.txt', watch }));
  return config;
}

const manifestSchema = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()) });
const manifestIn = (program: string): z.infer<typeof manifestSchema> =>
  manifestSchema.parse(JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')));

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

async function node(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, args, { cwd: program, timeout: RUN_LIMIT_MS });
  return stdout;
}

/** Returns one problem if the work throws: the program's last output is more useful than its exit code. */
async function attempt(work: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    const written = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return [written === '' ? String(error) : written.slice(-1500)];
  }
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
