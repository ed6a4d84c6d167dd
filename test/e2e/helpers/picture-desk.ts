import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, type Agent, type Clock } from '../../../electron/agent/index.ts';
import { createKeyFileSecrets } from '../../../electron/agent/settings/key-file.ts';
import { loadSettings } from '../../../electron/agent/settings/load-settings.ts';
import { createLogger } from '../../../electron/agent/log/create-logger.ts';
import { createSecretRegister, registerSecrets } from '../../../electron/agent/log/secret-register.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { startBuiltConsole } from '../../../electron/console/start-console.ts';
import { startSimulator, type Simulator } from '../../simulator/index.ts';

/** A desk on a fixed evening, for screenshots: the same names, ports, folder and dates each time. */
export interface PictureDesk {
  readonly simulator: Simulator;
  /** Offset from the machine's clock to the desk's. */
  readonly offsetMs: number;
  /** The watched folder. */
  readonly root: string;
  /** The folder in which an export is made before it is moved into the watched folder. */
  readonly workshop: string;
  readonly agent: Agent;
  readonly origin: string;
  createLaunchUrl(): string;
  stop(): Promise<void>;
}

/** The time on all of the desk's clocks at its start: the second half of a match. */
export const PICTURE_TIME = '2026-05-02T18:42:00.000Z';
/** These appear in the screenshots, so they are the same each time. */
const SERVICE_PORT = 47_810;
const STORAGE_PORT = 47_811;
const FOLDER = 'control-room';
const SETTLE_SECONDS = 0.3;
const PART_BYTES = 5_242_880;
const version = '0.1.0';

/** Opens the desk; the pages must have been built. Throws when a previous desk's folder was left behind. */
export async function openPictureDesk(bytesPerSecond: number): Promise<PictureDesk> {
  const offsetMs = Date.parse(PICTURE_TIME) - Date.now();
  const clock: Clock = { ...createSystemClock(), now: () => Date.now() + offsetMs };
  const home = join(tmpdir(), FOLDER);
  await mkdir(home);
  const ports = { port: SERVICE_PORT, storagePort: STORAGE_PORT };
  const simulator = await startSimulator({ ...ports, clockOffsetMs: offsetMs });
  const configFile = await writeConfig(home, simulator, bytesPerSecond);
  const agent = await openAgent(configFile, join(home, 'data'), clock);
  const opened = await startBuiltConsole({ port: 0, agent, clock, logger: silent });
  if (!opened.ok) throw new Error(opened.error.message);
  const { origin, createLaunchUrl, stop } = opened.value;
  return {
    simulator,
    offsetMs,
    root: join(home, 'exports'),
    workshop: join(home, 'workshop'),
    agent,
    origin,
    createLaunchUrl,
    async stop() {
      await stop();
      await agent.stop();
      await simulator.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function writeConfig(
  home: string,
  { apiKey, baseUrl }: Simulator,
  bytesPerSecond: number,
): Promise<string> {
  await mkdir(join(home, 'exports'));
  await mkdir(join(home, 'workshop'));
  await writeFile(join(home, 'key.txt'), apiKey, { mode: 0o600 });
  const file = join(home, 'vms-export-agent.json');
  const config = {
    baseUrl,
    apiKeyFile: 'key.txt',
    watch: [{ path: 'exports', timeZone: 'Europe/London', settleSeconds: SETTLE_SECONDS }],
    upload: {
      multipartThresholdBytes: PART_BYTES,
      partSizeBytes: PART_BYTES,
      concurrentFiles: 1,
      concurrentParts: 1,
      maxBytesPerSecond: bytesPerSecond,
    },
  };
  await writeFile(file, JSON.stringify(config, undefined, 2));
  return file;
}

async function openAgent(configFile: string, dataDir: string, clock: Clock): Promise<Agent> {
  const loaded = await loadSettings(configFile);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const { settings, apiKeyPath } = loaded.value;
  const register = createSecretRegister();
  const keyFile = createKeyFileSecrets({
    ...(apiKeyPath !== undefined && { apiKeyPath }),
    ...(process.getuid && { userId: process.getuid() }),
  });
  // Kept for the screen Health, not written anywhere
  const logger = createLogger({
    level: 'error',
    format: 'text',
    write: ignore,
    clock,
    rules: () => ({ secrets: register.forms() }),
  });
  const agent = createAgent(
    { settings, dataDir, version, settingsFile: configFile },
    { clock, logger, secrets: registerSecrets(keyFile, register) },
  );
  await agent.start();
  return agent;
}

const ignore = (): void => undefined;
const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };
