import type { Failure } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { Advanced, HashPool, PartHash } from '../files/hashing/hash-pool.ts';
import type { SourceFile } from '../files/source-file.ts';
import { STREAM_COUNT } from '../files/hashing/md5-streams.ts';

/**
 * SHA-256 of a whole clip, made part by part in order while its parts are sent in any order. It reads the file a
 * second time, out of memory: that both passes saw the same bytes is known by the CRC-32 of each part or by its MD5,
 * and because the file system noted no change from before the first read until after the last.
 */
export interface FileHash {
  /** The part is being sent or was: the hash may read that far, and not farther, so that the disk reads once. */
  mayRead(partNumber: number): void;
  /** What the hash says at the end of a part; waits until it has come there, over all parts before, or comes no farther. */
  reached(partNumber: number): Promise<Result<Advanced, Failure>>;
  /** Ends once every part was hashed in order, or with the first problem. */
  digest(): Promise<Result<string, Failure>>;
  /** Forgets the hash; a thread that still reads keeps the file open until it ends. */
  close(): void;
}

const interrupted: Failure = {
  code: 'CANCELLED',
  message: 'Hashing was stopped.',
  advice: 'Nothing to do: it begins again with the next start.',
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

/** Makes the hash of the file that `upload` carries. */
export function createFileHash({ hashPool, evidence, upload, withCrc32, signal }: HashDeps): FileHash {
  const whole = hashPool.wholeHash(evidence);
  const allowed = new Set<number>();
  const ends = new Map<number, PromiseWithResolvers<Result<Advanced, Failure>>>();
  /** Settles when the hash will come no farther: an abort, a problem with the file, a thread that broke. */
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
      if (next !== upload.partCount + 1) throw new Error('The hash was asked for before every part was sent');
      return whole.digest();
    },
    close() {
      signal.removeEventListener('abort', onAbort);
      over.resolve(err(interrupted));
      void running.catch(() => undefined).then(() => whole.close());
    },
  };
}

/** Which sums of a part are wanted beside SHA-256. */
export interface WantedSums {
  readonly md5: boolean;
  readonly crc32: boolean;
}

/** Sums of parts, asked for some parts ahead: MD5 of several parts at once costs a third of one after the other. */
export interface HashAhead {
  /** The sums of a part, and those of the next parts in the making. */
  hashOf(partNumber: number): Promise<Result<PartHash, Failure>>;
}

interface Deps {
  readonly hashPool: HashPool;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  /** The parts that are to be sent, in order. */
  readonly numbers: readonly number[];
  readonly wanted: () => WantedSums;
  /** Whether the SHA-256 of each part is wanted. */
  readonly sha256: boolean;
  readonly signal: AbortSignal;
}

/** Parts whose sums are made side by side: as many as the MD5 kernel has streams. */
const GROUP = STREAM_COUNT;

/** Makes the sums of the given parts, at most two groups before they are asked for. */
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

  /** Asks for the group that holds the index and for the one after it, so that the threads never wait for the line. */
  function askAround(index: number): void {
    const until = (Math.floor(index / GROUP) + 2) * GROUP;
    for (; nextIndex < Math.min(until, numbers.length); nextIndex += 1) {
      const number = numbers[nextIndex];
      if (number !== undefined) asked.set(number, ask(number));
    }
  }

  return {
    hashOf(partNumber) {
      askAround(indexes.get(partNumber) ?? 0);
      const sums = asked.get(partNumber) ?? ask(partNumber);
      asked.delete(partNumber);
      return sums;
    },
  };
}
