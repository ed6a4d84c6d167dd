import type { Failure } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { RateLimit } from './rate-limit.ts';
import type { Clock } from '../ports.ts';

/** Where the bytes of a body come from. */
export interface ByteSource {
  /** Fills `into` with `length` bytes from `position` on, or returns why the file cannot provide them. */
  readExactly(into: Uint8Array, length: number, position: number): Promise<Result<void, Failure>>;
}

/** The bytes of a range, in memory. */
export interface HeldBytes {
  readonly bytes: Uint8Array;
  /**
   * Called when the socket is given a piece of them: they must stay unchanged until the returned function is called.
   */
  use(): () => void;
}

/** A range of a file to send. */
export interface BodyRange {
  /** Held bytes are exactly those of the range. */
  readonly source: ByteSource | HeldBytes;
  readonly offset: number;
  readonly length: number;
  /** Where the buffers come from; not needed for held bytes. */
  readonly pool?: BufferPool;
  readonly limiter: Pick<RateLimit, 'take' | 'chunkBytes'>;
  readonly signal: AbortSignal;
}

/** One PUT: a range of a file to a signed URL that has been checked. */
export interface PutRequest extends BodyRange {
  readonly url: URL;
  /** Called with the size of each piece that the socket has accepted. */
  readonly onBytes?: (bytes: number) => void;
  /**
   * Whether computing the CRC-32 of what is sent is worth its time (default yes): an etag that is the MD5 proves more,
   * and held bytes are the bytes that were hashed.
   */
  readonly withCrc32?: boolean;
}

/** A piece of the body, in a buffer of the pool or in held bytes; released once the socket has accepted it. */
export interface BodyChunk {
  readonly bytes: Buffer;
  readonly isLast: boolean;
  release(): void;
}

/** Reads a body piece by piece, one piece ahead while the pool has a buffer to spare. */
export interface BodyReader {
  /** Rejects with the signal's reason if it is aborted while waiting for a buffer. */
  next(): Promise<Result<BodyChunk, Failure>>;
  /** Returns the buffer that was read ahead, once its read has ended. */
  dispose(): void;
}

/** Creates a reader. Call `next` until the last chunk, one call at a time. */
export function createBodyReader(range: BodyRange): BodyReader {
  const { source } = range;
  if ('bytes' in source) return heldBody(source, range.limiter);
  if (range.pool === undefined) throw new Error('A file can only be sent with buffers to read it into');
  return readBody(range, source, range.pool);
}

function heldBody({ bytes, use }: HeldBytes, limiter: BodyRange['limiter']): BodyReader {
  let position = 0;
  return {
    async next() {
      const from = position;
      position = Math.min(bytes.length, from + limiter.chunkBytes);
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset + from, position - from);
      return ok({ bytes: piece, isLast: position === bytes.length, release: use() });
    },
    dispose: () => undefined,
  };
}

function readBody(range: BodyRange, source: ByteSource, pool: BufferPool): BodyReader {
  const { limiter } = range;
  const end = range.offset + range.length;
  let position = range.offset;
  let ahead: Promise<Result<BodyChunk, Failure>> | undefined;
  let isDisposed = false;

  async function readInto(buffer: Buffer): Promise<Result<BodyChunk, Failure>> {
    const from = position;
    const bytes = buffer.subarray(0, Math.min(limiter.chunkBytes, end - from));
    position += bytes.length;
    const read = await source.readExactly(bytes, bytes.length, from);
    if (read.ok) {
      return ok({ bytes, isLast: from + bytes.length === end, release: () => pool.release(buffer) });
    }
    // A read that was abandoned because its share hangs may still fill it
    pool.drop(buffer);
    return read;
  }

  async function next(): Promise<Result<BodyChunk, Failure>> {
    const chunk = await (ahead ?? readInto(await pool.acquire(range.signal)));
    ahead = undefined;
    if (chunk.ok && !chunk.value.isLast && !isDisposed) {
      // Never waits for the second buffer: parts that each hold one and wait for another would deadlock
      const spare = pool.tryAcquire();
      if (spare !== undefined) ahead = readInto(spare);
    }
    return chunk;
  }

  return {
    next,
    dispose() {
      isDisposed = true;
      void ahead?.then((chunk) => chunk.ok && chunk.value.release());
      ahead = undefined;
    },
  };
}

