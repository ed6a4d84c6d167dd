import { resolve } from 'node:path';
import type { Failure } from '../../shared/domain/failure.ts';
import type { Result } from '../../shared/lib/result.ts';
import { defaultDataDir, locateConfig, type Places } from '../agent/config/default-places.ts';
import { loadSettings, type LoadedSettings } from '../agent/config/load-settings.ts';
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

/** Reads the configuration that the command names, or the one at its usual place. */
export async function loadConfig(
  options: CommonOptions,
  host: Host,
): Promise<Result<LoadedSettings, readonly Failure[]>> {
  const file = await locateConfig(options.config, host.places);
  return loadSettings(resolve(host.places.workingDir, file));
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
export function agentConfig(loaded: LoadedSettings, options: CommonOptions, host: Host): AgentConfig {
  return {
    settings: loaded.settings,
    settingsFile: loaded.configPath,
    dataDir: dataDirOf(options, host),
    version: host.version,
  };
}
