import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { BufferPool } from './buffer-pool.ts';
import type { RateLimit } from './rate-limit.ts';

/** Where the bytes of a body come from. */
export interface ByteSource {
  /** Fills `into` with `length` bytes from `position` on, or says why the file cannot give them. */
  readExactly(into: Uint8Array, length: number, position: number): Promise<Result<void, Failure>>;
}

/** A range of a file that is sent. */
export interface BodyRange {
  readonly source: ByteSource;
  readonly offset: number;
  readonly length: number;
  readonly pool: BufferPool;
  readonly limiter: RateLimit;
  readonly signal: AbortSignal;
}

/** A piece of the body in a buffer of the pool; it is given back once the socket has taken it. */
export interface BodyChunk {
  readonly bytes: Buffer;
  readonly isLast: boolean;
  release(): void;
}

/** Reads a body piece by piece, one piece ahead while the pool has a buffer to spare. */
export interface BodyReader {
  /** Rejects with the signal's reason when it is aborted while waiting for a buffer. */
  next(): Promise<Result<BodyChunk, Failure>>;
  /** Gives back what was read ahead, once its read has ended. */
  dispose(): void;
}

/** Makes a reader; `next` is called until the chunk that is the last, one call at a time. */
export function createBodyReader(range: BodyRange): BodyReader {
  const { source, pool, limiter } = range;
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
    pool.release(buffer);
    return read;
  }

  async function next(): Promise<Result<BodyChunk, Failure>> {
    const chunk = await (ahead ?? readInto(await pool.acquire(range.signal)));
    ahead = undefined;
    if (chunk.ok && !chunk.value.isLast && !isDisposed) {
      // Never waits for the second buffer: parts that each hold one and wait for another would wait for ever
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

/** The headers of a signed PUT, or URL_REFUSED when the signature covers one whose value is not known (service.md gap 8). */
export function putHeaders(url: URL, length: number): Result<Readonly<Record<string, string>>, Failure> {
  const signed = url.searchParams.get('X-Amz-SignedHeaders') ?? 'host';
  const unknown = signed
    .toLowerCase()
    .split(';')
    .filter((name) => name !== '' && name !== 'host' && name !== 'content-length');
  if (unknown.length === 0) return ok({ 'content-length': String(length) });
  return err({
    code: 'URL_REFUSED',
    message: `The upload URL for ${url.host} signs the headers ${unknown.join(', ').slice(0, 100)}, whose values are not known.`,
    advice: 'Tell the operator of the service to sign upload URLs for the host header only.',
    retryable: false,
  });
}
