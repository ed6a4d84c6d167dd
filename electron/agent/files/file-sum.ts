import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { HashPools, PartHash } from './hashing/hash-pool.ts';
import type { RootGates } from './root-gate.ts';
import { SMALL_BYTES } from './snapshot-file.ts';
import type { SnapshotReader } from './snapshot-reader.ts';
import { openSource, sumSmall, type SourceRef } from './source-file.ts';

/**
 * SHA-256 of a whole file in hex, computed in threads. Errors: those of `openSource`; FILE_CHANGED also during the
 * read.
 */
export type FileSum = (source: SourceRef, signal: AbortSignal) => Promise<Result<string, Failure>>;

/** The kinds of sums that checksum lists state, in lower-case hex. */
export interface ListedSums {
  readonly sha256: string;
  readonly md5: string;
  readonly crc32: string;
}

/** All `ListedSums` of a whole file, in one read. Errors: as for `FileSum`. */
export type FileSums = (source: SourceRef, signal: AbortSignal) => Promise<Result<ListedSums, Failure>>;

interface Deps {
  readonly gates: RootGates;
  readonly snapshots: SnapshotReader;
  readonly hashPools: HashPools;
}

/** Creates `FileSums` on the same threads. */
export function createFileSums({ gates, hashPools }: Pick<Deps, 'gates' | 'hashPools'>): FileSums {
  return async (source, signal) => {
    const opened = await openSource(gates, source, signal);
    if (!opened.ok) return opened;
    const file = opened.value;
    try {
      const length = source.version.sizeBytes;
      const request = { source: file, offset: 0, length, md5: true, crc32: true };
      const reading = hashPools.of(source.rootPath).hashPart(request, signal);
      file.retain(reading);
      const sums = await reading;
      if (!sums.ok) return err(await file.judge(sums.error));
      const unchanged = await file.verifyUnchanged();
      return unchanged.ok ? ok(listedSums(sums.value)) : unchanged;
    } finally {
      file.release();
    }
  };
}

function listedSums({ sha256, md5, crc32 }: PartHash): ListedSums {
  if (md5 === undefined || crc32 === undefined)
    throw new Error('The thread returned no checksums for a list');
  return { sha256, md5, crc32: crc32.toString(16).padStart(8, '0') };
}

/**
 * Creates the file sum on the threads that hash what is sent. `mayBeKnown`: a small file that was read a moment ago, and
 * that nothing has changed since, is not read again; not for proofs, which are about what is on the disk now.
 */
export function createFileSum({ gates, snapshots, hashPools }: Deps, mayBeKnown = false): FileSum {
  async function sumOfLarge(source: SourceRef, signal: AbortSignal): Promise<Result<string, Failure>> {
    const opened = await openSource(gates, source, signal);
    if (!opened.ok) return opened;
    const file = opened.value;
    const hash = hashPools.of(source.rootPath).wholeHash(file);
    try {
      const reading = hash.advance(source.version.sizeBytes, { signal });
      file.retain(reading);
      const read = await reading;
      if (!read.ok) return err(await file.judge(read.error));
      const sum = await hash.digest();
      // It passes the gate itself: a second turn around it would wait for the place that it holds
      const unchanged = await file.verifyUnchanged();
      return unchanged.ok ? sum : unchanged;
    } finally {
      hash.close();
      file.release();
    }
  }

  return async (source, signal) => {
    if (source.version.sizeBytes > SMALL_BYTES) return sumOfLarge(source, signal);
    const summed = await sumSmall(gates, snapshots, { ...source, mayBeKnown }, signal);
    return summed.ok ? ok(summed.value.sha256) : summed;
  };
}
