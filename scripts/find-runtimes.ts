import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Places to look for Chromium; CHROMIUM_PATH takes precedence. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/**
 * Chromium without a browser window. This is the program itself: Debian's /usr/bin entry is a shell script, which would
 * be killed instead of the program.
 */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';
/** Options for apt: an unresponsive package source is not waited for. */
const carefully = ['-q', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::Retries=0'];

type Exists = (path: string) => boolean;

/** This machine's Chromium; undefined when there is none. */
export const findChromium = (exists: Exists = existsSync): string | undefined => firstOf(usualPlaces, exists);

/**
 * The Chromium for tests that only need pages: the headless shell uses a fifth less CPU time, most of it at startup.
 */
export const findTestChromium = (exists: Exists = existsSync): string | undefined =>
  firstOf([HEADLESS_SHELL, ...usualPlaces], exists);

function firstOf(places: readonly string[], exists: Exists): string | undefined {
  const chosen = process.env['CHROMIUM_PATH'];
  return [...(chosen === undefined ? [] : [chosen]), ...places].find(exists);
}

/** Finds Chromium or, where that needs no confirmation, installs Debian's. */
export async function ensureChromium(): Promise<string | undefined> {
  return findChromium() ?? ((await install('chromium')) ? findChromium() : undefined);
}

/**
 * Ensures that the headless shell is available in addition to full Chromium, which some tests need. Returns the result
 * of `findTestChromium`.
 */
export async function ensureTestChromium(): Promise<string | undefined> {
  const whole = await ensureChromium();
  const isChosen = whole !== undefined && whole === process.env['CHROMIUM_PATH'];
  if (!isChosen && findTestChromium() !== HEADLESS_SHELL) await install('chromium-headless-shell');
  return findTestChromium();
}

/** Removes nothing. Uses the existing package lists, or refreshes them if they are too old. */
async function install(name: string): Promise<boolean> {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${name} ...`);
  const take = ['install', '-y', '--no-install-recommends', '--no-remove', name, 'fonts-liberation'];
  return (await runApt(take)) || ((await runApt(['update'])) && (await runApt(take)));
}

function runApt(args: readonly string[]): Promise<boolean> {
  const child = spawn('apt-get', [...carefully, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}

/** Where to look; the environment may name another folder with an unpacked runtime. */
interface ElectronPlaces {
  /** Folder of the `electron` package. */
  readonly packageDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * The Electron runtime's executable, or undefined when it is missing. Looks for the files themselves: importing the
 * package would start a download.
 */
export function findElectron({
  packageDir,
  environment,
  platform = process.platform,
}: ElectronPlaces): string | undefined {
  const executable = executableName(packageDir);
  const override = environment['ELECTRON_OVERRIDE_DIST_PATH'];
  const path = override
    ? join(override, executable ?? usualName(platform))
    : executable && join(packageDir, 'dist', executable);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** The executable's path inside an unpacked runtime, as the package's installer would write it. */
function usualName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/**
 * The executable's path, which depends on the platform. The package's installer writes it when the runtime is in place.
 */
function executableName(packageDir: string): string | undefined {
  const file = join(packageDir, 'path.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
