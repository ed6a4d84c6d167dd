import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { fileChanged } from './evidence-failure.ts';
import { partRange } from '../core/plan-parts.ts';
import type { MultipartRow } from '../db/multipart-rows.ts';
import type { HashPool } from '../media/hash-pool.ts';
import type { SourceFile } from './source-file.ts';

/** SHA-256 of a whole clip, made part by part in order while its parts are sent in any order. */
export interface FileHash {
  /** The part is with storage; `crc32` is that of its bytes as they were proven. */
  partProven(partNumber: number, crc32: number | undefined): void;
  /** Ends once every part was hashed in order, or with the first trouble. */
  digest(): Promise<Result<string, Failure>>;
  /** Forgets the hash; a thread that still reads keeps the file open until it ends. */
  close(): void;
}

/** Makes the hash of the file that `upload` carries. */
export function createFileHash(
  hashPool: HashPool,
  evidence: SourceFile,
  upload: MultipartRow,
  signal: AbortSignal,
): FileHash {
  const whole = hashPool.wholeHash(evidence, { crc32: true });
  const proven = new Map<number, number | undefined>();
  let next = 1;
  let trouble: Failure | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;

  async function advance(): Promise<void> {
    while (trouble === undefined && proven.has(next) && !signal.aborted) {
      const { offset, length } = partRange(upload, next, upload.sizeBytes);
      const added = await whole.advance(offset + length, signal);
      const expected = proven.get(next);
      if (!added.ok) trouble = added.error;
      else if (expected !== undefined && added.value.crc32 !== undefined && added.value.crc32 !== expected) {
        trouble = fileChanged(evidence.path, 'was written to after a part of it was sent');
      }
      proven.delete(next);
      next += 1;
    }
    isRunning = false;
  }

  function start(): void {
    if (isRunning) return;
    isRunning = true;
    running = advance();
  }

  return {
    partProven(partNumber, crc32) {
      proven.set(partNumber, crc32);
      start();
    },
    async digest() {
      await running;
      if (trouble !== undefined) return err(trouble);
      if (next !== upload.partCount + 1)
        throw new Error('The hash was asked for before every part was proven');
      const sum = await whole.digest();
      return sum.ok ? ok(sum.value) : sum;
    },
    close() {
      evidence.retain(running);
      void running.then(() => whole.close());
    },
  };
}
