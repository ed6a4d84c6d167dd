import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import { fileChanged } from '../files/file-failures.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import type { Advanced, HashPool, PartHash } from '../files/hashing/hash-pool.ts';
import type { SourceFile } from '../files/source-file.ts';
import { STREAM_COUNT } from '../files/hashing/md5-kernel.ts';
import type { ClipBytes, PartContent, ProofEnds } from './send-parts.ts';
import type { WantedSums } from './send-range.ts';

/**
 * SHA-256 of a whole clip, computed part by part in order while its parts are sent in any order. It reads the file a
 * second time, from the file cache: the CRC-32 or MD5 of each part shows that both passes saw the same bytes, and so
 * does the file system, which noted no change from before the first read until after the last.
 */
export interface FileHash {
  /** Allows the hash to read the part, which is being or was sent, and no farther, so that the disk reads only once. */
  mayRead(partNumber: number): void;
  /** The hash at the end of a part; waits until it has got there, past all parts before, or cannot continue. */
  reached(partNumber: number): Promise<Result<Advanced, Failure>>;
  /** Resolves once every part was hashed in order, or with the first problem. */
  digest(): Promise<Result<string, Failure>>;
  /** Releases the hash; a thread that is still reading keeps the file open until it ends. */
  close(): void;
}

const interrupted: Failure = {
  code: 'CANCELLED',
  message: 'Hashing was stopped.',
  advice: 'Nothing to do: hashing restarts with the next attempt.',
  retryable: true,
};

interface HashDeps {
  readonly hashPool: HashPool;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  /** Whether the CRC-32 of the parts is wanted now. */
  readonly withCrc32: () => boolean;
  readonly signal: AbortSignal;
}

/** Creates the hash of the file that `upload` is for. */
export function createFileHash({ hashPool, evidence, upload, withCrc32, signal }: HashDeps): FileHash {
  const whole = hashPool.wholeHash(evidence);
  const allowed = new Set<number>();
  const ends = new Map<number, PromiseWithResolvers<Result<Advanced, Failure>>>();
  /** Settles when the hash cannot continue: an abort, a problem with the file, a thread that crashed. */
  const over = Promise.withResolvers<Result<Advanced, Failure>>();
  over.promise.catch(() => undefined);
  let next = 1;
  let problem: Failure | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;

  const endOf = (partNumber: number): PromiseWithResolvers<Result<Advanced, Failure>> => {
    const known = ends.get(partNumber) ?? Promise.withResolvers<Result<Advanced, Failure>>();
    ends.set(partNumber, known);
    return known;
  };
  const onAbort = (): void => over.resolve(err(interrupted));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });

  async function advance(): Promise<void> {
    try {
      while (problem === undefined && allowed.delete(next) && !signal.aborted) {
        const { offset, length } = partRange(upload, next, upload.sizeBytes);
        const added = await whole.advance(offset + length, { crc32: withCrc32(), signal });
        if (added.ok) endOf(next).resolve(added);
        else over.resolve(err((problem = added.error)));
        next += 1;
      }
    } catch (error) {
      over.reject(error);
      throw error;
    } finally {
      isRunning = false;
    }
  }

  return {
    mayRead(partNumber) {
      allowed.add(partNumber);
      if (isRunning) return;
      isRunning = true;
      running = advance();
      evidence.retain(running);
    },
    reached: (partNumber) => Promise.race([endOf(partNumber).promise, over.promise]),
    async digest() {
      await running;
      if (problem !== undefined) return err(problem);
      if (signal.aborted) return err(interrupted);
      if (next !== upload.partCount + 1) throw new Error('The hash was requested before every part was sent');
      return whole.digest();
    },
    close() {
      signal.removeEventListener('abort', onAbort);
      over.resolve(err(interrupted));
      void running.catch(() => undefined).then(() => whole.close());
    },
  };
}

/** Sums of parts, requested some parts ahead: MD5 of several parts at once costs a third of one after the other. */
export interface HashAhead {
  /** The sums of a part; those of the next parts are started too. */
  hashOf(partNumber: number): Promise<Result<PartHash, Failure>>;
}

interface Deps {
  readonly hashPool: HashPool;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  /** The parts to send, in order. */
  readonly numbers: readonly number[];
  readonly wanted: () => WantedSums;
  /** Whether the SHA-256 of each part is wanted. */
  readonly sha256: boolean;
  readonly signal: AbortSignal;
}

/** Parts whose sums are computed in parallel: as many as the MD5 kernel has streams. */
const GROUP = STREAM_COUNT;

