import { spawn } from 'node:child_process';
import { chooseHost } from './choose-host.ts';
import { headlessArguments, whyItDied, type DesktopEnd } from './desktop-death.ts';
import { findElectron } from './electron-path.ts';
import { ensureBuilt } from './ensure-built.ts';
import { nodeStep, runStep } from './run-step.ts';

/** The runtime is about 120 MB; a line that needs longer is better used to fetch it by hand. */
const FETCH_LIMIT_MS = 5 * 60_000;
const ELECTRON = 'node_modules/electron';

/** By the package's own installer, which checks what it loads. */
async function fetchElectron(): Promise<string | undefined> {
  console.error('Loading the Electron runtime ...');
  const step = nodeStep('electron', `${ELECTRON}/install.js`);
  const { ok, output, ending } = await runStep(step, { quiet: true, limitMs: FETCH_LIMIT_MS });
  const reason = output.split('\n').find((line) => /error/i.test(line)) ?? ending;
  return ok ? undefined : reason.trim();
}

/** What Chromium says of its end stands in its last lines, characters. */
const LAST_WORDS = 8_000;

/** Runs a program to its end; signals are passed on. What it says on standard error is shown and kept. */
function run(file: string, args: readonly string[]): Promise<DesktopEnd> {
  const startedMs = performance.now();
  const child = spawn(file, args, { stdio: ['inherit', 'inherit', 'pipe'] });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    process.stderr.write(chunk);
    said = (said + chunk.toString()).slice(-LAST_WORDS);
  });
  return new Promise((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      for (const each of ['SIGINT', 'SIGTERM'] as const) process.off(each, pass);
      resolve({ code, signal, ranMs: performance.now() - startedMs, said });
    };
    child.on('error', (error) => {
      said += error.message;
      end(127, null);
    });
    child.on('close', end);
  });
}

/** Ends as the agent does: at a terminal it asks for a line, so all its streams are this process's. */
function runAgent(notice: string): void {
  console.error(notice);
  const args = ['scripts/launch.mjs', 'electron/headless.ts', 'run', ...headlessArguments(desktopArgs)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

const desktopArgs = process.argv.slice(2);
if (!(await ensureBuilt())) process.exit(1);
const host = await chooseHost({
  platform: process.platform,
  environment: process.env,
  find: () => findElectron({ packageDir: ELECTRON, environment: process.env }),
  fetch: fetchElectron,
});
if (host.kind === 'headless') runAgent(host.notice);
else {
  const end = await run(host.executable, ['.', ...desktopArgs]);
  const why = whyItDied(end);
  if (why === undefined) process.exit(end.code ?? 1);
  runAgent(
    `The desktop app did not come up: ${why}. The agent starts without it, with its console in the browser.`,
  );
}
