import { test as base, type Page } from '@playwright/test';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DesktopApi } from '../../../shared/ipc/desktop.ts';
import { shortLived, startChromium } from '../../electron-double/chromium.ts';
import { makeUnsyncedFolder } from '../../helpers/unsynced-folder.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts';
import { chromiumPath, launchDouble } from './double-driver.ts';
import type {
  DriverKind,
  InstalledCopy,
  Launch,
  LaunchOptions,
  RunningApp,
  SharedChromium,
} from './driver.ts';
import { launchElectron } from './electron-driver.ts';

/**
 * The desktop app as its user has it: the built program on one of the drivers, a simulated service, a watched folder.
 * Build first (`npm run build`).
 *
 *   test('an operator ...', async ({ desktop }) => {
 *     const { app, page } = await desktop.start();
 *     await desktop.export('Gate 4', { 'cam1.mp4': bytes });
 *   });
 */
export interface Desktop {
  readonly simulator: Simulator;
  /** Folder of everything that the app keeps. */
  readonly home: string;
  /** The folder in which Linux keeps program data. */
  readonly dataHome: string;
  /** The app's own folder in it. */
  readonly userData: string;
  /** The watched folder. */
  readonly root: string;
  /** Starts the app; after it was quit, starts it again with its data. */
  start(args?: readonly string[], installed?: InstalledCopy): Promise<Started>;
  /** Writes an export folder into the watched folder. */
  export(name: string, files: Readonly<Record<string, Buffer>>): Promise<void>;
}

/** A running app with the page that its window shows first. */
export interface Started {
  readonly app: RunningApp;
  readonly page: Page;
}

export interface DesktopOptions {
  readonly simulator?: SimulatorOptions;
  /** Sections of the configuration besides baseUrl, key and the watched folder. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Settings of the watched folder besides its path. */
  readonly watch?: Readonly<Record<string, unknown>>;
  /** A new PC: no configuration yet. */
  readonly isNew?: boolean;
  /** No key file: the key has to be entered. */
  readonly hasNoKey?: boolean;
  readonly keys?: NonNullable<LaunchOptions['keys']>;
  readonly oddities?: NonNullable<LaunchOptions['oddities']>;
  /** Chromium is started with the app, like Electron's, and keeps what pages store between starts. */
  readonly hasOwnChromium?: boolean;
  /** The content of the organisation's policy file; the double only. */
  readonly policy?: Readonly<Record<string, unknown>>;
}

const launchers: Readonly<Record<DriverKind, Launch>> = { double: launchDouble, electron: launchElectron };
/** Files settle quickly here: nothing writes slowly unless a test does. */
const SETTLE_SECONDS = 0.3;
/** Chromium still writes to its profile while it ends. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

interface TestFixtures {
  desktopOptions: DesktopOptions;
  desktop: Desktop;
  standing: StandingDesktop;
}

interface WorkerFixtures {
  driver: DriverKind;
  chromium: SharedChromium | undefined;
  /** Shared by all tests of this worker that use `standing`. */
  standingDesk: { readonly desktop: Desktop; readonly started: Started; isUsed: boolean };
}

/**
 * An app that keeps running between tests, with an empty queue: for tests that are about neither its start nor its end,
 * send nothing, and leave its settings, its key and the service's team unchanged. Each test gets the window as after a
 * start, and sees only its own dialogs, menus and the like.
 */
export type StandingDesktop = Started &
  Pick<Desktop, 'simulator' | 'home' | 'dataHome' | 'userData' | 'root'>;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  driver: ['double', { option: true, scope: 'worker' }],
  chromium: [({ driver }, use) => withChromium(driver, use), { scope: 'worker' }],
  desktopOptions: [{}, { option: true }],
  desktop: async ({ driver, desktopOptions, chromium }, use) => {
    const { desktop, close } = await openDesktop(driver, desktopOptions, chromium);
    await use(desktop);
    await close();
  },
  standingDesk: [
    // A separate Chromium: apps of other tests take the first page of theirs for their window
    ({ driver }, use) =>
      withChromium(driver, async (chromium) => {
        const { desktop, close } = await openDesktop(driver, {}, chromium);
        await use({ desktop, started: await desktop.start(), isUsed: false });
        await close();
      }),
    { scope: 'worker' },
  ],
  standing: async ({ standingDesk }, use) => {
    const { desktop, started, isUsed } = standingDesk;
    const { simulator, home, dataHome, userData, root } = desktop;
    if (isUsed) await tidyUp(started);
    standingDesk.isUsed = true;
    await use({
      app: await hearingFromNowOn(started.app),
      page: started.page,
      simulator,
      home,
      dataHome,
      userData,
      root,
    });
    simulator.faults.clear();
  },
});

/** The Chromium for the windows of a worker's apps, if the driver needs one. */
async function withChromium(
  driver: DriverKind,
  use: (chromium: SharedChromium | undefined) => Promise<void>,
): Promise<void> {
  if (driver !== 'double') return use(undefined);
  const profile = await makeUnsyncedFolder('desktop-chromium-');
  const { root, socket, kill, ended } = await startChromium(chromiumPath, profile, shortLived);
  const isEmpty = async (): Promise<boolean> =>
    (await root.send('Target.getTargets')).targetInfos.every(({ type }) => type !== 'page');
  await use({ socket: await socket(), untilEmpty: () => base.expect.poll(isEmpty).toBe(true) });
  kill();
  await ended;
  return rm(profile, REMOVAL);
}

