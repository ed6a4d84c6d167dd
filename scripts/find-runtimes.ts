import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a Chromium is looked for; the variable wins. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/**
 * Chromium without the window around its pages. The program itself: what Debian has in /usr/bin is a shell that would
 * be ended in its place.
 */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell';
/** Nothing that is there is taken away, and a package source that does not answer is not waited for. */
const carefully = ['-q', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::Retries=0'];

type Exists = (path: string) => boolean;

/** The Chromium of this machine; undefined when there is none. */
export const findChromium = (exists: Exists = existsSync): string | undefined => firstOf(usualPlaces, exists);

/** The same for tests that see the pages alone: the headless shell computes a fifth less, most of it at its start. */
export const findTestChromium = (exists: Exists = existsSync): string | undefined =>
  firstOf([HEADLESS_SHELL, ...usualPlaces], exists);

function firstOf(places: readonly string[], exists: Exists): string | undefined {
  const chosen = process.env['CHROMIUM_PATH'];
  return [...(chosen === undefined ? [] : [chosen]), ...places].find(exists);
}

/** Finds a Chromium, or installs Debian's where that is possible without asking anyone. */
export async function ensureChromium(): Promise<string | undefined> {
  return findChromium() ?? ((await install('chromium')) ? findChromium() : undefined);
}

/** Has the headless shell beside the whole Chromium, which some tests need; answers what `findTestChromium` does. */
export async function ensureTestChromium(): Promise<string | undefined> {
  const whole = await ensureChromium();
  const isChosen = whole !== undefined && whole === process.env['CHROMIUM_PATH'];
  if (!isChosen && findTestChromium() !== HEADLESS_SHELL) await install('chromium-headless-shell');
  return findTestChromium();
}

/** From the known lists of packages, or from new ones when they are too old. */
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
 * The Electron runtime's executable, or undefined when it is not there. Looks for the files themselves: importing the
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

/** Inside an unpacked runtime, as the package's installer would write it. */
function usualName(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return 'Electron.app/Contents/MacOS/Electron';
  return platform === 'win32' ? 'electron.exe' : 'electron';
}

/** Written by the package's installer when the runtime is in place; it differs by platform. */
function executableName(packageDir: string): string | undefined {
  const file = join(packageDir, 'path.txt');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}
