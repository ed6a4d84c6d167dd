import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPTIONS_VARIABLE, type DoubleOptions } from '../electron-double/control.ts';
import type { AgentSettings } from './bench-agent.ts';
import { LOOP_FILE_VARIABLE } from './loop-probe.ts';

const PROGRAM = 'vms-export-agent';
const SETTLE_SECONDS = 0.5;
/** The app asks before it quits while uploads run; nobody answers here, and the next start continues. */
const STOP_LIMIT_MS = 2000;

/** The desktop app's data directory, below the home of the run. */
export const desktopDataDir = (home: string): string => join(home, '.local', 'share', PROGRAM);

/** The desktop app on the Electron double, with a Chromium page as its window, in a process of its own. */
export function startDesktop({ home, root, baseUrl, apiKey, profileFolder, loopFile }: AgentSettings) {
  const userData = join(home, '.config', PROGRAM);
  mkdirSync(userData, { recursive: true });
  writeFileSync(join(userData, 'key.txt'), apiKey, { mode: 0o600 });
  const watch = [{ path: root, settleSeconds: SETTLE_SECONDS }];
  const config = { baseUrl, apiKeyFile: 'key.txt', watch };
  writeFileSync(join(userData, `${PROGRAM}.json`), JSON.stringify(config));
  const options: DoubleOptions = {
    home,
    appPath: resolve('.'),
    chromium: { kind: 'own', executable: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' },
    isPackaged: false,
    keyBackend: 'gnome_libsecret',
    keyStore: 'keyring',
  };
  const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const parts = ['test/bench/loop-probe.ts', 'test/electron-double/register.ts'];
  const child = spawn(
    process.execPath,
    [...profile, ...parts.flatMap((part) => ['--import', resolve(part)]), resolve('dist/main/main.js')],
    {
      cwd: home,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        HOME: home,
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_DATA_HOME: join(home, '.local', 'share'),
        [OPTIONS_VARIABLE]: JSON.stringify(options),
        ...(loopFile !== undefined && { [LOOP_FILE_VARIABLE]: loopFile }),
      },
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error('The app cannot be started');
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const exited = new Promise<void>((end) => child.once('exit', () => end()));
  return {
    pid,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      const killer = setTimeout(kill, STOP_LIMIT_MS);
      await exited;
      clearTimeout(killer);
      process.off('exit', kill);
    },
  };
}
