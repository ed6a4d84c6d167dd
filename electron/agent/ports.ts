/** Time and randomness, so that everything which waits or draws lots can be tested with a clock in hand. */
export interface Clock {
  /** Wall clock, milliseconds since 1970-01-01 UTC. Can jump; only for records and dates. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. For durations, deadlines and settling. */
  monotonic(): number;
  /** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
}

/** Fields of a log line: plain data, redacted at the sink. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log. Messages are constant sentences; what varies goes into the fields. Never secrets. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** The API key's place. Asked for again after the service refused it, so that a replaced key is picked up. */
export interface Secrets {
  /** The key, or undefined when none is stored. Rejects with a `Failure`-carrying error when it cannot be read. */
  apiKey(): Promise<string | undefined>;
}

/** What the agent needs from its host; everything else is real, in tests too. */
export interface Ports {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secrets: Secrets;
}
