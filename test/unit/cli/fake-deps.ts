import { refusalOf } from '../../../electron/agent/store/guard-data-dir.ts';
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { noPolicy, type Policy } from '../../../electron/agent/settings/policy/policy.ts';
import { AgentEvents } from '../../../electron/agent/events.ts';
import type { Agent, Progress } from '../../../electron/agent/agent.ts';
import type { PushRequest } from '../../../electron/agent/files/watched-root.ts';
import type { AgentConfig } from '../../../electron/agent/settings/load-settings.ts';
import { noProgress } from '../../../electron/agent/index.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { removeSecrets } from '../../../electron/agent/core/text/redact.ts';
import type { Prompt, Deps, PortOptions } from '../../../electron/cli/deps.ts';
import { createOutput } from '../../../electron/cli/output.ts';
import { listenForStop } from '../../../electron/cli/exit-codes.ts';

export const idle: Progress = noProgress;

export const failure = (code: FailureCode): Failure => ({
  code,
  message: `${code} happened.`,
  advice: 'Do something.',
  retryable: false,
});

/** An agent that a test scripts; `calls` records the calls it received. */
export function createFakeAgent(script: Partial<Agent> & { readonly progressNow?: () => Progress } = {}) {
  const calls: string[] = [];
  const pushed: PushRequest[] = [];
  const events = new AgentEvents();
  const agent: Agent = {
    events,
    ended: script.ended ?? new Promise(() => undefined),
    signals: { on: () => () => undefined },
    call: () => Promise.reject(new Error('The command line calls nothing')),
    start: () => {
      calls.push('start');
      return script.start?.() ?? Promise.resolve();
    },
    stop: () => {
      calls.push('stop');
      return script.stop?.() ?? Promise.resolve();
    },
    progress: () => script.progressNow?.() ?? idle,
    push: (requests) => {
      calls.push('push');
      pushed.push(...requests);
    },
    drain: () => Promise.resolve(),
    suspend: () => Promise.resolve(),
    resume: () => Promise.resolve(),
    noteSignIn: () => undefined,
    playClip: () => Promise.reject(new Error('The command line plays nothing')),
    locateClip: () => Promise.reject(new Error('The command line shows no clips')),
    untilIdle: (signal) => {
      calls.push('untilIdle');
      return script.untilIdle?.(signal) ?? Promise.resolve(undefined);
    },
  };
  return { agent, events, calls, pushed };
}

interface Options {
  readonly columns?: number;
  readonly prompt?: Prompt;
  /** The content of stdin. */
  readonly input?: string;
  readonly policy?: Result<Policy, readonly Failure[]>;
}

const unused = (): never => {
  throw new Error('not for this command');
};

/**
 * Deps in a folder of their own: real output, clock and signal logic over strings and an emitter. What a command asks
 * of the agent, other than to run, is scripted by the test. `null` settings: there is no file.
 */
export async function createFakeDeps(
  agent: Agent,
  settings: unknown = { baseUrl: 'https://api.example.com', watch: [{ path: 'exports' }] },
  { columns, prompt, policy = ok(noPolicy), input = '' }: Options = {},
) {
  const home = await mkdtemp(join(tmpdir(), 'cli-'));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  // Where commands look for a configuration
  const folder = join(home, 'vms-export-agent');
  await mkdir(folder);
  await mkdir(join(folder, 'exports'), { recursive: true });
  if (settings !== null) await writeFile(join(folder, 'vms-export-agent.json'), JSON.stringify(settings));
  const written = { stdout: '', stderr: '' };
  const signals = new EventEmitter();
  const exits: number[] = [];
  const made: { configs: AgentConfig[]; ports: PortOptions[] } = { configs: [], ports: [] };
  const clock = createSystemClock();
  const deps: Deps = {
    output: createOutput({
      stdout: {
        write: (text) => (written.stdout += text),
        ...(columns !== undefined && { isTTY: true, columns }),
      },
      stderr: { write: (text) => (written.stderr += text) },
      environment: {},
      clean: (text) => removeSecrets(text, []),
      removeKeys: (text) => text,
    }),
    clock,
    version: '1.2.3',
    places: {
      platform: 'linux',
      environment: { XDG_CONFIG_HOME: home },
      homeDir: join(folder, 'home'),
      workingDir: folder,
    },
    createAgent: (config) => {
      made.configs.push(config);
      return agent;
    },
    readPolicy: async () => policy,
    createPorts: (options) => {
      made.ports.push(options);
      const ignore = (): void => undefined;
      return {
        clock,
        logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
        secrets: { apiKey: () => Promise.resolve('key-12345678') },
      };
    },
    prompt,
    readInput: async () => input,
    onInputLine: (listener, signal) => {
      signals.on('line', listener);
      signal.addEventListener('abort', () => signals.off('line', listener), { once: true });
    },
    listenForStop: () => listenForStop(signals, (code) => exits.push(code)),
    connectTeam: unused,
    checkConnection: unused,
    readStatus: unused,
    readSummary: unused,
    leaveOutClips: unused,
    retryClips: unused,
    explainForDesk: unused,
    answerStoredRoot: unused,
    refuseDataDir: async (dataDir) => refusalOf(dataDir),
    proof: {
      note: async () => ok(undefined),
      makePacks: unused,
      verifyPack: unused,
      checkChain: unused,
      renewKey: unused,
      verifyIncident: unused,
    },
    startConsole: () => Promise.reject(new Error('no console was asked for')),
  };
  const jsonLines = (): Record<string, unknown>[] =>
    written.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { deps, folder, written, signals, exits, made, jsonLines };
}
