import type { Failure } from '../../../../shared/domain/failure.ts';
import { assertNever, err, ok, type Result } from '../../../../shared/lib/result.ts';
import { isHandleShortage } from '../../core/failures/upload-failure.ts';
import type { Clock, WorkerThreads } from '../../ports.ts';
import { fileChanged, fileFailureNamed } from '../file-failures.ts';
import { ownThreads } from '../own-threads.ts';
import { DEADLINE_MS } from '../root-gate.ts';
import { rootHung } from '../root-failures.ts';
import type { HashAnswer, HashSums } from './hash-engine.ts';
import { createHashThread, type HashThread, type HungAnswer } from './hash-thread.ts';
import { memoryOf } from './shared-memory.ts';

/** Threads by default: one reads whole files in order, the other their parts. */
const DEFAULT_THREADS = 2;
/** Idle threads end after this long, milliseconds. */
const IDLE_MS = 30_000;
/** How long one thread does all the work after handles ran out, milliseconds. */
const ONE_THREAD_MS = 5 * 60_000;
/** How long a stop waits for threads, milliseconds: one that hangs in a dead share cannot be ended. */
const STOP_DEADLINE_MS = 2000;

/** An open file to hash. Close it only after every promise about it has settled. */
export interface HashSource {
  readonly fd: number;
  /** Its name in messages. */
  readonly name: string;
  /** Its bytes, if already read into a buffer of `createSharedBuffer`; the file is then not read. */
  readonly held?: Uint8Array;
}

/** A range to hash. */
export interface HashPartRequest {
  readonly source: HashSource;
  readonly offset: number;
  readonly length: number;
  /** SHA-256 (default true). */
  readonly sha256?: boolean;
  readonly md5: boolean;
  /** CRC-32, to compare with what was sent where the etag is no MD5 (default false). */
  readonly crc32?: boolean;
  /** Hash held bytes in another thread than the one that reads whole files, which continues meanwhile. */
  readonly beside?: boolean;
}

/** The sums of a range, in hex. `sha256` is empty if not requested; `crc32` is as `zlib.crc32` returns it. */
export interface PartHash {
  readonly sha256: string;
  readonly md5?: string;
  readonly crc32?: number;
  readonly sizeBytes: number;
}

/** How far a whole file has been hashed. */
export interface Advanced {
  /** Of everything from the first byte on, in hex. */
  readonly sha256: string;
  /** Of the bytes that were added, if requested. */
  readonly crc32?: number;
}

interface AdvanceOptions {
  readonly crc32?: boolean;
  /**
   * Shared memory of the size of what is added; the hashed bytes are left in it. A hung thread may still write into it
   * after the answer.
   */
  readonly into?: Uint8Array;
  readonly signal?: AbortSignal | undefined;
}

/** SHA-256 of a file from its first byte, advanced step by step. Its state lives in a thread until `close`. */
export interface WholeHash {
  /** Continues up to `toOffset`. One call at a time. */
  advance(toOffset: number, options?: AdvanceOptions): Promise<Result<Advanced, Failure>>;
  /** The sum of everything hashed so far, in hex. */
  digest(): Promise<Result<string, Failure>>;
  /** Discards the state. The only valid call after a failed or aborted `advance`. */
  close(): void;
}

/** Hashes in worker threads, so that the main loop stays free. */
export interface HashPool {
  /** Errors: FILE_CHANGED (the file ends before the range), FILE_READ and its like, ROOT_HUNG, CANCELLED. */
  hashPart(request: HashPartRequest, signal?: AbortSignal): Promise<Result<PartHash, Failure>>;
  /** Starts the thread that reads whole files: it takes as long to start as the service to answer. */
  warmUp(): void;
  /** Begins the hash of a whole file at its first byte. */
  wholeHash(source: HashSource): WholeHash;
  /** Ends the threads; requests under way end as CANCELLED. */
  stop(): Promise<void>;
}

/** Settings of the pool. */
export interface HashPoolOptions {
  readonly clock: Clock;
  /** Root whose files are hashed; named in the failure when a thread hangs. */
  readonly rootPath: string;
  readonly workers?: WorkerThreads;
  readonly threads?: number;
  readonly idleMs?: number;
}

