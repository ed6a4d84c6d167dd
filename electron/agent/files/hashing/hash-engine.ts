import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { fs } from '../plain-fs.ts';
import { systemErrorName } from '../../system-errors.ts';
import { STREAM_COUNT } from './md5-kernel.ts';
import { createMd5Streams, type Md5Streams } from './md5-streams.ts';
import type { SharedMemory } from './shared-memory.ts';

/** A request to a hash worker. `id` links it to its answer; descriptors are valid in the whole process. */
export type HashRequest =
  | {
      readonly kind: 'part';
      readonly id: number;
      readonly fd: number;
      readonly offset: number;
      readonly length: number;
      readonly sha256: boolean;
      readonly md5: boolean;
      readonly crc32: boolean;
      /** Memory in which the range lies; the descriptor is then not read. */
      readonly held?: SharedMemory;
    }
  | {
      readonly kind: 'advance';
      readonly id: number;
      readonly stream: number;
      readonly fd: number;
      readonly offset: number;
      readonly length: number;
      readonly crc32: boolean;
      /** Shared memory of that length to read the bytes into. */
      readonly into?: Uint8Array;
    }
  | { readonly kind: 'digest'; readonly id: number; readonly stream: number }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'forget'; readonly stream: number }
  | { readonly kind: 'cancel'; readonly id: number };

/** Sums in hex, CRC-32 as a number; those that were not requested are absent. */
export interface HashSums {
  readonly sha256?: string;
  readonly md5?: string;
  readonly crc32?: number;
}

/** An answer of a hash worker, which no longer uses the descriptor for that request. */
export type HashAnswer =
  | { readonly id: number; readonly kind: 'sums'; readonly sums: HashSums }
  | { readonly id: number; readonly kind: 'short' }
  | { readonly id: number; readonly kind: 'cancelled' }
  /** `name` as `systemErrorName` returns it: an error itself would lose its number between threads. */
  | { readonly id: number; readonly kind: 'error'; readonly name: string }
  /** Answer to a ping, whatever the thread is reading. */
  | { readonly id: number; readonly kind: 'alive' };

/** Bytes read at a time: small enough to stay in the processor's cache between the sums, large enough for few calls. */
const CHUNK_BYTES = 128 * 1024;
/** The same where the bytes are in shared memory, or are read into it: fewer steps, and still small enough for the cache. */
const SHARED_CHUNK_BYTES = 512 * 1024;

type RangeRequest = Extract<HashRequest, { kind: 'part' | 'advance' }>;

/** A range that is being hashed, in its stream. */
interface RangeJob {
  readonly request: RangeRequest;
  /** Undefined: no SHA-256 was requested. */
  readonly hash: Hash | undefined;
  readonly stream: number;
  doneBytes: number;
  crc32: number;
}

/** The work of a hash worker, one step at a time, so that requests and cancellations come in between. */
export interface HashEngine {
  take(request: HashRequest): void;
  /** Hashes one chunk of each range under way. False when there is nothing to do. */
  step(): boolean;
}

