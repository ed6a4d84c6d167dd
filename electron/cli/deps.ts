import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Failure } from '../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import {
  CONFIG_NAME,
  defaultConfigFile,
  defaultDataDir,
  type Places,
  loadSettings,
  loadSettingsOrDefaults,
  type LoadedSettings,
} from '../agent/settings/load-settings.ts';
import { proxyVariables } from '../agent/core/settings/choose-proxy.ts';
import { notSetUp } from '../agent/core/settings/check-connection.ts';
import type {
  Agent,
  AgentConfig,
  checkConnection,
  Clock,
  connectTeam,
  explainForDesk,
  Logger,
  Ports,
  Policy,
  readStatus,
  readSummary,
  leaveOutClips,
  retryClips,
  answerStoredRoot,
  TeamConnection,
} from '../agent/index.ts';
import type { StoredProof } from '../agent/calls/stored-proof.ts';
import type { LogLevel } from '../agent/log/create-logger.ts';
import type { Output } from './output.ts';
import type { StopRequest } from './exit-codes.ts';

/**
 * Dependencies of commands. electron/headless-program.ts supplies the process and the agent; tests supply their own.
 */
export interface Deps {
  readonly version: string;
  readonly places: Places;
  readonly clock: Clock;
  readonly output: Output;
  /** Undefined if nobody can answer: stdin or stderr is not a terminal. */
  readonly prompt: Prompt | undefined;
  /** Reads all of stdin as text. Rejects with `UsageError` if it is too long. */
  readonly readInput: () => Promise<string>;
  /** Calls `listener` with each line on stdin, from a person or a program, until the signal is aborted. */
  readonly onInputLine: (listener: (line: string) => void, signal: AbortSignal) => void;
  /** Starts to listen for signals; the caller disposes of the result. */
  readonly listenForStop: () => StopRequest;
  readonly createPorts: (options: PortOptions) => Ports;
  /** Reads the policy of this PC and that of its signed address, a copy of which is kept in the data directory. */
  readonly readPolicy: (dataDir: string) => Promise<Result<Policy, readonly Failure[]>>;
  readonly createAgent: (config: AgentConfig, ports: Ports) => Agent | Promise<Agent>;
  readonly connectTeam: (...by: Parameters<typeof connectTeam>) => TeamConnection | Promise<TeamConnection>;
  readonly checkConnection: typeof checkConnection;
  /** Why an agent would not start in this data directory. */
  readonly refuseDataDir: (dataDir: string) => Promise<Failure | undefined>;
  readonly readStatus: typeof readStatus;
  readonly readSummary: typeof readSummary;
  readonly leaveOutClips: typeof leaveOutClips;
  readonly retryClips: typeof retryClips;
  readonly explainForDesk: typeof explainForDesk;
  readonly answerStoredRoot: typeof answerStoredRoot;
  /** Custody packs and checks of them, of the chain and of stored clips. */
  readonly proof: StoredProof;
  readonly startConsole: StartConsole;
}

/** Asks a person at a terminal. Resolves with undefined if the input ended or a signal arrived. */
export type Prompt = (question: string, signal: AbortSignal) => Promise<string | undefined>;

/** Starts the web console over an agent. Errors: PORT_IN_USE, PAGES_MISSING. */
export type StartConsole = (options: {
  readonly port: number;
  readonly agent: Pick<Agent, 'call' | 'noteSignIn' | 'playClip' | 'signals'>;
  readonly clock: Clock;
  readonly logger: Logger;
}) => Promise<Result<OpenConsole, Failure>>;

/** A running console. */
export interface OpenConsole {
  readonly origin: string;
  /** Returns a new address that opens the console once, within a minute. */
  createLaunchUrl(): string;
  stop(): Promise<void>;
}

/** Options for the ports of one command. */
export interface PortOptions {
  readonly logLevel: LogLevel;
  readonly logFormat: 'json' | 'text';
  readonly apiKeyPath?: string;
  /** Where the key's origin is recorded if nothing can be written beside its file. */
  readonly dataDir?: string;
}

/** Where a command finds its configuration and its queue; undefined: the default location. */
export interface ConfigOptions {
  readonly config?: string | undefined;
  readonly dataDir?: string | undefined;
}

/** The settings of a command, and the policy applied to them. */
export interface LoadedConfig extends LoadedSettings {
  readonly policy: Policy;
}

/** Shown for a configuration whose `watch` is empty. */
export const NOTHING_WATCHED =
  'No folder is watched: only folders added by hand, for example with "push", are sent.';

/** How much must be set up: the service, a configuration file, or nothing because someone is setting up this PC. */
type RequiredSetup = 'service' | 'configuration' | 'nothing';

/** Reads the given or default configuration and applies the policy of this PC. */
export async function loadConfig(
  options: ConfigOptions,
  deps: Deps,
  required: RequiredSetup = 'service',
): Promise<Result<LoadedConfig, readonly Failure[]>> {
  const { places, readPolicy, output } = deps;
  const policy = await readPolicy(dataDirOf(options, deps));
  if (!policy.ok) return policy;
  if (options.config === undefined) await warnOfOther(places, output);
  const file = resolve(places.workingDir, options.config ?? defaultConfigFile(places));
  // A policy can set everything that a configuration file would
  const mayBeMissing = required === 'nothing' || policy.value.places.length > 0;
  const loaded = await (mayBeMissing ? loadSettingsOrDefaults : loadSettings)(file, policy.value);
  if (!loaded.ok) return loaded;
  if (required === 'service' && loaded.value.settings.baseUrl === undefined) return err([notSetUp]);
  return ok({ ...loaded.value, policy: policy.value });
}

/** Warns about a configuration in the working directory, which earlier versions used: it is now ignored. */
async function warnOfOther(places: Places, output: Output): Promise<void> {
  const other = resolve(places.workingDir, CONFIG_NAME);
  if (other === defaultConfigFile(places)) return;
  const isThere = await access(other).then(
    () => true,
    () => false,
  );
  if (isThere) output.note(`The configuration ${other} is not used. To use it, add --config ${CONFIG_NAME}.`);
}

/** The given or default data directory. */
export function dataDirOf({ dataDir }: ConfigOptions, { places }: Deps): string {
  return dataDir === undefined ? defaultDataDir(places) : resolve(places.workingDir, dataDir);
}

/** Creates the ports of a command with these settings. */
export function portsFor(
  { apiKeyPath }: LoadedSettings,
  deps: Deps,
  { logLevel, json, ...place }: ConfigOptions & { readonly logLevel: LogLevel; readonly json: boolean },
): Ports {
  const logFormat = json ? 'json' : 'text';
  const dataDir = dataDirOf(place, deps);
  return deps.createPorts({ logLevel, logFormat, dataDir, ...(apiKeyPath !== undefined && { apiKeyPath }) });
}

/** The configuration of an agent from settings and options. */
export function agentConfig(loaded: LoadedConfig, options: ConfigOptions, deps: Deps): AgentConfig {
  return {
    settings: loaded.settings,
    settingsFile: loaded.configPath,
    policy: loaded.policy,
    dataDir: dataDirOf(options, deps),
    proxyVariables: proxyVariables(deps.places.environment),
    version: deps.version,
  };
}
