import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import { fileChanged } from '../files/file-failures.ts';
import type { HashPool, PartHash } from '../files/hashing/hash-pool.ts';
import type { SourceFile } from '../files/source-file.ts';
import { noteResult } from '../queue/live-uploads.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { Clock } from '../ports.ts';
import type { BufferPool } from '../service/signed-put-body.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { TakenOver } from '../store/live-rows.ts';
import { parseNumbers } from '../store/json-columns.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { ClipBytes } from './send-parts.ts';
import type { PartRange } from '../core/parts/plan-parts.ts';
import type { HeldRange } from './send-range.ts';

interface ProveDeps {
  readonly tables: Tables;
  readonly groupCommit: GroupCommit;
  readonly clock: Pick<Clock, 'now'>;
  readonly slots: BufferPool;
}

/** An opened clip whose first parts were sent before it was queued. */
export interface SentAhead {
  readonly clip: ClipRow;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  readonly hashPool: HashPool;
  readonly takenOver: TakenOver;
  /** Whether the MD5 of a part is wanted now. */
  readonly withMd5: () => boolean;
}

interface Sums {
  readonly whole: string;
  /** Of each part alone; the first part has index 0. */
  readonly own: readonly string[];
}

/** The bytes of a clip whose parts were compared with its file, and the rows of the parts that match. */
export interface ProvenAhead {
  readonly bytes: ClipBytes;
  readonly rows: readonly PartRow[];
}

/**
 * Reads the final file once, for its hash and the hash of each part: parts that storage had before the file was
 * complete are kept only where the bytes are the same. Parts that differ are forgotten, and sent again with those that
 * were left for the end. Safe to run twice: it runs at each attempt, until the clip was sent.
 */
export async function proveAhead(
  deps: ProveDeps,
  file: SentAhead,
  signal: AbortSignal,
): Promise<Result<ProvenAhead, Failure>> {
  const { tables } = deps;
  const { clip, upload, takenOver } = file;
  const sums = await sumUp(deps, file, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
    return err(stopped);
  });
  if (!sums.ok) return sums;
  await deps.groupCommit.commit(() => {
    const sent = tables.parts.ofClip(clip.id);
    const differing = sent.filter(({ number, sha256 }) => sums.value.own[number - 1] !== sha256);
    for (const { number } of differing) tables.parts.removeOne(clip.id, number);
    const twice = new Set([...parseNumbers(takenOver.twice), ...differing.map(({ number }) => number)]);
    tables.live.judged(clip.id, JSON.stringify([...twice]));
    if (takenOver.judged === 1) return;
    const { rootId = '' } = tables.incidents.byId(clip.incidentId) ?? {};
    const [sentBytes, voidBytes] = [sent, differing].map((parts) => parts.length * upload.partSizeBytes);
    noteResult(
      deps,
      { rootId, container: takenOver.container },
      { sentBytes: sentBytes ?? 0, voidBytes: voidBytes ?? 0 },
    );
  });
  return ok({ bytes: bytesOf(deps, file, sums.value), rows: tables.parts.ofClip(clip.id) });
}

const stopped: Failure = {
  code: 'CANCELLED',
  message: 'Reading was stopped.',
  advice: 'Nothing to do: the clip will be read again on the next attempt.',
  retryable: true,
};

/** One thread adds each part to the hash of the whole while another computes the sum of the part before. */
async function sumUp(
  { slots }: ProveDeps,
  { evidence, upload, hashPool }: SentAhead,
  signal: AbortSignal,
): Promise<Result<Sums, Failure>> {
  const own: string[] = [];
  const first = await slots.acquire(signal);
  const second = slots.tryAcquire();
  const held = second === undefined ? [first] : [first, second];
  const whole = hashPool.wholeHash(evidence);
  let summing: Promise<Result<PartHash, Failure>> | undefined;
  let isOurs = false;

  async function add(number: number, into: Buffer): Promise<Failure | undefined> {
    const { offset, length } = partRange(upload, number, upload.sizeBytes);
    const part = into.subarray(0, length);
    const adding = whole.advance(offset + length, { into: part, signal });
    evidence.retain(adding);
    const [added, before] = await Promise.all([adding, summing]);
    if (!added.ok) return added.error;
    if (before?.ok === false) return before.error;
    if (before?.ok === true) own.push(before.value.sha256);
    const source = { fd: -1, name: evidence.name, held: part };
    summing = hashPool.hashPart({ source, offset: 0, length, md5: false, beside: true }, signal);
    // The next part uses the same memory
    if (held.length === 1) await summing;
    return undefined;
  }

  try {
    for (let number = 1; number <= upload.partCount; number += 1) {
      const problem = await add(number, held[number % held.length] ?? first);
      if (problem !== undefined) return err(problem);
    }
    const last = await summing;
    if (last?.ok === false) return last;
    if (last?.ok === true) own.push(last.value.sha256);
    isOurs = true;
    const digest = await whole.digest();
    return digest.ok ? ok({ whole: digest.value, own }) : digest;
  } finally {
    // A thread that hangs may still write into it
    for (const slot of held)
      if (isOurs) slots.release(slot);
      else slots.drop(slot);
    summing?.catch(() => undefined);
    whole.close();
  }
}

/** A part in memory with its own sums: the bytes that were hashed are the bytes sent. */
export interface OwnPart {
  readonly range: HeldRange;
  /** Lets its memory be used for another part as soon as no socket uses it. */
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
  advice: 'Nothing to do: the clip will be read again on the next attempt.',
  retryable: true,
};

/** Reads a part into `slot`, which is released when the part ends, and hashes it there. */
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
    // A read that was given up because a share hangs may still write into it
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

/** Bytes that are sent now must equal those that were read for the sums. */
function bytesOf(
  { slots }: ProveDeps,
  { evidence, upload, hashPool, withMd5 }: SentAhead,
  { whole, own }: Sums,
): ClipBytes {
  async function hold(number: number, signal: AbortSignal): Promise<Result<OwnPart, Failure>> {
    if (signal.aborted) return err(stopped);
    const slot = await slots.acquire(signal).catch(() => undefined);
    if (slot === undefined) return err(stopped);
    const range = partRange(upload, number, upload.sizeBytes);
    const part = await holdPart({ evidence, hashPool, slots, withMd5: withMd5() }, range, slot, signal);
    if (!part.ok || part.value.range.sha256 === own[number - 1]) return part;
    part.value.end();
    return err(fileChanged(evidence.name, 'was written to while it was being sent'));
  }
  return {
    fromStart: 0,
    begin(number, _following, signal) {
      const holding = hold(number, signal);
      holding.catch(() => undefined);
      return {
        content: holding.then((part) => (part.ok ? ok({ held: part.value.range }) : part)),
        end: () => void holding.then((part) => part.ok && part.value.end()).catch(() => undefined),
      };
    },
    prove: async () => undefined,
    digest: async () => ok(whole),
    close: () => undefined,
  };
}
