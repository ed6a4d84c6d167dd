/** Builds the program and its pages when they are missing or older than what they are made of. */
import { isBuildOld } from './build-age.ts';
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

if (import.meta.main) process.exitCode = (await ensureBuilt()) ? 0 : 1;