/** Computes the sums of the given parts, at most two groups before they are requested. */
export function createHashAhead(deps: Deps): HashAhead {
  const { hashPool, evidence, upload, numbers, wanted, sha256, signal } = deps;
  const indexes = new Map(numbers.map((number, index) => [number, index]));
  const asked = new Map<number, Promise<Result<PartHash, Failure>>>();
  let nextIndex = 0;

  function ask(partNumber: number): Promise<Result<PartHash, Failure>> {
    const range = partRange(upload, partNumber, upload.sizeBytes);
    const sums = hashPool.hashPart({ source: evidence, ...range, ...wanted(), sha256 }, signal);
    evidence.retain(sums);
    return sums;
  }

  /** Requests the group of this index and the one after it, so that the threads never wait for the line. */
  function requestAround(index: number): void {
    const until = (Math.floor(index / GROUP) + 2) * GROUP;
    for (; nextIndex < Math.min(until, numbers.length); nextIndex += 1) {
      const number = numbers[nextIndex];
      if (number !== undefined) asked.set(number, ask(number));
    }
  }

  return {
    hashOf(partNumber) {
      requestAround(indexes.get(partNumber) ?? 0);
      const sums = asked.get(partNumber) ?? ask(partNumber);
      asked.delete(partNumber);
      return sums;
    },
  };
}

interface ReadTwiceDeps {
  readonly hashPool: HashPool;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  /** The parts that storage has. */
  readonly rows: readonly PartRow[];
  /** Which sums are wanted now. */
  readonly wanted: () => WantedSums;
  readonly signal: AbortSignal;
}

/**
 * Reads parts while they are sent, and a second time for their sums: for parts that are too large to be held, and for
 * uploads that an earlier version began. A clip that is sent from its first byte is hashed once: what is kept of a part
 * is the hash of the file up to the part's end. After a restart that hash would first have to get through everything
 * sent before, so parts have sums of their own.
 */
export function readTwice({ hashPool, evidence, upload, rows, wanted, signal }: ReadTwiceDeps): ClipBytes {
  const closing = new AbortController();
  const ending = AbortSignal.any([signal, closing.signal]);
  const hash = createFileHash({ hashPool, evidence, upload, withCrc32: () => wanted().crc32, signal });
  const isFresh = rows.length === 0;
  const done = new Set(rows.map(({ number }) => number));
  const ahead = createHashAhead({
    hashPool,
    evidence,
    upload,
    numbers: allNumbers(upload).filter((number) => !done.has(number)),
    wanted: () => ({ ...wanted(), ...(isFresh && { crc32: false }) }),
    sha256: !isFresh,
    signal: ending,
  });

  async function withWhole(partNumber: number): Promise<Result<PartHash, Failure>> {
    const own = wanted().md5 ? ahead.hashOf(partNumber) : undefined;
    const reached = await hash.reached(partNumber);
    const sums = await own;
    if (!reached.ok) return reached;
    if (sums?.ok === false) return sums;
    const { length: sizeBytes } = partRange(upload, partNumber, upload.sizeBytes);
    return ok({ ...sums?.value, ...reached.value, sizeBytes });
  }

  return {
    fromStart: isFresh ? 1 : 0,
    begin(number) {
      hash.mayRead(number);
      const hashing = (): Promise<Result<PartHash, Failure>> => {
        const sums = isFresh ? withWhole(number) : ahead.hashOf(number);
        // The part's sender may have ended by then
        sums.catch(() => undefined);
        return sums;
      };
      return { content: Promise.resolve(ok<PartContent>({ hashing })), end: () => undefined };
    },
    prove: (ends) => proveEarlier({ hashPool, evidence, upload, hash, rows, signal }, ends),
    digest: () => hash.digest(),
    close() {
      closing.abort();
      hash.close();
    },
  };
}

function allNumbers({ partCount }: MultipartRow): readonly number[] {
  return Array.from({ length: partCount }, (_unused, index) => index + 1);
}

interface Earlier extends Omit<ReadTwiceDeps, 'wanted'> {
  readonly hash: FileHash;
}

/**
 * Reads parts of an earlier run again: the hash of the whole file needs them, and they must still match their rows.
 * Where a row has the hash of everything up to the end of the part, the hash of the whole is compared on its way.
 */
async function proveEarlier(
  { hashPool, evidence, upload, hash, rows, signal }: Earlier,
  { isOver, notAllSent }: ProofEnds,
): Promise<Failure | undefined> {
  for (const row of rows) {
    hash.mayRead(row.number);
    if (isOver()) return undefined;
    const { offset, length } = partRange(upload, row.number, upload.sizeBytes);
    const alone = { source: evidence, offset, length, md5: false };
    const hashing = row.fromStart === 1 ? hash.reached(row.number) : hashPool.hashPart(alone, signal);
    if (row.fromStart === 0) evidence.retain(hashing);
    const sums = await Promise.race([hashing, notAllSent]);
    if (sums === undefined) return undefined;
    if (!sums.ok) return signal.aborted ? undefined : evidence.judge(sums.error);
    if (sums.value.sha256 !== row.sha256)
      return fileChanged(evidence.name, 'was written to after part of it was sent');
  }
  return undefined;
}
