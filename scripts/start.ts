import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { findElectron } from './find-runtimes.ts';
import { ensureBuilt } from './ensure-built.ts';
import { nodeStep, runStep } from './run-step.ts';

/** What `npm start` runs: the desktop app, or the headless agent with a sentence that says why. */
type StartHost =
  | { readonly kind: 'desktop'; readonly executable: string }
  | { readonly kind: 'headless'; readonly notice: string };

/** The facts about the system that the choice depends on. */
export interface HostFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The runtime's executable, if present. */
  find(): string | undefined;
  /** Tries to download it; resolves to a short reason on failure, or undefined. */
  fetch(): Promise<string | undefined>;
}

/** Chooses the desktop app wherever it can run. The runtime is only downloaded where a window can be shown. */
export async function chooseHost({ platform, environment, find, fetch }: HostFacts): Promise<StartHost> {
  const hasScreen =
    platform !== 'linux' || Boolean(environment['DISPLAY']) || Boolean(environment['WAYLAND_DISPLAY']);
  const present = find();
  if (!hasScreen)
    return headless(
      present === undefined ? `The Electron runtime is missing, and ${noScreen}` : sentence(noScreen),
    );
  if (present !== undefined) return { kind: 'desktop', executable: present };
  const reason = await fetch();
  const fetched = find();
  if (fetched !== undefined) return { kind: 'desktop', executable: fetched };
  return headless(
    `The Electron runtime is missing and could not be downloaded (${reason ?? 'no reason given'})`,
  );
}

const noScreen = 'there is no screen here (DISPLAY and WAYLAND_DISPLAY are not set)';
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const headless = (why: string): StartHost => ({
  kind: 'headless',
  notice: `${why}: the agent runs without the desktop app; open its console in a browser.`,
});

/** How the desktop app ended. */
export interface DesktopEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly ranMs: number;
  /** What it wrote to standard error, or the last part of it. */
  readonly said: string;
}

/** Age after which an app counts as started, milliseconds: if it ends later, the runtime is not the cause. */
const COME_UP_MS = 5_000;
/** Exit codes of the program itself: a switch was refused, or a person quit it. */
const OWN_CODES: readonly (number | null)[] = [0, 64];
/** Signals sent to end it deliberately. */
const MEANT: readonly (string | null)[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** What Chromium and the system's loader print when the runtime cannot start here, and the remedies. */
const reasons: readonly (readonly [RegExp, (found: RegExpExecArray) => string])[] = [
  [
    /Running as root without --no-sandbox/,
    () => 'it cannot run as root: start it from the account that uses this desk',
  ],
  [
    /No usable sandbox|SUID sandbox helper|Failed to move to new namespace|unprivileged_userns/,
    () =>
      'this system denies it user namespaces, which its sandbox needs: install the .deb or .rpm package, or allow them (sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0)',
  ],
  [
    /error while loading shared libraries: ([\w.+-]+)/,
    ([, library]) => `the library ${library} is missing: install the system package that provides it`,
  ],
  [
    /Missing X server|cannot open display|Failed to connect to Wayland|Unable to open X display/i,
    () => 'the display that DISPLAY or WAYLAND_DISPLAY names does not respond',
  ],
];

/** Why the runtime did not start, worded to follow a colon; undefined when the app ended on its own account. */
export function whyItDied({ code, signal, ranMs, said }: DesktopEnd): string | undefined {
  if (OWN_CODES.includes(code) || MEANT.includes(signal)) return undefined;
  if (signal === null && ranMs > COME_UP_MS) return undefined;
  for (const [pattern, say] of reasons) {
    const found = pattern.exec(said);
    if (found !== null) return say(found);
  }
  // The program's own exit after a fault or a failed start, which it has already reported
  if (code === 1) return undefined;
  return signal === null ? `it exited with code ${code}` : `it was ended by ${signal}`;
}

/** The desktop app's arguments that the headless agent accepts too: no desktop switches, folders or links. */
export function headlessArguments(args: readonly string[]): readonly string[] {
  const isFolder = (text: string): boolean =>
    statSync(text, { throwIfNoEntry: false })?.isDirectory() === true;
  const isDesktops = (text: string): boolean =>
    text === '--hidden' || text.startsWith('--after-fault=') || /^vms-export-agent:/i.test(text);
  return args.filter((each) => !isDesktops(each) && !isFolder(each));
}

/** Time limit for the download of about 120 MB; on a slower connection, downloading it by hand is better. */
const FETCH_LIMIT_MS = 5 * 60_000;
const ELECTRON = 'node_modules/electron';

/** Uses the package's own installer, which verifies the download. */
async function fetchElectron(): Promise<string | undefined> {
  console.error('Downloading the Electron runtime...');
  const step = nodeStep('electron', `${ELECTRON}/install.js`);
  const { ok, output, ending } = await runStep(step, { quiet: true, limitMs: FETCH_LIMIT_MS });
  const reason = output.split('\n').find((line) => /error/i.test(line)) ?? ending;
  return ok ? undefined : reason.trim();
}

/** How much of standard error is kept, characters: Chromium's reason for exiting is in its last lines. */
const LAST_WORDS = 8_000;

/** Runs a program to its end, forwarding signals. Its standard error is shown and kept. */
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

/** Exits when the agent does. The agent prompts at a terminal, so it inherits all streams. */
function runAgent(notice: string): void {
  console.error(notice);
  const args = ['scripts/launch.mjs', 'electron/headless.ts', 'run', ...headlessArguments(desktopArgs)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

const desktopArgs = process.argv.slice(2);

async function start(): Promise<void> {
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
      `The desktop app did not start: ${why}. The agent runs without it; open its console in a browser.`,
    );
  }
}

if (import.meta.main) await start();
