import { expect, type ConsoleMessage, type Page } from '@playwright/test';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  createAgent,
  createKeyFileSecrets,
  createSystemClock,
  loadSettingsOrDefaults,
  type Agent,
  type AgentConfig,
  type ThumbnailMaker,
} from '../../../electron/agent/index.ts';
import { startConsole, type Console } from '../../../electron/console/start-console.ts';
import { sharedThreads } from '../../helpers/shared-threads.ts';
import { makeUnsyncedFolder } from '../../helpers/unsynced-folder.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts';
import { test as base } from './page.ts';

/**
 * A desk as its user has it: a simulated service, a watched folder, the real agent, the console with the built pages,
 * and a browser page that is signed in. Build the pages first (`npm run build`).
 *
 *   test('an operator ...', async ({ desk }) => {
 *     await desk.export('Gate 4', { 'cam1.mp4': bytes });
 *     await desk.open('/uploads');
 *     await desk.page.getByRole(...)
 *   });
 */
export interface Desk {
  readonly page: Page;
  readonly simulator: Simulator;
  readonly console: Console;
  readonly agent: () => Agent;
  /** The watched folder. */
  readonly root: string;
  readonly dataDir: string;
  /** The configuration. */
  readonly configPath: string;
  /** Writes an export folder into the watched folder. */
  export(name: string, files: Readonly<Record<string, Buffer>>): Promise<void>;
  /** Shows a screen, signed in: `/uploads`, `/users?inactive=true`. */
  open(path: string): Promise<void>;
  /** Stops the agent and starts it again on the same data, as a restart of the PC does. */
  restart(): Promise<void>;
}

export interface DeskOptions {
  readonly simulator?: SimulatorOptions;
  /** Sections of the configuration besides baseUrl, key and the watched folder. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** A desk that was never set up, without configuration and key. */
  readonly isNew?: boolean;
  /** Settings that the agent gets from its host: a demo, a policy. */
  readonly host?: Pick<AgentConfig, 'isDemo' | 'policy'>;
  /** A host that makes thumbnails of clips, like the desktop app; the console's does not. */
  readonly thumbnails?: ThumbnailMaker;
}

/** Files settle quickly here: nothing writes slowly unless a test does. */
const SETTLE_SECONDS = 0.3;

interface TestFixtures {
  deskOptions: DeskOptions;
  desk: Desk;
  violations: string[];
}

export const test = base.extend<TestFixtures, { consoles: Consoles }>({
  consoles: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const consoles = createConsoles();
      await use(consoles);
      await consoles.stop();
    },
    { scope: 'worker' },
  ],
  deskOptions: [{}, { option: true }],
  /** Violations of the page's content policy, and errors thrown in the page: must be empty at the end of each test. */
  violations: async ({ page }, use) => {
    const found: string[] = [];
    const onError = (error: Error): void => void found.push(String(error));
    const onMessage = (message: ConsoleMessage): void => {
      if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text()))
        found.push(message.text());
    };
    page.on('pageerror', onError).on('console', onMessage);
    await use(found);
    page.off('pageerror', onError).off('console', onMessage);
    expect(found).toEqual([]);
  },
  desk: async ({ page, deskOptions, violations, consoles }, use) => {
    void violations;
    const home = await mkdtemp(join(tmpdir(), 'desk-'));
    const kept = await makeUnsyncedFolder('desk-');
    const simulator = await startSimulator(deskOptions.simulator ?? {});
    const root = join(home, 'exports');
    const dataDir = join(kept, 'data');
    await mkdir(root);
    // A new desk does not even have the folder
    const configPath = join(home, deskOptions.isNew === true ? 'settings' : '', 'vms-export-agent.json');
    if (deskOptions.isNew !== true) await writeConfig(configPath, simulator, deskOptions);
    const start = () => startAgent(configPath, dataDir, deskOptions);
    let agent = await start();
    const consoleServer = await consoles.show(() => agent);
    const desk: Desk = {
      page,
      simulator,
      console: consoleServer,
      agent: () => agent,
      root,
      dataDir,
      configPath,
      async export(name, files) {
        await mkdir(join(root, name), { recursive: true });
        for (const [file, bytes] of Object.entries(files)) await writeFile(join(root, name, file), bytes);
      },
      async open(path) {
        // A page that is still loading its screens would be notified that its session has ended
        if (page.url() !== 'about:blank') await page.goto('about:blank');
        await page.goto(consoleServer.createLaunchUrl());
        await page.goto(`${consoleServer.origin}/#${path}`);
        await page.getByRole('navigation', { name: 'Screens' }).waitFor();
      },
      async restart() {
        await agent.stop();
        agent = await start();
      },
    };
    await use(desk);
    // A page that is still open would send requests to what ends below, and get errors
    await forget(page, consoleServer).catch(() => page.close());
    await agent.stop();
    await simulator.stop();
    for (const folder of [home, kept]) await rm(folder, { recursive: true, force: true });
  },
});

export { expect };

/** Leaves the app, and clears its storage, for a page of the same origin without scripts. */
async function forget(page: Page, { origin }: Console): Promise<void> {
  await page.goto(`${origin}/left`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('about:blank');
}

async function writeConfig(file: string, simulator: Simulator, { settings }: DeskOptions): Promise<void> {
  await writeFile(join(dirname(file), 'key.txt'), simulator.apiKey, { mode: 0o600 });
  const config = {
    baseUrl: simulator.baseUrl,
    apiKeyFile: 'key.txt',
    watch: [{ path: 'exports', settleSeconds: SETTLE_SECONDS }],
    ...settings,
  };
  await writeFile(file, JSON.stringify(config, undefined, 2));
}

async function startAgent(
  configPath: string,
  dataDir: string,
  { host = {}, thumbnails }: DeskOptions,
): Promise<Agent> {
  const loaded = await loadSettingsOrDefaults(configPath, host.policy);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const { settings, apiKeyPath } = loaded.value;
  const agent = createAgent(
    { settings, dataDir, version: '0.0.0', settingsFile: configPath, ...host },
    {
      clock: createSystemClock(),
      logger: silent,
      secrets: createKeyFileSecrets({
        ...(apiKeyPath !== undefined && { apiKeyPath }),
        ...(process.getuid && { userId: process.getuid() }),
      }),
      threads: sharedThreads,
      ...(thumbnails !== undefined && { thumbnails }),
    },
  );
  await agent.start();
  return agent;
}

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** The console of a worker: each test shows its own agent on it, so that browsers keep the pages cached. */
interface Consoles {
  show(agent: () => Agent): Promise<Console>;
  stop(): Promise<void>;
}

function createConsoles(): Consoles {
  let agent: () => Agent;
  let running: Console | undefined;
  async function stop(): Promise<void> {
    const ending = running;
    running = undefined;
    await ending?.stop();
  }
  return {
    async show(next) {
      agent = next;
      running ??= await openConsole(() => agent());
      // A test may stop it; the next one gets another
      return { ...running, stop };
    },
    stop,
  };
}

async function openConsole(agent: () => Agent): Promise<Console> {
  const opened = await startConsole({
    port: 0,
    assetsDir: 'dist/renderer',
    agent: {
      call: (request, signal) => agent().call(request, signal),
      noteSignIn: () => agent().noteSignIn(),
      playClip: (request, signal) => agent().playClip(request, signal),
      signals: { on: (listener) => agent().signals.on(listener) },
    },
    clock: createSystemClock(),
    logger: silent,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}
