import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { startFreely } from './asar.ts';

/** The original arguments, before the app changes them, or an installed one has its own path removed. */
const [, ...started] = process.argv;
const [entry = ''] = started;
const waiter = fileURLToPath(new URL('start-after.ts', import.meta.url));

/** The command that Electron's `relaunch` starts: a program and its arguments. */
export function relaunchCommand(
  { execPath, args }: Electron.RelaunchOptions,
  isPackaged: boolean,
): readonly string[] {
  // Either option replaces all arguments, including the path of the app
  if (execPath === undefined && args === undefined)
    return [process.execPath, ...process.execArgv, ...started];
  const next = args ?? [];
  if (execPath !== undefined && execPath !== process.execPath) return [execPath, ...next];
  // A packaged program finds its app on its own; in development it is given as an argument
  return [process.execPath, ...process.execArgv, ...(isPackaged ? [entry] : []), ...next];
}

/**
 * Works as in Electron: a separate process waits until the app is gone, however it ended, and then starts the program,
 * whose output nobody reads. That process runs from the program's own file: from a mounted AppImage nothing is started,
 * because the image goes away with the app.
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
