/** Builds the program and its pages when they are missing or older than what they are made of. */
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { programStep, runStep } from './run-step.ts';

const BUILD_LIMIT_MS = 3 * 60_000;

/** True when they are there. Says what it does on standard error: standard output is the program's own. */
export async function ensureBuilt(): Promise<boolean> {
  if (!isBuildOld('.')) return true;
  console.error('Building the app ...');
  const step = programStep('build', 'vite', 'build', '--app', '--logLevel', 'error');
  const { ok, output } = await runStep(step, { quiet: true, limitMs: BUILD_LIMIT_MS });
  if (!ok) console.error(`${output.trimEnd()}\nThe app could not be built.`);
  return ok;
}

/** What the build is made of, and a file of each of its parts. */
const sources = ['{electron,shared,renderer}/**/*', 'package.json', 'package-lock.json', 'vite.config.ts'];
const products = ['dist/main/main.js', 'dist/preload/preload.cjs', 'dist/renderer/index.html'];

/** Whether the built app is missing or older than something that it is built from. */
export function isBuildOld(root: string): boolean {
  const built = products.map((path) => changedMs(join(root, path)));
  if (built.includes(undefined)) return true;
  const oldest = Math.min(...built.map((time) => time ?? 0));
  return globSync(sources, { cwd: root }).some((path) => (changedMs(join(root, path)) ?? 0) > oldest);
}

/** Of a file; folders change when something else does. */
function changedMs(path: string): number | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true ? facts.mtimeMs : undefined;
}

if (import.meta.main) process.exitCode = (await ensureBuilt()) ? 0 : 1;
