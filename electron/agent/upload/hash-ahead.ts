import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { HashPool, PartHash } from '../files/hashing/hash-pool.ts';
import { STREAM_COUNT } from '../files/hashing/md5-streams.ts';
import type { SourceFile } from '../files/source-file.ts';

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

interface Needs {
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
export function createHashAhead(needs: Needs): HashAhead {
  const { hashPool, evidence, upload, numbers, wanted, signal } = needs;
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
