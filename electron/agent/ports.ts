import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { Failure } from '../../shared/domain/failure.ts';
import type { ThumbnailAnswer } from '../../shared/domain/thumbnail-answer.ts';
import type { Result } from '../../shared/lib/result.ts';

/** Time and randomness. Tests replace them to control everything that waits or is random. */
export interface Clock {
  /** Wall clock, milliseconds since 1970-01-01 UTC. Can jump; only for records and dates. */
  now(): number;
  /** Monotonic milliseconds from an arbitrary start. For durations, deadlines and settling. */
  monotonic(): number;
  /** Resolves after `delayMs`; rejects with the signal's reason when it is aborted first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
  /**
   * Calls `work` after `delayMs`, at most 24 days, unless the returned function is called first. For limits that are
   * hardly ever reached: nothing is thrown when one is cancelled.
   */
  after(delayMs: number, work: () => void): () => void;
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

/** How a key store of the host keeps its key, for the settings view. */
export interface KeptKey {
  /** `memory`: until the program ends, because there is no trustworthy place to store it. */
  readonly keptIn: 'keyStore' | 'memory';
  /** Name of what encrypts it, as people know it: "Keychain", "GNOME Keyring"; missing when it is kept in memory. */
  readonly keeperName?: string;
  /** True where other programs of the same account are kept away from it too, not only other accounts. */
  readonly isGuardedFromPrograms?: boolean;
}

/** A key store of the host. It is used while the settings name no `apiKeyFile`; nothing here ever logs the key. */
export interface KeyKeeper {
  /** Stores a key, checked already, in place of any other; `apiKey` returns it from then on. Errors: KEY_STORE. */
  store(key: string): Promise<Result<void, Failure>>;
  /** Deletes the stored key and forgets it in memory too; no key is no error. Errors: KEY_STORE. */
  forget(): Promise<Result<void, Failure>>;
  /** How the key is kept, or would be when there is none yet. */
  describe(): Promise<KeptKey>;
}

/** The service that a key may be sent to: the one it was given for, and no other unless a person says so. */
export interface KeyOrigins {
  /** Undefined: the key may be sent to this origin; the first one asked for becomes its own. Otherwise KEY_ORIGIN. */
  check(key: string, origin: string): Promise<Failure | undefined>;
  /** By a person's decision, the key goes to this origin from now on, and to no other. Errors: KEY_ORIGIN. */
  trust(key: string, origin: string): Promise<Result<void, Failure>>;
}

/** Where the API key is kept. Read again after the service refused it, so that a replaced key is picked up. */
export interface Secrets {
  /** The key, or undefined when none is stored. Rejects with a `Failure`-carrying error when it cannot be read. */
  apiKey(): Promise<string | undefined>;
  /**
   * Called by the agent with the key file that its settings name (absolute), at each start and after a key was stored:
   * `apiKey` reads that one from then on. Undefined: none is named, and the key comes from the keeper or from the
   * host's own place.
   */
  useFile?(apiKeyFile: string | undefined): void;
  /**
   * `name:password` for the forward proxy, from the file (absolute) that the settings name for it; read at each call.
   * Rejects with a `Failure`-carrying error, PROXY_AUTH, when it cannot be read.
   */
  proxyCredentials?(file: string): Promise<string>;
  /** Without it the key goes wherever the settings say; every host has it. */
  readonly origins?: KeyOrigins;
  /** The host's own key store, where it has one. */
  readonly keeper?: KeyKeeper;
}

/** The bytes of one clip: the very version that the queue knows. */
export interface ClipSource {
  /** Bytes of the whole clip. */
  readonly sizeBytes: number;
  /**
   * The bytes from `start` up to, but not including, `end`, cut off at the end of the clip; one read at a time. Rejects
   * with a `Failure`-carrying error, such as FILE_CHANGED, and with the signal's reason.
   */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** Makes thumbnails of clips whose export has none. The host isolates the agent from decoders of foreign files. */
export interface ThumbnailMaker {
  /** A thumbnail, or why there is none; one clip at a time. Rejects with the signal's reason, or for bugs. */
  make(source: ClipSource, signal: AbortSignal): Promise<ThumbnailAnswer>;
}

/** Where worker threads come from, so that successive agents in one process can share them. */
export interface WorkerThreads {
  /** A thread that runs `entry` under these limits, with no listeners: new, or given back clean before. */
  take(entry: URL, options?: WorkerOptions): Worker;
  /**
   * Takes a thread back. `isClean`: no request is open and the thread keeps no state, so another caller may have it;
   * any other thread is ended. Resolves when the thread has ended or is ready again.
   */
  giveBack(worker: Worker, isClean: boolean): Promise<void>;
}

/** Where the key is kept with which this desk signs. */
export interface SigningKeyStore {
  /** The key as it was stored; undefined when there is none. Rejects with a `Failure`-carrying error, KEY_STORE. */
  load(): Promise<string | undefined>;
  /** Stores a key in place of any other. Errors: KEY_STORE. */
  store(key: string): Promise<Result<void, Failure>>;
  /** `file`: one that only its owner can read. */
  keptIn(): Promise<SigningKeyPlace>;
}

/** Where a signing key is kept. */
export type SigningKeyPlace = 'keyStore' | 'file';

/** The system's own log: the journal, the unified log, the Event Log. */
export interface SystemLog {
  /** As people know it. */
  readonly name: string;
  /** Writes a line; false when the system did not accept it. */
  write(line: string): Promise<boolean>;
  /** What this account wrote there under this program's name, as one text; undefined if it cannot be read. */
  read(): Promise<string | undefined>;
}

/** What the agent needs from its host; everything else is real, in tests too. */
export interface Ports {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly secrets: Secrets;
  /** Without it, clips only have the thumbnails that come with their exports. */
  readonly thumbnails?: ThumbnailMaker;
  /** Without it, the key that the desk signs with is a file in the data directory. */
  readonly signingKey?: SigningKeyStore;
  /** Prints a page, given as a file, as PDF; undefined when it could not. Without it, reports are only pages. */
  readonly printPdf?: (htmlFile: string) => Promise<Uint8Array | undefined>;
  /** Without it, the head of the chain is only kept in the data directory. */
  readonly systemLog?: SystemLog;
  /** Whether the PC runs on battery; missing if the host cannot tell. */
  readonly isOnBattery?: () => boolean;
  /** Without it, every thread is started when it is needed and ended when it is given back. */
  readonly threads?: WorkerThreads;
}
