import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Say } from '../../../shared/words/native-words.ts';

/** Exit code of a start that was refused for its switches: EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64;

/** Switches with which another program could inspect this one or disable its guards; `*` matches any ending. */
const dangerous: readonly string[] = [
  // Ways in
  'remote-debugging-*',
  'remote-allow-origins',
  'inspect*',
  'debug*',
  'js-flags',
  'load-extension',
  'disable-extensions-except',
  'enable-automation',
  'browser-subprocess-path',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'ppapi-plugin-launcher',
  'wait-for-debugger*',
  'enable-crash-reporter*',
  'crash-dumps-dir',
  'gpu-launcher',
  'require',
  'r',
  // Isolation of pages from the system and from each other
  'no-sandbox',
  'no-zygote*',
  'disable-gpu-sandbox',
  'disable-setuid-sandbox',
  'disable-namespace-sandbox',
  'disable-seccomp-filter-sandbox',
  'allow-sandbox-debugging',
  'single-process',
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'enable-blink-features',
  'disable-blink-features',
  'disable-features',
  // Traffic
  'ignore-certificate-errors*',
  'host-resolver-rules',
  'host-rules',
  'log-net-log',
  'net-log-*',
  'ssl-key-log-file',
  'proxy-*',
  'no-proxy-server',
];

/** The ones that are allowed in development: debuggers, the test driver, containers without user namespaces. */
const allowedInDevelopment: readonly string[] = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'inspect*',
  'enable-automation',
  'js-flags',
  'no-sandbox',
  'require',
  'r',
];

/** A start that is refused. */
export interface RefusedStart {
  readonly exitCode: number;
  /** The switch, without its dashes. */
  readonly name: string;
  /** Nobody passed it: the start script of the AppImage added it, where the system denies user namespaces. */
  readonly isOwnScripts: boolean;
}

/** How the program was started. */
export interface StartFacts {
  readonly args: readonly string[];
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** Its start script adds `--no-sandbox` automatically where the system denies user namespaces. */
  readonly isAppImage?: boolean;
}

/** The refusal of a start with a dangerous switch, the first of them named; undefined when there is none. */
export function refuseDangerousStart({
  args,
  isPackaged,
  platform,
  isAppImage = false,
}: StartFacts): RefusedStart | undefined {
  const found = args
    .map((argument) => switchName(argument, platform))
    .find((name) => name !== undefined && isDangerous(name, isPackaged));
  if (found === undefined) return undefined;
  return { exitCode: EXIT_USAGE, name: found, isOwnScripts: isAppImage && found === 'no-sandbox' };
}

/** Programs of Linux desktops that show a message, with the arguments before it; the first one installed is used. */
const messagePrograms: readonly (readonly [string, ...string[]])[] = [
  ['/usr/bin/zenity', '--error', '--no-markup', '--title=VMS Export Agent', '--text'],
  ['/usr/bin/kdialog', '--title', 'VMS Export Agent', '--error'],
  ['/usr/bin/xmessage', '-center'],
  ['/usr/bin/notify-send', '--urgency=critical', 'VMS Export Agent'],
];

interface Screen {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly dialog: { showErrorBox(title: string, content: string): void };
  readonly say: Say;
  /** Whether a program is installed; by default, looked up on disk. */
  readonly exists?: (program: string) => boolean;
  readonly run?: (program: string, args: readonly string[]) => void;
}

/**
 * Shows on the screen why the program does not start: started from a menu, its standard error is not seen. Electron
 * must not be started for this, because the refused switch would then apply, and on Linux it shows no dialog before
 * that.
 */
export function reportRefusedStart(
  { name, isOwnScripts }: RefusedStart,
  { platform, environment, dialog, say, exists = existsSync, run = runBeside }: Screen,
): void {
  const message = isOwnScripts ? say('refused.sandbox') : say('refused.switch', { name });
  process.stderr.write(`${message}\n`);
  if (platform !== 'linux') return dialog.showErrorBox(say('app'), message);
  if (!environment['DISPLAY'] && !environment['WAYLAND_DISPLAY']) return;
  const [program, ...args] = messagePrograms.find(([each]) => exists(each)) ?? [];
  if (program !== undefined) run(program, [...args, message]);
}

/** The child outlives this program, which exits immediately. */
function runBeside(program: string, args: readonly string[]): void {
  const child = spawn(program, args, { detached: true, stdio: 'ignore' });
  child.on('error', () => undefined);
  child.unref();
}

function isDangerous(name: string, isPackaged: boolean): boolean {
  if (!isPackaged && isListed(name, allowedInDevelopment)) return false;
  return isListed(name, dangerous);
}

const isListed = (name: string, list: readonly string[]): boolean =>
  list.some((entry) => (entry.endsWith('*') ? name.startsWith(entry.slice(0, -1)) : name === entry));

/**
 * The name of a switch, as Chromium reads it: trimmed, in lower case, without what follows `=`. Windows also accepts
 * `/name`.
 */
function switchName(argument: string, platform: NodeJS.Platform): string | undefined {
  const prefix = platform === 'win32' ? /^(?:--?|\/)/ : /^--?/;
  const [name = ''] = argument.trim().split('=', 1);
  return prefix.test(name) ? name.replace(prefix, '').toLowerCase() : undefined;
}
