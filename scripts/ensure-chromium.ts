import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Where a Chromium is looked for; the variable wins. */
const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const PACKAGES = ['chromium', 'fonts-liberation'];

/** The Chromium of this machine; undefined when there is none. */
export function findChromium(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH'];
  return [...(chosen === undefined ? [] : [chosen]), ...usualPlaces].find((path) => existsSync(path));
}

/** Finds a Chromium, or installs Debian's where that is possible without asking anyone. */
export function ensureChromium(): string | undefined {
  const found = findChromium();
  if (found !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return found;
  console.log(`Installing ${PACKAGES.join(', ')} ...`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (...args: readonly string[]) =>
    spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 'ignore', 'inherit'], env: environment });
  apt('update');
  apt('install', '-y', '--no-install-recommends', ...PACKAGES);
  return findChromium();
}
