import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { extractAll } from '@electron/asar';
import { z } from 'zod';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startSimulator } from '../../test/simulator/index.ts';
import type { Check } from './check-app.ts';
import { asarOf, type PackedApp } from './packed-app.ts';

const run = promisify(execFile);
/** A run takes some seconds; a busy build server gets more. */
const RUN_LIMIT_MS = 60_000;
/** One clip that mediainfo's WebAssembly has to look into, and two that it does not. */
const clips = ['corridor-fragmented.mp4', 'gate-4-north.mp4', 'concourse.mkv'] as const;
const CLIPS_FOLDER = 'test/fixtures/clips';

/** `electron` itself and what needs it at once cannot be imported by Node. */
const needsElectron = new Set(['electron-updater']);

/**
 * Takes the archive apart and runs what was in it under Node: command line, database, workers, WebAssembly, and an
 * upload to the simulated service. Only what was packed for this machine can run here.
 */
export async function checkRun(app: PackedApp, folder: string): Promise<readonly Check[]> {
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

/** One problem when it throws: what the program wrote last tells more than its exit code. */
async function attempt(work: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    const written = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    return [written === '' ? String(error) : written.slice(-1500)];
  }
}