/** Creates an engine that passes its results to `answer`. */
export function createHashEngine(answer: (answer: HashAnswer) => void): HashEngine {
  // Created when first needed: most storage states no MD5
  let md5: Md5Streams | undefined;
  const md5Streams = (): Md5Streams => (md5 ??= createMd5Streams(CHUNK_BYTES));
  const plainChunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  const streams = new Map<number, Hash>();
  const waiting: RangeRequest[] = [];
  const jobs = new Map<number, RangeJob>();

  function begin(): void {
    for (let stream = 0; stream < STREAM_COUNT && waiting.length > 0; stream++) {
      if (jobs.has(stream)) continue;
      const request = waiting.shift();
      if (request === undefined) return;
      jobs.set(stream, { request, hash: hashFor(request), stream, doneBytes: 0, crc32: 0 });
      if (hasMd5(request)) md5Streams().begin(stream, placeOf(request));
    }
  }

  function hashFor(request: RangeRequest): Hash | undefined {
    if (request.kind === 'advance') return streamHash(request.stream);
    return request.sha256 ? createHash('sha256') : undefined;
  }

  function streamHash(stream: number): Hash {
    const known = streams.get(stream);
    const hash = known ?? createHash('sha256');
    if (known === undefined) streams.set(stream, hash);
    return hash;
  }

  function cancel(id: number): void {
    const index = waiting.findIndex((request) => request.id === id);
    const stream = [...jobs].find(([, job]) => job.request.id === id)?.[0];
    // It has been answered already: a second answer could reach the next owner of the thread.
    if (index < 0 && stream === undefined) return;
    if (index >= 0) waiting.splice(index, 1);
    if (stream !== undefined) jobs.delete(stream);
    answer({ id, kind: 'cancelled' });
  }

  /** Where the next chunk of the job is read to. Without MD5 it is hashed immediately, so all share one buffer. */
  function bufferOf({ request, stream, doneBytes }: RangeJob, bytes: number): Uint8Array {
    if (request.kind === 'advance' && request.into !== undefined)
      return request.into.subarray(doneBytes, doneBytes + bytes);
    return (hasMd5(request) ? md5Streams().buffer(stream) : plainChunk).subarray(0, bytes);
  }

  /** The next chunk; undefined when the job has failed. */
  function nextChunk(job: RangeJob): Uint8Array | undefined {
    const { request, stream, doneBytes } = job;
    const held = placeOf(request);
    const isShared = held !== undefined || (request.kind === 'advance' && request.into !== undefined);
    const most = isShared ? SHARED_CHUNK_BYTES : CHUNK_BYTES;
    const wanted = Math.min(most, request.length - doneBytes);
    if (held !== undefined) return new Uint8Array(held.memory.buffer, held.at + doneBytes, wanted);
    const chunk = bufferOf(job, wanted);
    try {
      if (fill(request.fd, chunk, request.offset + doneBytes) === wanted) return chunk;
      answer({ id: request.id, kind: 'short' });
    } catch (error) {
      answer({ id: request.id, kind: 'error', name: systemErrorName(error) ?? 'unknown error' });
    }
    jobs.delete(stream);
    return undefined;
  }

  function hashChunk(job: RangeJob, chunk: Uint8Array): void {
    job.hash?.update(chunk);
    if (job.request.crc32) job.crc32 = crc32(chunk, job.crc32);
    job.doneBytes += chunk.length;
  }

  function end(job: RangeJob): void {
    const { request, stream } = job;
    jobs.delete(stream);
    answer({
      id: request.id,
      kind: 'sums',
      sums: {
        ...(job.hash === undefined ? {} : { sha256: job.hash.copy().digest('hex') }),
        ...(hasMd5(request) ? { md5: md5Streams().end(stream, request.length) } : {}),
        ...(request.crc32 ? { crc32: job.crc32 } : {}),
      },
    });
  }

  return {
    take(request) {
      if (request.kind === 'part' || request.kind === 'advance') waiting.push(request);
      else if (request.kind === 'cancel') cancel(request.id);
      else if (request.kind === 'ping') answer({ id: request.id, kind: 'alive' });
      else if (request.kind === 'forget') streams.delete(request.stream);
      else {
        const sha256 = streamHash(request.stream).copy().digest('hex');
        answer({ id: request.id, kind: 'sums', sums: { sha256 } });
      }
    },
    step() {
      begin();
      const md5Bytes = Array<number>(STREAM_COUNT).fill(0);
      for (const [stream, job] of jobs) {
        const chunk = nextChunk(job);
        if (chunk === undefined) continue;
        hashChunk(job, chunk);
        if (hasMd5(job.request)) md5Bytes[stream] = chunk.length;
      }
      md5?.update(md5Bytes);
      for (const job of jobs.values()) {
        if (job.doneBytes === job.request.length) end(job);
      }
      return jobs.size > 0 || waiting.length > 0;
    },
  };
}

function hasMd5(request: RangeRequest): boolean {
  return request.kind === 'part' && request.md5;
}

function placeOf(request: RangeRequest): { readonly memory: SharedMemory; readonly at: number } | undefined {
  const memory = request.kind === 'part' ? request.held : undefined;
  return memory && { memory, at: request.offset };
}

function fill(fd: number, chunk: Uint8Array, position: number): number {
  let done = 0;
  while (done < chunk.length) {
    const bytes = fs.readSync(fd, chunk, done, chunk.length - done, position + done);
    if (bytes === 0) break;
    done += bytes;
  }
  return done;
}
