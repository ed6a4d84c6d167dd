import { defineConfig } from '@playwright/test';
import { resolve } from 'node:path';
import { findElectron, findChromium, findTestChromium } from './scripts/find-runtimes.ts';
import { shortLived } from './test/electron-double/chromium.ts';

/** The system's Chromium: Playwright's own browsers are not needed. */
const executablePath = findTestChromium() ?? '/usr/bin/chromium';
/** Needs the full browser: the headless shell shows no notifications. */
const notifications = '**/e2e/notifications.spec.ts';

/** Measured alone, once everything else has finished. */
const numbers = '**/e2e/desktop/numbers.spec.ts';
/** They wait more than they compute: they run first, alongside tests that never wait. */
const waiting = ['**/e2e/offline.spec.ts', '**/e2e/sent-while-written.spec.ts'];
const desktop = { testMatch: '**/e2e/desktop/*.spec.ts', testIgnore: numbers };

const electron = findElectron({ packageDir: 'node_modules/electron', environment: process.env });

/**
 * Features that are on by default in Chromium and not needed by any test. Includes Playwright's own list, because only
 * the last such switch counts. The `WebUI` ones are address bar suggestions, which cost each window another process.
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
  // Reads scripts ahead on other threads, which takes longer than reading them once
  'ScriptStreaming',
  'BackgroundResourceFetch',
];

const args = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--font-render-hinting=none',
  // Reuses one process for successive pages of the same site: starting one costs more than loading the page
  '--disable-site-isolation-trials',
  '--process-per-site',
  ...shortLived,
  `--disable-features=${disabledFeatures.join()}`,
];

// Halves the start of a program and of each of its threads, and every test has several
process.env['NODE_COMPILE_CACHE'] ??= resolve('.tmp/compile-cache');
// Workers get FORCE_COLOR, and every program that finds both prints a warning
delete process.env['NO_COLOR'];

// Playwright reads its configuration from the default export.
export default defineConfig<{ driver: 'double' | 'electron' }>({
  testDir: 'test/e2e',
  // Tests wait more than they compute: with one worker per core a small machine would be idle most of the time.
  workers: 4,
  fullyParallel: true,
  // Not on the command line: projects that others depend on would ignore it and run in full
  ...(process.env['WITHOUT_LONG'] === undefined ? {} : { grepInvert: /@long/ }),
  forbidOnly: true,
  // Ends a test that hangs; a machine that is busy with other things may be several times as slow
  timeout: 90_000,
  expect: { timeout: 30_000 },
  outputDir: '.tmp/e2e',
  // Node strips the types of these itself and caches the result; Babel takes ten times as long
  build: { external: ['**/{electron,shared,scripts}/**', '**/test/{simulator,helpers,electron-double}/**'] },
  projects: [
    { name: 'pages-waiting', testMatch: waiting },
    // Before the other pages: its longest tests take as long as thirty of those, which then fill the time that is left.
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
    // Recording costs a third of a run's CPU time: use `npx playwright test --trace on FILE` for a test that failed
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath, args },
  },
});
