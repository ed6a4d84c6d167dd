import { statSync } from 'node:fs';

/** How the desktop app ended. */
export interface DesktopEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ranMs: number;
  /** What it wrote to standard error, or its last part. */
  readonly said: string;
}

/** An app that lived so long has come up; what ends it later is not the runtime, milliseconds. */
const COME_UP_MS = 5_000;
/** Ends of the program's own: it was refused a switch, or a person chose to end it. */
const OWN_CODES: readonly (number | null)[] = [0, 64];
/** Signals that somebody sends to end it. */
const MEANT: readonly (string | null)[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What Chromium and the system's loader say when the runtime cannot come up here, and what helps. */
const reasons: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [
    /Running as root without --no-sandbox/,
    () => 'it does not run as root: start it with the account that sits at this desk',
  ],
  [
    /No usable sandbox|SUID sandbox helper|Failed to move to new namespace|unprivileged_userns/,
    () =>
      'this system denies it user namespaces, which its sandbox needs: install the .deb or .rpm package, or allow them (sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0)',
  ],
  [
    /error while loading shared libraries: ([\w.+-]+)/,
    ([, library]) => `the library ${library} is missing: install the package of this system that has it`,
  ],
  [
    /Missing X server|cannot open display|Failed to connect to Wayland|Unable to open X display/i,
    () => 'the screen that DISPLAY or WAYLAND_DISPLAY names does not answer',
  ],
];

/** Why the runtime did not come up, in words after a colon; undefined when the app ended in a way of its own. */
export function whyItDied({ code, signal, ranMs, said }: DesktopEnd): string | undefined {
  if (OWN_CODES.includes(code) || MEANT.includes(signal)) return undefined;
  if (signal === null && ranMs > COME_UP_MS) return undefined;
  for (const [pattern, say] of reasons) {
    const found = pattern.exec(said);
    if (found !== null) return say(found);
  }
  // The program's own end after a fault or a start that failed, which it has told of itself
  if (code === 1) return undefined;
  return signal === null ? `it ended with code ${code}` : `it ended by ${signal}`;
}

/** What of the desktop app's arguments the headless agent takes too: neither its switches nor folders or links. */
export function headlessArguments(args: readonly string[]): readonly string[] {
  const isFolder = (text: string): boolean =>
    statSync(text, { throwIfNoEntry: false })?.isDirectory() === true;
  const isDesktops = (text: string): boolean =>
    text === '--hidden' || text.startsWith('--after-fault=') || /^vms-export-agent:/i.test(text);
  return args.filter((each) => !isDesktops(each) && !isFolder(each));
}
