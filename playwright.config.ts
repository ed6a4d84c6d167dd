import { defineConfig } from '@playwright/test';
import { resolve } from 'node:path';
import { findElectron, findChromium, findTestChromium } from './scripts/find-runtimes.ts';
import { shortLived } from './test/electron-double/chromium.ts';

/** The system's Chromium: the browsers that Playwright brings itself are not needed. */
const executablePath = findTestChromium() ?? '/usr/bin/chromium';
/** Needs a whole one: the headless shell shows no notifications. */
const notifications = '**/e2e/notifications.spec.ts';

/** Measured alone, when nothing else is left to run. */
const numbers = '**/e2e/desktop/numbers.spec.ts';
/** They wait more than they compute: first, beside those that never do. */
const waiting = ['**/e2e/offline.spec.ts', '**/e2e/sent-while-written.spec.ts'];
const desktop = { testMatch: '**/e2e/desktop/*.spec.ts', testIgnore: numbers };

const electron = findElectron({ packageDir: 'node_modules/electron', environment: process.env });

/**
 * What Chromium has on of itself and no test needs, the list of Playwright among it: of two such switches the last
 * counts. The `WebUI` ones are suggestions below an address bar, a process more for each window.
 */
const disabledFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PreconnectToSearch',
  'AimEnabled',
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  // Reads scripts ahead on other threads, which takes longer than to read them once
  'ScriptStreaming',
  'BackgroundResourceFetch',
];

const args = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--font-render-hinting=none',
  // One page after another of the same site in one process: to start it costs more than to load the page
  '--disable-site-isolation-trials',
  '--process-per-site',
  ...shortLived,
  `--disable-features=${disabledFeatures.join()}`,
];

// Halves the start of a program and of each of its threads, of which every test has several
process.env['NODE_COMPILE_CACHE'] ??= resolve('.tmp/compile-cache');
// Workers are given FORCE_COLOR, and each program that finds both says so
delete process.env['NO_COLOR'];

// The file's default export is how Playwright reads its configuration.
export default defineConfig<{ driver: 'double' | 'electron' }>({
  testDir: 'test/e2e',
  // A test waits longer than it computes: with one worker a core a small machine would be idle most of the time.
  workers: 4,
  fullyParallel: true,
  // Not on the command line: what a project depends on runs whole, whatever that says
  ...(process.env['WITHOUT_LONG'] === undefined ? {} : { grepInvert: /@long/ }),
  forbidOnly: true,
  // Ends a test that hangs; a machine that does other things as well may be several times as slow
  timeout: 90_000,
  expect: { timeout: 30_000 },
  outputDir: '.tmp/e2e',
  // Node strips the types of these itself, and keeps what it stripped; Babel takes ten times as long
  build: { external: ['**/{electron,shared,scripts}/**', '**/test/{simulator,helpers,electron-double}/**'] },
  projects: [
    { name: 'pages-waiting', testMatch: waiting },
    // Before the other pages: its longest tests take as long as thirty of those, which fill the end.
    // On a substitute for Electron and, where it is installed, on the real runtime.
    { name: 'desktop', ...desktop, use: { driver: 'double' } },
    ...(electron === undefined
      ? []
      : [{ name: 'desktop-electron', ...desktop, use: { driver: 'electron' as const } }]),
    {
      name: 'pages-whole',
      testMatch: notifications,
      use: { launchOptions: { executablePath: findChromium() ?? executablePath, args } },
    },
    { name: 'pages', testIgnore: ['**/e2e/desktop/**', notifications, ...waiting] },
    {
      name: 'numbers',
      testMatch: numbers,
      dependencies: [
        'pages-waiting',
        'pages',
        'pages-whole',
        'desktop',
        ...(electron === undefined ? [] : ['desktop-electron']),
      ],
      use: { driver: 'double' },
    },
  ],
  reporter: 'line',
  use: {
    viewport: { width: 1440, height: 820 },
    colorScheme: 'dark',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    // Recording costs a third of the processor time of a run: `npx playwright test --trace on FILE` for one that failed
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args },
  },
});
