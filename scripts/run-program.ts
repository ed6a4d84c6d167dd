import { spawn } from 'node:child_process';
import { programStep, runStep } from './run-step.ts';

const BUILD_LIMIT_MS = 3 * 60_000;

/** Builds the pages and the desktop app; ends this program where that cannot be done. */
export async function buildApp(): Promise<void> {
  console.error('Building the app ...');
  const step = programStep('build', 'vite', 'build', '--app', '--logLevel', 'error');
  const { ok, output } = await runStep(step, { quiet: true, limitMs: BUILD_LIMIT_MS });
  if (ok) return;
  console.error(`${output.trimEnd()}\nThe app could not be built.`);
  process.exit(1);
}

/** Passes signals on and ends with the program's own code. */
export function passTo(file: string, args: readonly string[]): void {
  const child = spawn(file, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${file} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}
