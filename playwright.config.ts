import { defineConfig } from '@playwright/test';
import { findElectron } from './scripts/electron-path.ts';

/** The system's Chromium: the browsers that Playwright brings itself are not needed. */
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Measured alone, when nothing else is left to run. */
const numbers = 'desktop/numbers.spec.ts';
const desktop = { testMatch: 'desktop/*.spec.ts', testIgnore: numbers };

const electron = findElectron({ packageDir: 'node_modules/electron', environment: process.env });

// The file's default export is how Playwright reads its configuration.
export default defineConfig<{ driver: 'double' | 'electron' }>({
  testDir: 'test/e2e',
  // Each worker has a service, an agent and a browser of its own; more only wait for each other.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  // Here and not as an argument: those do not reach the projects that `numbers` waits for
  ...(process.env['LEAVE_OUT_LONG'] !== undefined && { grepInvert: /@long/ }),
  // A build server is shared and slow at times: a test that passes at the second try is named in the output.
  retries: process.env['CI'] === undefined ? 0 : 1,
  timeout: 40_000,
  expect: { timeout: 10_000 },
  outputDir: '.tmp/e2e',
  projects: [
    { name: 'pages', testIgnore: 'desktop/**' },
    // The desktop app, on a substitute for Electron and, where it is installed, on the real runtime.
    { name: 'desktop', ...desktop, use: { driver: 'double' } },
    ...(electron === undefined
      ? []
      : [{ name: 'desktop-electron', ...desktop, use: { driver: 'electron' as const } }]),
    {
      name: 'numbers',
      testMatch: numbers,
      dependencies: ['pages', 'desktop', ...(electron === undefined ? [] : ['desktop-electron'])],
      use: { driver: 'double' },
    },
  ],
  reporter: 'line',
  use: {
    viewport: { width: 1440, height: 820 },
    colorScheme: 'dark',
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--font-render-hinting=none',
      ],
    },
  },
});
