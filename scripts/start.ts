import { isBuildOld } from './build-age.ts';
import { chooseHost } from './choose-host.ts';
import { findElectron } from './electron-path.ts';
import { buildApp, passTo } from './run-program.ts';
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

const args = process.argv.slice(2);
if (isBuildOld('.')) await buildApp();
const host = await chooseHost({
  platform: process.platform,
  environment: process.env,
  find: () => findElectron({ packageDir: ELECTRON, environment: process.env }),
  fetch: fetchElectron,
});
if (host.kind === 'desktop') passTo(host.executable, ['.', ...args]);
else {
  console.error(host.notice);
  passTo(process.execPath, ['scripts/launch.mjs', 'electron/headless.ts', 'run', ...args]);
}
