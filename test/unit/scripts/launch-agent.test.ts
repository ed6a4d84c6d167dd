import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A fresh checkout in small: the launcher, the packages, a page, and an agent that says whether it would have pages. */
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

const agent = (...args: readonly string[]): string =>
  spawnSync(process.execPath, ['scripts/launch.mjs', 'electron/headless.ts', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).stdout.trim();

test('the agent runs with the system authorities, without an inspector and with little young memory', () => {
  writeFileSync(join(folder, 'electron/headless.ts'), `console.log(process.execArgv.join(' '));`);
  const flags = agent('status').split(' ');
  expect(flags).toEqual(
    expect.arrayContaining(['--use-system-ca', '--disable-sigusr1', '--max-semi-space-size=2']),
  );
});

test('the console of a fresh checkout has its pages: they are built before the agent runs', () => {
  expect(agent('run', '--once')).toBe('no pages');
  expect(agent('users', 'list')).toBe('no pages');
  expect(agent('run')).toBe('pages');
  expect(existsSync(join(folder, 'dist/renderer/index.html'))).toBe(true);
}, 60_000);
