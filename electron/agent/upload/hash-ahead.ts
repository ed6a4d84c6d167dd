import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/plan-parts.ts';
import type { MultipartRow } from '../db/multipart-rows.ts';
import type { HashPool, PartHash } from '../media/hash-pool.ts';
import type { SourceFile } from './source-file.ts';

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
  readonly ahead: number;
  readonly wanted: () => WantedSums;
  readonly signal: AbortSignal;
}

/** Makes the sums of the given parts, at most `ahead` before they are asked for. */
export function createHashAhead(needs: Needs): HashAhead {
  const { hashPool, evidence, upload, numbers, ahead, wanted, signal } = needs;
  const asked = new Map<number, Promise<Result<PartHash, Failure>>>();
  let nextIndex = 0;

  function ask(partNumber: number): Promise<Result<PartHash, Failure>> {
    const range = partRange(upload, partNumber, upload.sizeBytes);
    const sums = hashPool.hashPart({ source: evidence, ...range, ...wanted() }, signal);
    evidence.retain(sums);
    return sums;
  }

  return {
    hashOf(partNumber) {
      const until = Math.max(
        nextIndex,
        numbers.indexOf(partNumber, Math.max(0, nextIndex - ahead - 1)) + 1 + ahead,
      );
      for (; nextIndex < Math.min(until, numbers.length); nextIndex += 1) {
        const number = numbers[nextIndex];
        if (number !== undefined) asked.set(number, ask(number));
      }
      const sums = asked.get(partNumber) ?? ask(partNumber);
      asked.delete(partNumber);
      return sums;
    },
  };
}
