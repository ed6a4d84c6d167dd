import { test as base, type Page } from '@playwright/test';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, type Agent } from '../../../electron/agent/index.ts';
import { loadSettings } from '../../../electron/agent/config/load-settings.ts';
import { createKeyFileSecrets } from '../../../electron/agent/config/key-file.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { startConsole, type Console } from '../../../electron/console/start-console.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../simulator/index.ts';

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
  /** Writes an export folder into the watched folder. */
  export(name: string, files: Readonly<Record<string, Buffer>>): Promise<void>;
  /** Shows a screen, signed in: `/uploads`, `/users?inactive=true`. */
  open(path: string): Promise<void>;
  /** Ends the agent and starts it again on the same data, as a restart of the PC does. */
  restart(): Promise<void>;
}

export interface DeskOptions {
  readonly simulator?: SimulatorOptions;
  /** Sections of the configuration beside baseUrl, key and the watched folder. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** Files settle quickly here: nothing writes slowly unless a test does. */
const SETTLE_SECONDS = 0.3;

export const test = base.extend<{ deskOptions: DeskOptions; desk: Desk; violations: string[] }>({
  deskOptions: [{}, { option: true }],
  /** What the page's policy refused, and what was thrown there: must be empty at the end of each test. */
  violations: async ({ page }, use) => {
    const found: string[] = [];
    page.on('pageerror', (error) => found.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text()))
        found.push(message.text());
    });
    await use(found);
    base.expect(found).toEqual([]);
  },
  desk: async ({ page, deskOptions, violations }, use) => {
    void violations;
    const home = await mkdtemp(join(tmpdir(), 'desk-'));
    const simulator = await startSimulator(deskOptions.simulator ?? {});
    const root = join(home, 'exports');
    const dataDir = join(home, 'data');
    await mkdir(root);
    const configPath = await writeConfig(home, simulator, deskOptions);
    let agent = await startAgent(configPath, dataDir);
    const consoleServer = await openConsole(() => agent);
    const desk: Desk = {
      page,
      simulator,
      console: consoleServer,
      agent: () => agent,
      root,
      dataDir,
      async export(name, files) {
        await mkdir(join(root, name), { recursive: true });
        for (const [file, bytes] of Object.entries(files)) await writeFile(join(root, name, file), bytes);
      },
      async open(path) {
        await page.goto(consoleServer.createLaunchUrl());
        await page.goto(`${consoleServer.origin}/#${path}`);
        await page.getByRole('navigation', { name: 'Screens' }).waitFor();
      },
      async restart() {
        await agent.stop();
        agent = await startAgent(configPath, dataDir);
      },
    };
    await use(desk);
    // A page that is still there would ask for what ends below, and be told so
    await page.goto('about:blank').catch(() => undefined);
    await consoleServer.stop();
    await agent.stop();
    await simulator.stop();
    await rm(home, { recursive: true, force: true });
  },
});

export const { expect } = base;

async function writeConfig(home: string, simulator: Simulator, { settings }: DeskOptions): Promise<string> {
  const keyFile = join(home, 'key.txt');
  await writeFile(keyFile, simulator.apiKey);
  await chmod(keyFile, 0o600);
  const config = {
    baseUrl: simulator.baseUrl,
    apiKeyFile: 'key.txt',
    watch: [{ path: 'exports', settleSeconds: SETTLE_SECONDS }],
    ...settings,
  };
  const file = join(home, 'vms-export-agent.json');
  await writeFile(file, JSON.stringify(config, undefined, 2));
  return file;
}

async function startAgent(configPath: string, dataDir: string): Promise<Agent> {
  const loaded = await loadSettings(configPath);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const { settings, apiKeyPath } = loaded.value;
  const agent = createAgent(
    { settings, dataDir, version: '0.0.0', settingsFile: configPath },
    {
      clock: createSystemClock(),
      logger: silent,
      secrets: createKeyFileSecrets({
        ...(apiKeyPath !== undefined && { apiKeyPath }),
        ...(process.getuid && { userId: process.getuid() }),
      }),
    },
  );
  await agent.start();
  return agent;
}

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

async function openConsole(agent: () => Agent): Promise<Console> {
  const opened = await startConsole({
    port: 0,
    assetsDir: 'dist/renderer',
    agent: {
      call: (request, signal) => agent().call(request, signal),
      signals: { on: (listener) => agent().signals.on(listener) },
    },
    clock: createSystemClock(),
    logger: silent,
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.error));
  return opened.value;
}
