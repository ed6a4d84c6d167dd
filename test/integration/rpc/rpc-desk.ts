import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type TestContext } from 'vitest';
import { createKeyFileSecrets } from '../../../electron/agent/settings/key-file.ts';
import { loadSettings } from '../../../electron/agent/settings/load-settings.ts';
import { createAgent } from '../../../electron/agent/index.ts';
import { createLogger } from '../../../electron/agent/log/create-logger.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { createCaller } from '../../../shared/ipc/caller.ts';
import { agentSignalSchema, type AgentSignal } from '../../../shared/ipc/events.ts';
import { eventually } from '../../helpers/eventually.ts';
import { memoryTransport } from '../../helpers/memory-transport.ts';
import { sharedThreads } from '../../helpers/shared-threads.ts';
import { makeUnsyncedFolder } from '../../helpers/unsynced-folder.ts';
import { writeSpec, type FileSpec } from '../../helpers/bench-files.ts';
import { startSimulator, type SimulatorOptions } from '../../simulator/index.ts';

/** A key that tests look for in everything that leaves the agent. */
export const CANARY_KEY = 'canary-key-7f3b/19+c2=e8';

/** Longer than any signal is held back, milliseconds. */
const QUIET_MS = 600;

interface DeskOptions {
  readonly files?: Readonly<Record<string, FileSpec>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly simulator?: SimulatorOptions;
}

/** A desk as a host creates it, with settings from a file and with a window; stopped at the end of the test. */
export async function startRpcDesk(
  context: Pick<TestContext, 'onTestFinished'>,
  { files = {}, settings = {}, simulator: options = {} }: DeskOptions = {},
) {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'vms-rpc-')));
  const root = join(home, 'exports');
  const kept = await makeUnsyncedFolder('vms-rpc-');
  const dataDir = join(kept, 'data');
  const settingsFile = join(home, 'config.json');
  const apiKeyPath = join(home, 'canary-key-file.txt');
  await mkdir(root);
  await writeFile(apiKeyPath, CANARY_KEY, { mode: 0o600 });
  const simulator = await startSimulator({ apiKey: CANARY_KEY, ...options });
  const write = (path: string, spec: FileSpec) => writeSpec(join(home, 'staging'), join(root, path), spec);
  for (const [path, spec] of Object.entries(files)) await write(path, spec);
  const watch = [{ path: 'exports', settleSeconds: 0.1 }];
  const config = { baseUrl: simulator.baseUrl, apiKeyFile: 'canary-key-file.txt', watch, ...settings };
  await writeFile(settingsFile, JSON.stringify(config));

  const clock = createSystemClock();
  const logs: string[] = [];
  const logger = createLogger({
    level: 'debug',
    format: 'json',
    write: (line) => void logs.push(line),
    clock,
    // Redaction is off here: a secret that is missing from the lines was never given to the logger
    rules: () => ({ secrets: [], homeDir: '/nowhere' }),
  });
  const loaded = await loadSettings(settingsFile);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const agent = createAgent(
    { settings: loaded.value.settings, settingsFile, dataDir, version: '0.0.0' },
    { clock, logger, secrets: createKeyFileSecrets({ apiKeyPath }), threads: sharedThreads },
  );
  const signals: AgentSignal[] = [];
  agent.signals.on((signal) => void signals.push(agentSignalSchema.parse(structuredClone(signal))));
  const replies: unknown[] = [];
  const transport = memoryTransport(agent);
  const caller = createCaller(async (request) => {
    const reply = await transport(request);
    replies.push(reply);
    return reply;
  });
  context.onTestFinished(async () => {
    simulator.faults.clear();
    await agent.stop();
    await simulator.stop();
    for (const folder of [home, kept]) await rm(folder, { recursive: true, force: true });
  });

  return {
    agent,
    call: caller.call,
    simulator,
    root,
    dataDir,
    settingsFile,
    signals,
    replies,
    logs,
    write,
    /** The signals of one kind so far. */
    heard: <K extends AgentSignal['kind']>(kind: K) =>
      signals.filter((signal): signal is Extract<AgentSignal, { kind: K }> => signal.kind === kind),
    until: (fact: () => unknown, what?: string) => eventually(fact, what),
    /** Waits until no more signals arrive; combined signals have been sent by then. */
    async untilQuiet(): Promise<void> {
      let heard: number;
      do {
        heard = signals.length;
        await clock.sleep(QUIET_MS);
      } while (signals.length > heard);
    },
    start: () => agent.start(),
    /** Starts, and waits until the service has everything. */
    async startAndSettle(): Promise<void> {
      await agent.start();
      expect(await agent.untilIdle(AbortSignal.timeout(50_000))).toBeUndefined();
    },
  };
}
