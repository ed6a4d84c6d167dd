import type { Failure } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { HashPool, PartHash } from '../files/hashing/hash-pool.ts';
import type { SourceFile } from '../files/source-file.ts';
import { STREAM_COUNT } from '../files/hashing/md5-streams.ts';

/**
 * SHA-256 of a whole clip, made part by part in order while its parts are sent in any order. It reads the file a
 * second time, out of memory: that both passes saw the same bytes is known because the file system noted no change
 * from before the first read until after the last.
 */
export interface FileHash {
  /** The part is being sent or was: the hash may read that far, and not farther, so that the disk reads once. */
  mayRead(partNumber: number): void;
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

/** Makes the hash of the file that `upload` carries. */
export function createFileHash(
  hashPool: HashPool,
  evidence: SourceFile,
  upload: MultipartRow,
  signal: AbortSignal,
): FileHash {
  const whole = hashPool.wholeHash(evidence);
  const allowed = new Set<number>();
  let next = 1;
  let problem: Failure | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;

  async function advance(): Promise<void> {
    while (problem === undefined && allowed.delete(next) && !signal.aborted) {
      const { offset, length } = partRange(upload, next, upload.sizeBytes);
      const added = await whole.advance(offset + length, signal);
      if (added.ok) next += 1;
      else problem = added.error;
    }
    isRunning = false;
  }

  return {
    mayRead(partNumber) {
      allowed.add(partNumber);
      if (isRunning) return;
      isRunning = true;
      running = advance();
      evidence.retain(running);
    },
    async digest() {
      await running;
      if (problem !== undefined) return err(problem);
      if (signal.aborted) return err(interrupted);
      if (next !== upload.partCount + 1) throw new Error('The hash was asked for before every part was sent');
      return whole.digest();
    },
    close() {
      void running.then(() => whole.close());
    },
  };
}

/** Which sums a part needs beside its SHA-256. */
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
  readonly signal: AbortSignal;
}

/** Parts whose sums are made side by side: as many as the MD5 kernel has streams. */
const GROUP = STREAM_COUNT;

/** Makes the sums of the given parts, at most two groups before they are asked for. */
export function createHashAhead(deps: Deps): HashAhead {
  const { hashPool, evidence, upload, numbers, wanted, signal } = deps;
  const indexes = new Map(numbers.map((number, index) => [number, index]));
  const asked = new Map<number, Promise<Result<PartHash, Failure>>>();
  let nextIndex = 0;

  function ask(partNumber: number): Promise<Result<PartHash, Failure>> {
    const range = partRange(upload, partNumber, upload.sizeBytes);
    const sums = hashPool.hashPart({ source: evidence, ...range, ...wanted() }, signal);
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