async function openDesktop(
  driver: DriverKind,
  options: DesktopOptions,
  chromium: SharedChromium | undefined,
): Promise<{ readonly desktop: Desktop; readonly close: () => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'desktop-'));
  const dataHome = await makeUnsyncedFolder('desktop-');
  const root = join(home, 'exports');
  const userData = userDataIn(home);
  await mkdir(root);
  const simulator = await startSimulator(options.simulator ?? {});
  if (options.isNew !== true) await writeConfig(userData, root, simulator, options);
  if (options.policy !== undefined) await writePolicy(home, options.policy);
  const running: RunningApp[] = [];
  const desktop: Desktop = {
    simulator,
    home,
    dataHome,
    userData,
    root,
    async start(args = [], installed) {
      const { keys, oddities, hasOwnChromium } = options;
      const app = await launchers[driver]({
        home,
        dataHome,
        args,
        ...(keys !== undefined && { keys }),
        ...(oddities !== undefined && { oddities }),
        ...(installed && { installed }),
        ...(chromium && hasOwnChromium !== true && { chromium }),
      });
      running.push(app);
      const page = await app.page();
      await page.getByRole('navigation').first().waitFor();
      return { app, page };
    },
    async export(name, files) {
      await mkdir(join(root, name), { recursive: true });
      for (const [file, bytes] of Object.entries(files)) await writeFile(join(root, name, file), bytes);
    },
  };
  async function close(): Promise<void> {
    for (const app of running) await app.kill();
    await simulator.stop();
    for (const folder of [home, dataHome]) await rm(folder, REMOVAL);
  }
  return { desktop, close };
}

/** The lists in which the system keeps everything that the app asked of it. */
const kept = ['dialogs', 'notifications', 'openedExternally', 'revealed', 'contextMenus'] as const;

/** The same app, whose lists show only entries from now on. */
async function hearingFromNowOn(app: RunningApp): Promise<RunningApp> {
  const before = await Promise.all(kept.map(async (name) => (await app.system[name]()).length));
  const later = kept.map((name, index) => {
    const listen = async (): Promise<readonly unknown[]> => (await app.system[name]()).slice(before[index]);
    return [name, listen] as const;
  });
  const heard: ReadonlyMap<PropertyKey, unknown> = new Map(later);
  const system = new Proxy(app.system, {
    get: (target, name) => heard.get(name) ?? (Reflect.get(target, name) as unknown),
  });
  return { ...app, system };
}

/** Resets the window to its state after a start: shown, on its first screen, with nothing left by a test. */
async function tidyUp({ app, page }: Started): Promise<void> {
  if (!(await app.system.window()).isVisible) await app.system.clickTray('Open');
  await page.evaluate(() => {
    localStorage.clear();
    location.hash = '#/uploads';
  });
  await page.reload();
  await page.getByRole('navigation').first().waitFor();
}

export const { expect } = base;

/** Electron's folder for the app, below the home of the run. */
function userDataIn(home: string): string {
  const name = 'vms-export-agent';
  if (process.platform === 'win32') return join(home, 'AppData', 'Roaming', name);
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', name);
  return join(home, '.config', name);
}

async function writeConfig(
  userData: string,
  root: string,
  simulator: Simulator,
  { settings, watch, hasNoKey }: DesktopOptions,
): Promise<void> {
  await mkdir(userData, { recursive: true });
  const keyFile = join(userData, 'key.txt');
  if (hasNoKey !== true) {
    await writeFile(keyFile, simulator.apiKey);
    await chmod(keyFile, 0o600);
  }
  const config = {
    baseUrl: simulator.baseUrl,
    ...(hasNoKey !== true && { apiKeyFile: 'key.txt' }),
    watch: [{ path: root, settleSeconds: SETTLE_SECONDS, ...watch }],
    ...settings,
  };
  await writeFile(join(userData, 'vms-export-agent.json'), JSON.stringify(config, undefined, 2));
}

/** Writes the policy as an administrator does; on the double the system's folder is in the home of the run. */
export async function writePolicy(home: string, policy: Readonly<Record<string, unknown>>): Promise<void> {
  const folder = join(home, 'etc', 'vms-export-agent');
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await writeFile(join(folder, 'policy.json'), JSON.stringify(policy), { mode: 0o644 });
}

/** Saves the edits on the screen Settings, and waits until the agent uses them. */
export async function saveSettings(page: Page): Promise<void> {
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await base.expect(save).toBeHidden();
  await base.expect(page.getByRole('button', { name: 'Apply now' })).toBeHidden();
}

/** Makes a call through the page's own bridge, as a script in the page could. */
export function callInPage(page: Page, call: string, input: unknown = {}): Promise<unknown> {
  return page.evaluate((request) => (Reflect.get(globalThis, 'desktop') as DesktopApi).call(request), {
    call,
    input,
  });
}

/** Sends a command through the page's own bridge. */
export function orderInPage(page: Page, order: string, input: unknown = {}): Promise<unknown> {
  return page.evaluate((request) => (Reflect.get(globalThis, 'desktop') as DesktopApi).order(request), {
    call: order,
    input,
  });
}

/** Makes an export folder that is not watched. */
export async function exportBeside(
  desktop: Pick<Desktop, 'root'>,
  name: string,
  clip: Buffer,
): Promise<string> {
  const folder = join(dirname(desktop.root), 'usb', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}_20260501_193005.mp4`), clip);
  return folder;
}