/** Makes a pool; threads start when they are first needed. */
export function createHashPool(options: HashPoolOptions): HashPool {
  const threads = Array.from({ length: options.threads ?? DEFAULT_THREADS }, () =>
    createHashThread(options.workers ?? ownThreads, options.clock),
  );
  const openStreams = new Set<number>();
  let lastStream = 0;
  let oneThreadUntilMs = -Infinity;
  let stayAwake: (() => void) | undefined;

  async function busy(
    source: HashSource,
    asking: Promise<HashAnswer | HungAnswer>,
  ): Promise<Result<HashSums, Failure>> {
    stayAwake?.();
    try {
      return resultOf(await asking, source, options.rootPath);
    } finally {
      stopWhenIdle();
    }
  }

  function stopWhenIdle(): void {
    stayAwake?.();
    if (openStreams.size > 0 || threads.some((thread) => thread.pendingCount > 0)) return;
    stayAwake = options.clock.after(options.idleMs ?? IDLE_MS, () => void stopThreads(threads));
  }

  async function hashPart(
    request: HashPartRequest,
    signal?: AbortSignal,
  ): Promise<Result<PartHash, Failure>> {
    const { source, offset, length, sha256 = true, md5, crc32 = false, beside = false } = request;
    const whole = wholeThread(threads);
    const { fd, held } = source;
    // Held bytes were read by that thread a moment ago, and may still be in the processor's cache
    const isOne = (held !== undefined && !beside) || options.clock.monotonic() < oneThreadUntilMs;
    const thread = isOne ? whole : partThread(threads);
    const place =
      held === undefined ? { offset } : { offset: held.byteOffset + offset, held: memoryOf(held) };
    const part = { kind: 'part', fd, ...place, length, sha256, md5, crc32 } as const;
    const ask = async (): Promise<HashAnswer | HungAnswer> => {
      const answer = await thread.ask(part, signal);
      if (answer.kind !== 'error' || !isHandleShortage(answer.name)) return answer;
      // Threads need handles too: for a while, one does all the work
      oneThreadUntilMs = options.clock.monotonic() + ONE_THREAD_MS;
      return thread !== whole && whole.isRunning ? whole.ask(part, signal) : answer;
    };
    const sums = await busy(source, ask());
    if (!sums.ok) return sums;
    return ok({ ...sums.value, sha256: sums.value.sha256 ?? '', sizeBytes: length });
  }

  function wholeHash(source: HashSource): WholeHash {
    const thread = wholeThread(threads);
    const stream = ++lastStream;
    openStreams.add(stream);
    let offset = 0;
    return {
      async advance(toOffset, { crc32 = false, into, signal } = {}) {
        const range = { fd: source.fd, offset, length: toOffset - offset, crc32 };
        const asking = thread.ask({ kind: 'advance', stream, ...range, ...(into && { into }) }, signal);
        offset = toOffset;
        const sums = await busy(source, asking);
        return sums.ok ? ok({ ...sums.value, sha256: sums.value.sha256 ?? '' }) : sums;
      },
      async digest() {
        const sums = await busy(source, thread.ask({ kind: 'digest', stream }));
        return sums.ok ? ok(sums.value.sha256 ?? '') : sums;
      },
      close() {
        if (!openStreams.delete(stream)) return;
        thread.forget(stream);
        stopWhenIdle();
      },
    };
  }

  return {
    warmUp() {
      wholeThread(threads).warmUp();
      stopWhenIdle();
    },
    hashPart,
    wholeHash,
    async stop() {
      stayAwake?.();
      await stopThreads(threads);
    },
  };
}

/** Hash threads by watched root: a hung share only blocks its own threads. */
export interface HashPools {
  of(rootPath: string): HashPool;
  stop(): Promise<void>;
}

/** Makes the pools; threads start when they are first needed and end when idle. */
export function createHashPools(clock: Clock, workers: WorkerThreads): HashPools {
  const pools = new Map<string, HashPool>();
  return {
    of(rootPath) {
      const pool = pools.get(rootPath) ?? createHashPool({ clock, workers, rootPath });
      pools.set(rootPath, pool);
      return pool;
    },
    async stop() {
      const deadline = new AbortController();
      const late = clock.sleep(STOP_DEADLINE_MS, deadline.signal).catch(() => undefined);
      await Promise.race([Promise.all([...pools.values()].map((pool) => pool.stop())), late]);
      deadline.abort();
    },
  };
}

async function stopThreads(threads: readonly HashThread[]): Promise<void> {
  await Promise.all(threads.map((thread) => thread.stop()));
}

/** The first thread reads whole files, the others parts: parts of one file stay together, which speeds up MD5. */
function wholeThread(threads: readonly HashThread[]): HashThread {
  const [first] = threads;
  if (first === undefined) throw new RangeError('A hash pool needs at least one thread');
  return first;
}

function partThread(threads: readonly HashThread[]): HashThread {
  const [second = wholeThread(threads), ...others] = threads.slice(1);
  return others.reduce((least, one) => (one.pendingCount < least.pendingCount ? one : least), second);
}

function resultOf(
  answer: HashAnswer | HungAnswer,
  source: HashSource,
  rootPath: string,
): Result<HashSums, Failure> {
  switch (answer.kind) {
    case 'sums':
      return ok(answer.sums);
    case 'short':
      return err(fileChanged(source.name, 'became shorter while it was being read'));
    case 'error':
      return err(fileFailureNamed(answer.name, source.name));
    case 'hung':
      return err(rootHung(rootPath, DEADLINE_MS));
    case 'alive':
      throw new Error('A ping was answered instead of a request for sums');
    case 'cancelled':
      return err(cancelled);
    default:
      return assertNever(answer);
  }
}

const cancelled: Failure = {
  code: 'CANCELLED',
  message: 'Hashing was stopped.',
  advice: 'Nothing to do: hashing restarts with the next attempt.',
  retryable: true,
};
