import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

/** Imported before a launcher: lets another one take over the lock right after this one has found it stale. */
const overtake = `
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const read = fs.readFileSync;
let isOvertaken = false;
fs.readFileSync = (file, ...rest) => {
  const text = read(file, ...rest);
  if (!isOvertaken && String(file).includes('owner')) {
    isOvertaken = true;
    spawn(process.execPath, ['scripts/launch.mjs', '--install'], { stdio: 'ignore' });
    while (!fs.existsSync('npm.log')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  return text;
};
syncBuiltinESMExports();
`;

/** Stands in for npm: notes each start, and takes a while. */
const npm = `#!/bin/sh
echo ci >> npm.log
sleep 1
cp package-lock.json node_modules/.package-lock.json
`;

// A script is no program on Windows
test.skipIf(process.platform === 'win32')(
  'of two processes that find the lock of a dead one, only one installs',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'vms-export-agent-install-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ['node_modules', 'bin', 'scripts', '.tmp/install.lock'])
      mkdirSync(join(folder, name), { recursive: true });
    const write = (name: string, text: string): void =>
      writeFileSync(join(folder, name), text, { mode: 0o700 });
    cpSync(resolve('scripts/launch.mjs'), join(folder, 'scripts/launch.mjs'));
    write('bin/npm', npm);
    write('overtake.mjs', overtake);
    write('package-lock.json', JSON.stringify({ packages: { 'node_modules/one': { version: '1.0.0' } } }));
    const { pid } = spawnSync(process.execPath, ['--version']);
    write('.tmp/install.lock/owner-0.json', JSON.stringify({ pid, host: hostname() }));
    const { npm_execpath: _, ...others } = process.env;
    const env = { ...others, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
    const words = ['--import', './overtake.mjs', 'scripts/launch.mjs', '--install'];
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, expect.stringContaining('Another process is installing')]);
    expect(readFileSync(join(folder, 'npm.log'), 'utf8')).toBe('ci\n');
  },
  30_000,
);
