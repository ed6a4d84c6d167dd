import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { _electron as electron, expect, type ElectronApplication, type Page } from '@playwright/test';
import { findElectron } from '../../../scripts/find-runtimes.ts';
import type { SystemControl } from '../../electron-double/control.ts';
import { dispatchDrop, homeEnvironment, isWindowPage, type Launch } from './driver.ts';
import { installHooks } from './electron-hooks.ts';

const ROOT = resolve('.');

/** The real runtime's executable; undefined where it is not installed. */
export const findRuntime = (): string | undefined =>
  findElectron({ packageDir: join(ROOT, 'node_modules/electron'), environment: process.env });

/**
 * Writes a file, because Electron loads the hooks by name before the app; it removes itself from the app's arguments.
 */
async function writeHooks(home: string): Promise<string> {
  const file = join(home, 'hooks.cjs');
  await mkdir(home, { recursive: true });
  await writeFile(file, `process.argv.splice(1, 2);\n(${installHooks.toString()})(require('electron'));\n`);
  return file;
}

/** Each method runs in Electron's main process. */
function systemOf(app: ElectronApplication): SystemControl {
  const ask = (name: string, args: readonly unknown[]): Promise<unknown> =>
    app.evaluate(
      (_electron, [method, values]) => {
        const system: unknown = Reflect.get(globalThis, 'desktopSystem');
        const run = Reflect.get(system as object, method) as (
          ...list: readonly unknown[]
        ) => Promise<unknown>;
        return run(...values);
      },
      [name, args] as const,
    );
  return new Proxy({} as SystemControl, {
    get: (_target, name) => (name === 'then' ? undefined : (...args: unknown[]) => ask(String(name), args)),
  });
}

/**
 * The real runtime as a driver. The executable is not passed: only then does Playwright keep the app from starting
 * before its hooks are installed.
 */
export const launchElectron: Launch = async ({ home, dataHome, args }) => {
  const executable = findRuntime();
  if (executable === undefined) throw new Error('The Electron runtime is not installed.');
  const env = Object.fromEntries(
    Object.entries({ ...process.env, ...homeEnvironment({ home, dataHome }) }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
  const app = await electron.launch({
    args: ['-r', await writeHooks(home), ROOT, ...args],
    cwd: ROOT,
    env,
    chromiumSandbox: true,
  });
  const child = app.process();
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number>((done) => void child.once('exit', (code) => done(code ?? -1)));
  async function page(): Promise<Page> {
    // The hidden window that makes thumbnails is one too
    const found = () => app.windows().find((each) => isWindowPage(each.url()));
    await app.firstWindow();
    await expect.poll(found, { timeout: 15_000 }).toBeDefined();
    const ours = found();
    if (ours === undefined) throw new Error('The page of the window is gone again.');
    return ours;
  }
  return {
    kind: 'electron',
    system: systemOf(app),
    double: undefined,
    page,
    drop: async (paths) => dispatchDrop(await page(), paths),
    async startAgain(more) {
      const second = spawn(executable, [ROOT, ...more], { cwd: ROOT, env, stdio: 'ignore' });
      return new Promise((done) => void second.once('exit', (code) => done(code ?? -1)));
    },
    signal: (name) => void child.kill(name),
    ended,
    output: () => output,
    async kill() {
      if (child.exitCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
};
