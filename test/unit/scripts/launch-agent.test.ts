import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A minimal fresh checkout: the launcher, the packages, a page, and an agent that says whether it would have pages. */
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-checkout-'));
  for (const name of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(resolve(name), join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'electron'));
  mkdirSync(join(folder, 'renderer'));
  writeFileSync(join(folder, 'renderer/index.html'), '<h1>pages</h1>');
  writeFileSync(
    join(folder, 'vite.config.ts'),
    `export default { root: 'renderer', build: { outDir: '../dist/renderer' } };`,
  );
  writeFileSync(
    join(folder, 'electron/headless.ts'),
    `import { existsSync } from 'node:fs'; console.log(existsSync('dist/renderer/index.html') ? 'pages' : 'no pages');`,
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const launch = (...args: readonly string[]): string =>
  spawnSync(process.execPath, ['scripts/launch.mjs', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' },
  }).stdout.trim();
const agent = (...args: readonly string[]): string => launch('electron/headless.ts', ...args);
const start = (...args: readonly string[]): string => launch('scripts/start.ts', ...args);

/** Replaces the agent by one that prints how it was started. */
const sayStart = (): void =>
  writeFileSync(
    join(folder, 'electron/headless.ts'),
    `console.log([...process.execArgv, ...process.argv.slice(2)].join(' '));`,
  );
const flags = ['--use-system-ca', '--disable-sigusr1', '--max-semi-space-size=2'];

test('the agent runs with the system authorities, without an inspector and with little young memory', () => {
  sayStart();
  expect(agent('status').split(' ')).toEqual(expect.arrayContaining([...flags, 'status']));
});

// On other systems a window can always be shown
test.runIf(process.platform === 'linux')(
  'so does the one that npm start falls back to, without what only the desktop app knows',
  () => {
    sayStart();
    const said = start('--hidden', '--console', '47900').split(' ');
    expect(said).toEqual(expect.arrayContaining(flags));
    expect(said.slice(-3)).toEqual(['run', '--console', '47900']);
  },
  60_000,
);

test('the console of a fresh checkout has its pages: they are built before the agent runs', () => {
  expect(agent('run', '--once')).toBe('no pages');
  expect(agent('users', 'list')).toBe('no pages');
  expect(agent('run')).toBe('pages');
  expect(existsSync(join(folder, 'dist/renderer/index.html'))).toBe(true);
}, 60_000);
