import { spawn } from 'node:child_process';
import { isBuildOld } from './build-age.ts';
import { chooseHost } from './choose-host.ts';
import { findElectron } from './electron-path.ts';
import { nodeStep, programStep, runStep } from './run-step.ts';

/** The runtime is about 120 MB; a line that needs longer is better used to fetch it by hand. */
const FETCH_LIMIT_MS = 5 * 60_000;
const BUILD_LIMIT_MS = 3 * 60_000;
const ELECTRON = 'node_modules/electron';

async function build(): Promise<void> {
  console.error('Building the app ...');
  const step = programStep('build', 'vite', 'build', '--app', '--logLevel', 'error');
  const { ok, output } = await runStep(step, { quiet: true, limitMs: BUILD_LIMIT_MS });
  if (ok) return;
  console.error(`${output.trimEnd()}\nThe app could not be built.`);
  process.exit(1);
}

/** By the package's own installer, which checks what it loads. */
async function fetchElectron(): Promise<string | undefined> {
  console.error('Loading the Electron runtime ...');
  const step = nodeStep('electron', `${ELECTRON}/install.js`);
  const { ok, output, ending } = await runStep(step, { quiet: true, limitMs: FETCH_LIMIT_MS });
  const reason = output.split('\n').find((line) => /error/i.test(line)) ?? ending;
  return ok ? undefined : reason.trim();
}

/** Passes signals on and ends with the program's own code. */
function run(file: string, args: readonly string[]): void {
  const child = spawn(file, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`${file} cannot be started: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}

const args = process.argv.slice(2);
if (isBuildOld('.')) await build();
const host = await chooseHost({
  platform: process.platform,
  environment: process.env,
  find: () => findElectron({ packageDir: ELECTRON, environment: process.env }),
  fetch: fetchElectron,
});
if (host.kind === 'desktop') run(host.executable, ['.', ...args]);
else {
  console.error(host.notice);
  run(process.execPath, ['scripts/launch.mjs', 'electron/headless.ts', 'run', ...args]);
}
