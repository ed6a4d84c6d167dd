import { EventEmitter } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Failure, FailureCode } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import { noPolicy, type Policy } from '../../../electron/agent/settings/policy/policy.ts';
import { AgentEvents } from '../../../electron/agent/events.ts';
import type { AskPerson } from '../../../electron/cli/ask-person.ts';
import type { Agent, Progress } from '../../../electron/agent/agent.ts';
import type { PushRequest } from '../../../electron/agent/files/watched-root.ts';
import type { AgentConfig } from '../../../electron/agent/settings/agent-config.ts';
import { noProgress } from '../../../electron/agent/index.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { removeSecrets } from '../../../electron/agent/core/text/redact.ts';
import type { Host, PortOptions } from '../../../electron/cli/host.ts';
import { createOutput } from '../../../electron/cli/output.ts';
import { listenForStop } from '../../../electron/cli/stop-signals.ts';

export const idle: Progress = noProgress;

export const failure = (code: FailureCode): Failure => ({
  code,
  message: `${code} happened.`,
  advice: 'Do something.',
  retryable: false,
});

/** An agent that does what a test tells it to; `calls` says what was asked of it. */
export function createFakeAgent(script: Partial<Agent> & { readonly progressNow?: () => Progress } = {}) {
  const calls: string[] = [];
  const pushed: PushRequest[] = [];
  const events = new AgentEvents();
  const agent: Agent = {
    events,
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
    locateClip: () => Promise.reject(new Error('The command line shows no clips')),
    untilIdle: (signal) => {
      calls.push('untilIdle');
      return script.untilIdle?.(signal) ?? Promise.resolve(undefined);
    },
  };
  return { agent, events, calls, pushed };
}

interface HostOptions {
  readonly columns?: number;
  readonly askPerson?: AskPerson;
  readonly policy?: Result<Policy, readonly Failure[]>;
}

/** A host with real output, clock and signals' logic over strings and an emitter, in a folder of its own; `null` settings: there is no file. */
export async function createFakeHost(
  agent: Agent,
  settings: unknown = { baseUrl: 'https://api.example.com' },
  { columns, askPerson, policy = ok(noPolicy) }: HostOptions = {},
) {
  const folder = await mkdtemp(join(tmpdir(), 'cli-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (settings !== null) await writeFile(join(folder, 'vms-export-agent.json'), JSON.stringify(settings));
  const written = { stdout: '', stderr: '' };
  const signals = new EventEmitter();
  const exits: number[] = [];
  const made: { configs: AgentConfig[]; ports: PortOptions[] } = { configs: [], ports: [] };
  const clock = createSystemClock();
  const host: Host = {
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
    places: { platform: 'linux', environment: {}, homeDir: join(folder, 'home'), workingDir: folder },
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
    askPerson,
    onInputLine: (listener, signal) => {
      signals.on('line', listener);
      signal.addEventListener('abort', () => signals.off('line', listener), { once: true });
    },
    listenForStop: () => listenForStop(signals, (code) => exits.push(code)),
  };
  const jsonLines = (): Record<string, unknown>[] =>
    written.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { host, folder, written, signals, exits, made, jsonLines };
}
