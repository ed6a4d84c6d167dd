import type { Failure } from '../../shared/domain/failure.ts';
import type { Result } from '../../shared/lib/result.ts';
import type { Places } from '../agent/settings/default-places.ts';
import type { AgentConfig, Clock, Ports, TeamConnection } from '../agent/index.ts';
import type { IncidentView } from '../agent/calls/read-status.ts';
import type { RetryTarget } from './command.ts';
import type { StartConsole } from './open-console.ts';

/** A queue that pauses as a whole. */
export interface CircuitStatus {
  readonly circuit: string;
  readonly code: string;
  readonly message: string;
  readonly advice?: string;
}

/** What is in a data directory. */
export interface StatusView {
  readonly incidents: readonly IncidentView[];
  /** The circuits that are paused. */
  readonly circuits: readonly CircuitStatus[];
}

/** Reads the queue of a data directory, whether an agent owns it now or not. */
export type ReadStatus = (dataDir: string) => Promise<Result<StatusView, Failure>>;

/** Puts failed clips back; `skipped` are those that cannot succeed by being tried again. */
export type RetryClips = (
  dataDir: string,
  target: RetryTarget,
  clock: Pick<Clock, 'now' | 'sleep'>,
) => Promise<Result<{ readonly retried: number; readonly skipped: number }, Failure>>;

/** What `check` looks at, in its order. */
export const checkNames = [
  'config',
  'policy',
  'data',
  'key',
  'address',
  'tls',
  'service',
  'permission',
  'clock',
  'folders',
] as const;
/** One of `checkNames`. */
export type CheckName = (typeof checkNames)[number];

/** One thing that was looked at. `text` is a sentence; `failure` tells the rest when it is not as it must be. */
export interface CheckLine {
  readonly name: CheckName;
  readonly state: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly text: string;
  readonly failure?: Failure;
}

/** Tests the connection: lines `address`, `tls`, `service`, `permission` and `clock`. Never rejects for trouble. */
export type CheckConnection = (config: AgentConfig, ports: Ports) => Promise<readonly CheckLine[]>;
/** Looks at the watched folders: present, readable, allowed, not inside each other. */
export type CheckFolders = (
  config: AgentConfig,
  clock: Clock,
  places: Pick<Places, 'platform' | 'homeDir'>,
) => Promise<readonly CheckLine[]>;
/** Looks at the data directory: can it be used, does another instance own it. */
export type CheckDataDir = (dataDir: string) => Promise<CheckLine>;

/** Connects to the service for periods, messages and users; nothing is opened before the first call. */
export type ConnectTeam = (config: AgentConfig, ports: Ports) => TeamConnection;

/** What the commands need from the agent beside running it. */
export interface AgentNeeds {
  readonly readStatus: ReadStatus;
  readonly retryClips: RetryClips;
  readonly checkConnection: CheckConnection;
  readonly checkFolders: CheckFolders;
  readonly checkDataDir: CheckDataDir;
  readonly connectTeam: ConnectTeam;
  readonly startConsole: StartConsole;
}
