/** Builds the program and its pages if they are missing or older than their sources. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { programStep, runStep } from './run-step.ts';

const BUILD_LIMIT_MS = 3 * 60_000;

/**
 * Whether the build is up to date, building it if necessary. Progress goes to standard error: standard output belongs
 * to the program.
 */
export async function ensureBuilt(): Promise<boolean> {
  if (!isBuildOld('.')) return true;
  console.error('Building the app ...');
  const step = programStep('build', 'vite', 'build', '--app', '--logLevel', 'error');
  const { ok, output } = await runStep(step, { quiet: true, limitMs: BUILD_LIMIT_MS });
  if (!ok) console.error(`${output.trimEnd()}\nThe app could not be built.`);
  return ok;
}

/** The inputs of the build, and one file from each of its outputs. */
const sources = ['{electron,shared,renderer}/**/*', 'package.json', 'package-lock.json', 'vite.config.ts'];
const products = ['dist/main/main.js', 'dist/preload/preload.cjs', 'dist/renderer/index.html'];

/** Whether the built app is missing or older than any of its sources. */
export function isBuildOld(root: string): boolean {
  const built = products.map((path) => changedMs(join(root, path)));
  if (built.includes(undefined)) return true;
  const oldest = Math.min(...built.map((time) => time ?? 0));
  return globSync(sources, { cwd: root }).some((path) => (changedMs(join(root, path)) ?? 0) > oldest);
}

/** Modification time of a file; undefined for a folder, whose time changes for other reasons. */
function changedMs(path: string): number | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true ? facts.mtimeMs : undefined;
}

if (import.meta.main) process.exitCode = (await ensureBuilt()) ? 0 : 1;
