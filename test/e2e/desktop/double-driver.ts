import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { chromium, expect, type Page } from '@playwright/test';
import { findChromium, findTestChromium } from '../../../scripts/find-runtimes.ts';
import {
  OPTIONS_VARIABLE,
  type ControlAnswer,
  type DoubleControl,
  type DoubleOptions,
} from '../../electron-double/control.ts';
import { dispatchDrop, homeEnvironment, isWindowPage, type Launch, type LaunchOptions } from './driver.ts';

const MAIN = resolve('dist/main/main.js');
const REGISTER = resolve('test/electron-double/register.ts');

interface Program {
  readonly child: ChildProcess;
  readonly ended: Promise<number>;
  output(): string;
}

/** The Chromium for tests; a measurement uses the full one if it starts its own. */
export const chromiumPath = findTestChromium() ?? '/usr/bin/chromium';

/** Runs the built app under Node, with the double instead of Electron. */
function start({
  home,
  dataHome,
  args,
  keys = { keyBackend: 'gnome_libsecret', keyStore: 'keyring' },
  oddities,
  installed,
  chromium: shared,
}: LaunchOptions): Program {
  const options: DoubleOptions = {
    home,
    appPath: resolve('.'),
    chromium:
      shared === undefined
        ? { kind: 'own', executable: findChromium() ?? chromiumPath }
        : { kind: 'shared', socket: shared.socket },
    isPackaged: installed !== undefined,
    ...(installed && { resourcesPath: installed.resourcesPath }),
    ...keys,
    ...oddities,
  };
  const child = spawn(process.execPath, ['--import', REGISTER, installed?.main ?? MAIN, ...args], {
    cwd: home,
    env: {
      ...process.env,
      ...homeEnvironment({ home, dataHome }),
      ...installed?.environment,
      [OPTIONS_VARIABLE]: JSON.stringify(options),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number>((done) => void child.once('close', (code) => done(code ?? -1)));
  return { child, ended, output: () => output };
}

/** A machine that is busy with other things may be several times as slow; a test ends before it would need more. */
const PAGE_MS = 60_000;
/** Interval at which its page is looked for, milliseconds. */
const LOOK_MS = 50;

/** Turns calls of the control into messages to the process; each is answered, or fails when the process ends. */
function controlOf({ child, ended, output }: Program): DoubleControl {
  const waiting = new Map<number, (answer: ControlAnswer) => void>();
  let lastId = 0;
  child.on('message', (answer: ControlAnswer) => {
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  async function ask(name: string, args: readonly unknown[]): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    child.send({ id, name, args });
    const gone = ended.then((code) => {
      throw new Error(`The app ended with ${code} before it answered ${name}.\n${output()}`);
    });
    const answer = await Promise.race([new Promise<ControlAnswer>((take) => waiting.set(id, take)), gone]);
    if (!answer.ok) throw new Error(`${name}: ${answer.message}`);
    return answer.value;
  }
  return new Proxy({} as DoubleControl, {
    get: (_target, name) => (name === 'then' ? undefined : (...args: unknown[]) => ask(String(name), args)),
  });
}

/** Ends an app that was started by a relaunch: it now holds the profile for as long as it runs. */
async function endRelaunched(home: string, own: number | undefined): Promise<void> {
  const lock = join(home, '.config', 'vms-export-agent', 'single-instance.lock');
  const pid = Number(await readFile(lock, 'utf8').catch(() => ''));
  if (pid === 0 || pid === own) return;
  const isAlive = (signal: 0 | 'SIGKILL'): boolean => {
    try {
      return process.kill(pid, signal);
    } catch {
      return false;
    }
  };
  isAlive('SIGKILL');
  await expect.poll(() => isAlive(0)).toBe(false);
}

/** The double as a driver. The window is a page of Chromium, to which this process connects as the double does. */
export const launchDouble: Launch = async (options) => {
  // The pages of an app that has just ended look the same
  await options.chromium?.untilEmpty();
  const program = start(options);
  const control = controlOf(program);
  const close = new Set<() => Promise<void>>();

  async function page(): Promise<Page> {
    const browser = await chromium.connectOverCDP(await control.endpoint());
    close.add(() => browser.close());
    const [context] = browser.contexts();
    if (context === undefined) throw new Error('The window has no page.');
    // The hidden window that makes thumbnails is a page too, and a crashed page is followed by a new one
    const isOurs = (each: Page): boolean => isWindowPage(each.url());
    const found = () => context.pages().findLast(isOurs);
    await expect.poll(found, { timeout: PAGE_MS, intervals: [LOOK_MS] }).toBeDefined();
    const ours = found();
    if (ours === undefined) throw new Error('The page of the window is gone again.');
    return ours;
  }
  return {
    kind: 'double',
    system: control,
    double: control,
    page,
    async drop(paths) {
      await control.nameDropped(paths);
      await dispatchDrop(await page(), paths);
    },
    async startAgain(args) {
      return start({ ...options, args }).ended;
    },
    signal: (name) => void program.child.kill(name),
    ended: program.ended,
    output: program.output,
    async kill() {
      for (const end of close) await end().catch(() => undefined);
      program.child.kill('SIGKILL');
      await program.ended;
      await endRelaunched(options.home, program.child.pid);
    },
  };
};
