import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What shows icons of programs on Linux desktops. GNOME has it only with an extension. */
const WATCHER = 'org.kde.StatusNotifierWatcher';
/** The bus answers in milliseconds; one that hangs must not keep the window back, milliseconds. */
const ANSWER_MS = 2_000;

/** Programs that ask the session's bus whether somebody has a name; a desktop has at least one of them. */
const asks: readonly (readonly [string, ...string[]])[] = [
  [
    '/usr/bin/gdbus',
    'call',
    '--session',
    '--dest=org.freedesktop.DBus',
    '--object-path=/org/freedesktop/DBus',
    '--method=org.freedesktop.DBus.NameHasOwner',
    WATCHER,
  ],
  [
    '/usr/bin/dbus-send',
    '--session',
    '--print-reply',
    '--dest=org.freedesktop.DBus',
    '/org/freedesktop/DBus',
    'org.freedesktop.DBus.NameHasOwner',
    `string:${WATCHER}`,
  ],
];

/** Runs a program and answers what it printed; rejects when it is missing, fails or takes too long. */
type RunProgram = (program: string, args: readonly string[]) => Promise<string>;

const runProgram: RunProgram = async (program, args) =>
  (await promisify(execFile)(program, [...args], { timeout: ANSWER_MS })).stdout;

/**
 * Whether an icon in the tray would be seen. Electron makes one on Linux whether there is a place for it or not; where
 * nobody knows, there is none: a window that is closed must not be out of reach. Never rejects.
 */
export async function hasTrayPlace(
  platform: NodeJS.Platform,
  run: RunProgram = runProgram,
): Promise<boolean> {
  if (platform !== 'linux') return true;
  for (const [program, ...args] of asks) {
    const answer = await run(program, args).catch(() => undefined);
    if (answer !== undefined) return /\btrue\b/.test(answer);
  }
  return false;
}
