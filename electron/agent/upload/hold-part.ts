import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { PartRange } from '../core/parts/plan-parts.ts';
import type { HashPool } from '../files/hashing/hash-pool.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { BufferPool } from '../service/signed-put-body.ts';
import type { HeldRange } from './send-range.ts';

/** A part in memory with its own sums: the bytes that were hashed are the bytes sent. */
export interface OwnPart {
  readonly range: HeldRange;
  /** Its memory may be used for another as soon as no socket is at it. */
  end(): void;
}

interface HoldDeps {
  readonly evidence: SourceFile;
  readonly hashPool: HashPool;
  readonly slots: BufferPool;
  readonly withMd5: boolean;
}

const notRead: Failure = {
  code: 'CANCELLED',
  message: 'Reading was stopped.',
  advice: 'Nothing to do: it begins again with the next attempt.',
  retryable: true,
};

/** Reads a part into `slot`, which is given back when it ends, and hashes it there. */
export async function holdPart(
  { evidence, hashPool, slots, withMd5 }: HoldDeps,
  { offset, length }: PartRange,
  slot: Buffer,
  signal: AbortSignal,
): Promise<Result<OwnPart, Failure>> {
  const bytes = slot.subarray(0, length);
  const fill = async () => {
    const read = await evidence.readExactly(bytes, length, offset, signal);
    if (!read.ok) return read;
    const source = { fd: -1, name: evidence.name, held: bytes };
    return hashPool.hashPart({ source, offset: 0, length, md5: withMd5 }, signal);
  };
  const sums = await fill().catch((error: unknown) => {
    if (signal.aborted) return err(notRead);
    slots.drop(slot);
    throw error;
  });
  if (!sums.ok) {
    // Who was given up because a share hangs may still write into it
    slots.drop(slot);
    return sums;
  }
  const { sha256, md5 } = sums.value;
  let users = 1;
  const leave = (): void => {
    users -= 1;
    if (users === 0) slots.release(slot);
  };
  const use = (): (() => void) => {
    users += 1;
    return leave;
  };
  return ok({ range: { source: { bytes, use }, sha256, md5: async () => ok(md5) }, end: leave });
}
