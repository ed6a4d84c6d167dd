import { resolve } from 'node:path';
import type { Failure } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { defaultDataDir, locateConfig, type Places } from '../agent/config/default-places.ts';
import { loadSettings, loadSettingsOrDefaults, type LoadedSettings } from '../agent/config/load-settings.ts';
import type { Policy } from '../agent/config/policy/policy.ts';
import { proxyVariables } from '../agent/core/choose-proxy.ts';
import { notSetUp } from '../agent/core/missing-setup.ts';
import type { Agent, AgentConfig, Clock, Ports } from '../agent/index.ts';
import type { LogLevel } from '../agent/log/create-logger.ts';
import type { AskPerson } from './ask-person.ts';
import type { CommonOptions } from './command.ts';
import type { Output } from './output.ts';
import type { StopRequest } from './stop-signals.ts';

/** What commands get from the program around them. */
export interface Host {
  readonly output: Output;
  readonly clock: Clock;
  readonly version: string;
  readonly places: Places;
  readonly createAgent: (config: AgentConfig, ports: Ports) => Agent;
  /** The policy of this PC. */
  readonly readPolicy: () => Promise<Result<Policy, readonly Failure[]>>;
  readonly createPorts: (options: PortOptions) => Ports;
  /** Undefined where nobody can answer: input or notes are no terminal. */
  readonly askPerson: AskPerson | undefined;
  /** Calls back with each line that is typed, or written by a program, until the signal is aborted. */
  readonly onInputLine: (listener: (line: string) => void, signal: AbortSignal) => void;
  /** Begins to listen for signals; the caller disposes. */
  readonly listenForStop: () => StopRequest;
}

/** What the ports of one command depend on. */
export interface PortOptions {
  readonly logLevel: LogLevel;
  readonly logFormat: 'json' | 'text';
  readonly apiKeyPath?: string;
}

/** What a command works with: its settings, and the policy that they follow. */
export interface LoadedConfig extends LoadedSettings {
  readonly policy: Policy;
}

/** How much has to be there: a service; a configuration at least; or nothing, where someone sets the desk up. */
export type ConfigNeed = 'service' | 'configuration' | 'nothing';

/** Reads the configuration that the command names, or the one at its usual place, under the policy of this PC. */
export async function loadConfig(
  options: CommonOptions,
  host: Host,
  need: ConfigNeed = 'service',
): Promise<Result<LoadedConfig, readonly Failure[]>> {
  const policy = await host.readPolicy();
  if (!policy.ok) return policy;
  const file = resolve(host.places.workingDir, await locateConfig(options.config, host.places));
  // A policy can say all that a configuration would
  const mayBeMissing = need === 'nothing' || policy.value.places.length > 0;
  const loaded = await (mayBeMissing ? loadSettingsOrDefaults : loadSettings)(file, policy.value);
  if (!loaded.ok) return loaded;
  if (need === 'service' && loaded.value.settings.baseUrl === undefined) return err([notSetUp]);
  return ok({ ...loaded.value, policy: policy.value });
}

/** The data directory that the command names, or the usual one. */
export function dataDirOf(options: CommonOptions, { places }: Host): string {
  return options.dataDir === undefined ? defaultDataDir(places) : resolve(places.workingDir, options.dataDir);
}

/** The ports of a command with these settings. */
export function portsFor(
  loaded: LoadedSettings,
  host: Host,
  { logLevel, json }: { readonly logLevel: LogLevel; readonly json: boolean },
): Ports {
  return host.createPorts({
    logLevel,
    logFormat: json ? 'json' : 'text',
    ...(loaded.apiKeyPath !== undefined && { apiKeyPath: loaded.apiKeyPath }),
  });
}

/** The settings with their data directory, as the agent takes them. */
export function agentConfig(loaded: LoadedConfig, options: CommonOptions, host: Host): AgentConfig {
  return {
    settings: loaded.settings,
    settingsFile: loaded.configPath,
    policy: loaded.policy,
    dataDir: dataDirOf(options, host),
    proxyVariables: proxyVariables(host.places.environment),
    version: host.version,
  };
}
