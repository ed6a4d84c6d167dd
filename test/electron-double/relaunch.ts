import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startFreely } from './asar.ts';

/** As it was started, whatever the app does to its arguments, and before an installed one loses its own path of them. */
const [, ...started] = process.argv;
const [entry = ''] = started;
const waiter = fileURLToPath(new URL('start-after.ts', import.meta.url));

/** What is started for Electron's `relaunch`: its program, and the arguments after it. */
export function relaunchCommand(
  { execPath, args }: Electron.RelaunchOptions,
  isPackaged: boolean,
): readonly string[] {
  // Either option replaces all arguments, also those that say where the app lies
  if (execPath === undefined && args === undefined)
    return [process.execPath, ...process.execArgv, ...started];
  const next = args ?? [];
  if (execPath !== undefined && execPath !== process.execPath) return [execPath, ...next];
  // A packaged program finds its app by itself; in development the arguments name it
  return [process.execPath, ...process.execArgv, ...(isPackaged ? [entry] : []), ...next];
}

/**
 * Electron's way: a process waits beside the app until it is gone, however it ended, and starts the program then, with
 * nobody to hear what it says. It runs from the program's own file: out of a mounted AppImage nothing comes back, as the
 * image goes away with the app.
 */
export function relaunch(options: Electron.RelaunchOptions = {}, isPackaged = false): void {
  if (isMounted())
    return void process.stdout.write('electron-double: a relaunch from a mounted image is lost\n');
  const args = [waiter, ...relaunchCommand(options, isPackaged)];
  // Its input ends with this process
  const waiting = startFreely(process.execPath, args, {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  waiting.unref();
  (waiting.stdin as Socket).unref();
}

function isMounted(): boolean {
  const { APPDIR: mounted = '' } = process.env;
  return mounted !== '' && process.resourcesPath.startsWith(`${mounted}/`);
}
