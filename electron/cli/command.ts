import type { LogLevel } from '../agent/log/create-logger.ts';
import type { Topic } from './command-names.ts';
import type { TeamCommand } from './team/team-command.ts';

/** Options of the commands that know the queue. */
export interface CommonOptions {
  readonly config?: string;
  readonly dataDir?: string;
}

/** `run`: watches and uploads, until it is stopped or, with `once`, until all is settled. */
export interface RunCommand extends CommonOptions {
  readonly kind: 'run';
  readonly once: boolean;
  readonly console: number | 'off' | undefined;
  /** A try-out: the service is a simulated one. Said by the demo alone, so no help names it. */
  readonly demo?: true;
  readonly logLevel: LogLevel;
  readonly json: boolean;
}

/** `push`: each folder an incident. */
export interface PushCommand extends CommonOptions {
  readonly kind: 'push';
  readonly folders: readonly string[];
  readonly title?: string;
  readonly description?: string;
  /** ISO 8601, UTC with milliseconds. */
  readonly incidentAt?: string;
  readonly json: boolean;
}

/** `status`: what is in the queue. */
export interface StatusCommand extends CommonOptions {
  readonly kind: 'status';
  readonly json: boolean;
}

/** `retry`: failed clips back into the queue. */
export interface RetryCommand extends CommonOptions {
  readonly kind: 'retry';
  readonly target: RetryTarget;
}

/** Which clips are tried again; `id` is that of an incident or of a clip. */
export type RetryTarget = { readonly kind: 'all' } | { readonly kind: 'id'; readonly id: string };

/** `check`: one line for each thing that must be right. */
export interface CheckCommand extends CommonOptions {
  readonly kind: 'check';
  readonly json: boolean;
}

/** What the command line asked for. */
export type Command =
  | RunCommand
  | PushCommand
  | StatusCommand
  | RetryCommand
  | CheckCommand
  | TeamCommand
  | { readonly kind: 'help'; readonly about?: Topic }
  | { readonly kind: 'version' };

/** A command line that cannot be understood. */
export interface UsageError {
  readonly message: string;
  readonly advice?: string;
  readonly about?: Topic;
}