/** URL_REFUSED if the signature covers a header whose value is unknown (service.md gap 8). */
export function refusedHeaders(url: URL): Failure | undefined {
  const signed = url.searchParams.get('X-Amz-SignedHeaders') ?? 'host';
  const unknown = signed
    .toLowerCase()
    .split(';')
    .filter((name) => name !== '' && name !== 'host' && name !== 'content-length');
  if (unknown.length === 0) return undefined;
  return {
    code: 'URL_REFUSED',
    message: `The upload URL for ${url.host} requires headers that the agent does not send: ${unknown.join(', ').slice(0, 100)}.`,
    advice: 'Ask the operator of the service to sign upload URLs for the host header only.',
    retryable: false,
  };
}

/** Size of one buffer, bytes (1 MiB): measured to be as fast as larger ones, 64 KiB takes twice the CPU. */
export const BUFFER_BYTES = 1024 * 1024;

/** How long unused buffers are kept, milliseconds: longer than the pause between two files. */
const IDLE_MS = 5_000;

/**
 * A bounded set of reused buffers, created when first needed and let go when none has been in use for a while. Those
 * that were let go are reused until they are garbage-collected, which may be minutes later: new ones would add to them.
 */
export interface BufferPool {
  /** Waits for a free buffer, first come first served; rejects with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<Buffer>;
  /** A free buffer if there is one now and nobody is waiting. */
  tryAcquire(): Buffer | undefined;
  /** Returns a buffer; to be called exactly once for each. */
  release(buffer: Buffer): void;
  /** Forgets a buffer instead of returning it, because something may still write into it. */
  drop(buffer: Buffer): void;
  /** Buffers that exist, in use or kept. */
  readonly size: number;
  /** Lets unused buffers go immediately; the pool can be used again afterwards. */
  stop(): void;
}

interface Waiter {
  readonly give: (buffer: Buffer) => void;
}

const sendBuffer = (): Buffer => Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** Creates a pool of at most `maxBuffers` buffers. */
export function createBufferPool(clock: Clock, maxBuffers: number, make = sendBuffer): BufferPool {
  const free: Buffer[] = [];
  const letGo: WeakRef<Buffer>[] = [];
  const used = new Set<Buffer>();
  const waiters = new Set<Waiter>();
  let stayAwake: (() => void) | undefined;

  function take(): Buffer | undefined {
    const buffer = free.pop() ?? (used.size < maxBuffers ? (takeUpAgain() ?? make()) : undefined);
    if (buffer === undefined) return undefined;
    stayAwake?.();
    stayAwake = undefined;
    used.add(buffer);
    return buffer;
  }

  function takeUpAgain(): Buffer | undefined {
    let buffer: Buffer | undefined;
    while (buffer === undefined && letGo.length > 0) buffer = letGo.pop()?.deref();
    return buffer;
  }

  function wait(signal: AbortSignal | undefined): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiters.delete(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        give(buffer) {
          signal?.removeEventListener('abort', giveUp);
          resolve(buffer);
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiters.add(waiter);
    });
  }

  function freeWhenIdle(): void {
    stayAwake = clock.after(IDLE_MS, () => {
      for (const buffer of free.splice(0)) letGo.push(new WeakRef(buffer));
    });
  }

  return {
    async acquire(signal) {
      signal?.throwIfAborted();
      return take() ?? wait(signal);
    },
    tryAcquire: () => (waiters.size === 0 ? take() : undefined),
    release(buffer) {
      if (!used.has(buffer)) throw new Error('A buffer that is not in use was returned');
      const [next] = waiters;
      if (next !== undefined) {
        waiters.delete(next);
        next.give(buffer);
        return;
      }
      used.delete(buffer);
      free.push(buffer);
      if (used.size === 0) freeWhenIdle();
    },
    drop(buffer) {
      if (!used.delete(buffer)) throw new Error('A buffer that is not in use was dropped');
      const [next] = waiters;
      const other = next === undefined ? undefined : take();
      if (next !== undefined && other !== undefined) {
        waiters.delete(next);
        next.give(other);
      }
      if (used.size === 0) freeWhenIdle();
    },
    get size() {
      return free.length + used.size;
    },
    stop() {
      stayAwake?.();
      free.length = 0;
    },
  };
}
