import type { Failure } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { HashPool } from '../files/hashing/hash-pool.ts';
import type { SourceFile } from '../files/source-file.ts';

/**
 * SHA-256 of a whole clip, made part by part in order while its parts are sent in any order. It reads the file a
 * second time, out of memory: that both passes saw the same bytes is known because the file system noted no change
 * from before the first read until after the last.
 */
export interface FileHash {
  /** The part is being sent or was: the hash may read that far, and not farther, so that the disk reads once. */
  mayRead(partNumber: number): void;
  /** Ends once every part was hashed in order, or with the first trouble. */
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
  let trouble: Failure | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;

  async function advance(): Promise<void> {
    while (trouble === undefined && allowed.delete(next) && !signal.aborted) {
      const { offset, length } = partRange(upload, next, upload.sizeBytes);
      const added = await whole.advance(offset + length, signal);
      if (added.ok) next += 1;
      else trouble = added.error;
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
      if (trouble !== undefined) return err(trouble);
      if (signal.aborted) return err(interrupted);
      if (next !== upload.partCount + 1) throw new Error('The hash was asked for before every part was sent');
      return whole.digest();
    },
    close() {
      void running.then(() => whole.close());
    },
  };
}
