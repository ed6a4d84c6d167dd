import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

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
const FONTS = 'fonts-liberation';
/** A package source that does not answer is no reason to wait: there may be a Chromium all the same. */
const quickly = ['-q', '-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::Retries=0'];

type Exists = (path: string) => boolean;

/** The Chromium of this machine; undefined when there is none. */
export const findChromium = (exists: Exists = existsSync): string | undefined => firstOf(usualPlaces, exists);

/** The same for tests, which see the pages alone: the headless shell computes a fifth less, most of it at its start. */
export const findTestChromium = (exists: Exists = existsSync): string | undefined =>
  firstOf([HEADLESS_SHELL, ...usualPlaces], exists);

function firstOf(places: readonly string[], exists: Exists): string | undefined {
  const chosen = process.env['CHROMIUM_PATH'];
  return [...(chosen === undefined ? [] : [chosen]), ...places].find(exists);
}

/** Finds a Chromium, or installs Debian's where that is possible without asking anyone. */
export function ensureChromium(): string | undefined {
  return findChromium() ?? (install('chromium') ? findChromium() : undefined);
}

/** Finds the Chromium for tests, or installs Debian's headless shell; any other one when it cannot be had. */
export function ensureTestChromium(): string | undefined {
  const found = findTestChromium();
  const isChosen = found !== undefined && found === process.env['CHROMIUM_PATH'];
  if (isChosen || found === HEADLESS_SHELL) return found;
  return install('chromium-headless-shell') ? findTestChromium() : (found ?? ensureChromium());
}

/** From the known lists of packages, or from new ones when they are too old. */
function install(name: string): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${name}, ${FONTS} ...`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: readonly string[]): boolean =>
    spawnSync('apt-get', [...quickly, ...args], { stdio: ['ignore', 'ignore', 'inherit'], env: environment })
      .status === 0;
  const take = (): boolean => apt('install', '-y', '--no-install-recommends', name, FONTS);
  return take() || (apt('update') && take());
}
