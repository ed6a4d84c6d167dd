import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import { fileChanged } from '../files/file-failures.ts';
import type { Advanced, HashPool } from '../files/hashing/hash-pool.ts';
import { createSharedBuffer } from '../files/hashing/shared-memory.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Clock } from '../ports.ts';
import { createBufferPool, type BufferPool } from '../service/signed-put-body.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import type { EtagCache } from './etag-cache.ts';
import type { ClipBytes, PartContent } from './send-parts.ts';
import type { HeldRange } from './send-range.ts';

/** Largest part that is held whole, bytes: the part size of clips up to 80 GB. */
const SLOT_BYTES = 8 * 1024 * 1024;
/**
 * Parts of all clips that are held at once, 32 MiB. Reading takes a fraction of the time on the line, so that four parts
 * are on it nearly always. With a fifth one it was not faster, on more memory.
 */
const SLOTS = 4;
/**
 * Up to this many parts of all clips on the line, as by default, the held ones are enough. A higher setting is
 * deliberate: clips are then read while they are sent.
 */
const MOST_PARTS_AT_ONCE = 8;
/** Parts whose MD5s are computed in parallel, at little more than the cost of one. */
const MD5_LANES = 4;
/**
 * If earlier runs sent more than this, bytes, the line does not wait until it was read again: the missing parts are
 * sent immediately, and read a second time for their sums.
 */
const MOST_READ_AGAIN_BYTES = 1024 * 1024 * 1024;

/** Memory for parts that are read once, shared by all clips and with the threads that read. */
export function createPartSlots(clock: Clock): BufferPool {
  return createBufferPool(clock, SLOTS, () => createSharedBuffer(SLOT_BYTES));
}

/** Whether reading the file once is enough: parts can be held, and the sums of earlier runs are checked on the way. */
export function canReadOnce(
  { partSizeBytes }: MultipartRow,
  rows: readonly PartRow[],
  partsAtOnce: number,
): boolean {
  const sentBytes = rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const isFromStart = rows.every(({ fromStart }) => fromStart === 1);
  const isHeld = partSizeBytes <= SLOT_BYTES && partsAtOnce <= MOST_PARTS_AT_ONCE;
  return isHeld && isFromStart && sentBytes <= MOST_READ_AGAIN_BYTES;
}

interface ReadOnceDeps {
  readonly hashPool: HashPool;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  /** The parts that storage has. */
  readonly rows: readonly PartRow[];
  readonly slots: BufferPool;
  readonly etags: EtagCache;
  /** Where the parts go, once it is known. */
  readonly host: () => string | undefined;
}

/**
 * Reads a clip once, from its first byte to its last. A thread leaves each missing part in memory and adds it to the
 * hash of the whole; the part is sent from there, however often. Parts that storage has are read only for the hash,
 * which at the end of each must equal what was kept of it.
 */
export function readOnce(deps: ReadOnceDeps): ClipBytes {
  const { hashPool, evidence, upload, rows, slots } = deps;
  const closing = new AbortController();
  const whole = hashPool.wholeHash(evidence);
  const md5 = createMd5Group(deps, closing.signal);
  const kept = new Map(rows.map((row) => [row.number, row]));
  let lastMissing = upload.partCount;
  while (kept.has(lastMissing)) lastMissing -= 1;
  /** The part that the hash comes to next. */
  let next = 1;
  /** Resolves when the last requested part was read: with the problem that stopped all further reading, if any. */
  let reading: Promise<Failure | undefined> = Promise.resolve(undefined);
  /** The part that will be requested next. */
  let following: number | undefined;
  let ahead: { readonly number: number; readonly part: Promise<Result<HeldPart, Failure>> } | undefined;

  async function advance(into?: Uint8Array): Promise<Result<Advanced, Failure>> {
    const { offset, length } = partRange(upload, next, upload.sizeBytes);
    const running = whole.advance(offset + length, { ...(into && { into }), signal: closing.signal });
    evidence.retain(running);
    const added = await running;
    if (added.ok) next += 1;
    return added;
  }

  /** Reads what storage already has, up to a part that it does not have. */
  async function proveUntil(partNumber: number): Promise<Result<void, Failure>> {
    while (next < partNumber) {
      const row = kept.get(next);
      if (row === undefined) throw new Error(`Part ${partNumber} was requested before part ${next} was sent`);
      const added = await advance();
      if (!added.ok) return added;
      if (added.value.sha256 !== row.sha256)
        return err(fileChanged(evidence.name, 'was written to after part of it was sent'));
    }
    return ok(undefined);
  }

  async function readPart({ number, slot, signal }: Asked): Promise<Result<HeldPart, Failure>> {
    let buffer = slot;
    try {
      signal.throwIfAborted();
      const proven = await proveUntil(number);
      if (!proven.ok) return proven;
      buffer ??= slots.tryAcquire() ?? (await md5.awaitingRoom(() => slots.acquire(signal)));
      const bytes = buffer.subarray(0, partRange(upload, number, upload.sizeBytes).length);
      const added = await advance(bytes);
      if (!added.ok) return added;
      const filled = buffer;
      buffer = undefined;
      const isLast = number === lastMissing;
      return ok(md5.hold({ bytes, sha256: added.value.sha256, isLast, free: () => slots.release(filled) }));
    } catch (error) {
      if (signal.aborted) return err(notRead);
      throw error;
    } finally {
      // A thread that hangs may still write into it
      if (buffer !== undefined) slots.drop(buffer);
    }
  }

  /** Reads one part after the other: the hash needs that order, and nothing follows a part that could not be read. */
  function queue(asked: Asked): Promise<Result<HeldPart, Failure>> {
    const before = reading;
    const running = md5.reading(async () => {
      const problem = await before;
      if (problem === undefined) return readPart(asked);
      if (asked.slot !== undefined) slots.release(asked.slot);
      return err(problem);
    });
    reading = running.then((read) => (read.ok ? undefined : read.error));
    reading.catch(() => undefined);
    return running;
  }

  /** Lets the thread read on while the line is busy, if there is room. */
  function readAhead(): void {
    const number = following;
    const isWanted = number !== undefined && ahead === undefined && !md5.isReading();
    if (!isWanted || closing.signal.aborted) return;
    const slot = slots.tryAcquire();
    if (slot === undefined) return;
    const part = queue({ number, slot, signal: closing.signal });
    part.catch(() => undefined);
    ahead = { number, part };
  }

  return {
    fromStart: 1,
    begin(number, after, given) {
      following = after;
      const signal = AbortSignal.any([given, closing.signal]);
      const part = ahead?.number === number ? ahead.part : queue({ number, signal });
      if (ahead?.number === number) ahead = undefined;
      const aborted = Promise.withResolvers<Result<never, Failure>>();
      const abort = (): void => aborted.resolve(err(notRead));
      signal.addEventListener('abort', abort, { once: true });
      const content = async (): Promise<Result<PartContent, Failure>> => {
        // A share that hangs does not delay anybody who wants to stop
        const read = await Promise.race([part, aborted.promise]);
        if (read.ok) readAhead();
        return read.ok ? ok({ held: read.value.range }) : read;
      };
      return {
        content: content(),
        end() {
          signal.removeEventListener('abort', abort);
          void part.then((read) => read.ok && read.value.end()).catch(() => undefined);
        },
      };
    },
    prove: async () => undefined,
    async digest() {
      const problem = await reading;
      const proven = problem === undefined ? await proveUntil(upload.partCount + 1) : err(problem);
      return proven.ok ? whole.digest() : proven;
    },
    close() {
      closing.abort();
      void ahead?.part.then((read) => read.ok && read.value.end()).catch(() => undefined);
      void reading.catch(() => undefined).then(() => whole.close());
    },
  };
}

const notRead: Failure = {
  code: 'CANCELLED',
  message: 'Reading was stopped.',
  advice: 'Nothing to do: reading restarts with the next attempt.',
  retryable: true,
};

/** A part that is to be read. */
interface Asked {
  readonly number: number;
  /** The buffer to read into, if there is one already. */
  readonly slot?: Buffer;
  readonly signal: AbortSignal;
}

/** A part in memory. */
interface HeldPart {
  readonly range: HeldRange;
  /** Lets its memory be used for another part as soon as no socket uses it. */
  end(): void;
}

interface ReadPart {
  readonly bytes: Buffer;
  readonly sha256: string;
  /** No part is read after it. */
  readonly isLast: boolean;
  free(): void;
}

type Md5 = Result<string | undefined, Failure>;

/**
 * MD5 of parts in memory. A part waits for others that are still being read, because together they cost little more;
 * but not for a part that needs the memory of one that waits.
 */
function createMd5Group({ hashPool, evidence, etags, host }: ReadOnceDeps, signal: AbortSignal) {
  const gathered = new Map<Buffer, PromiseWithResolvers<Md5> & { isAsked: boolean }>();
  let readingCount = 0;
  let isRoomAwaited = false;
  /** No further part will come. */
  let isOver = false;

  function goOn(): void {
    const isGroup = (gathered.size >= MD5_LANES || isOver) && etags.kindOf(host() ?? '') === 'md5';
    const isComing = readingCount > 0 && !isRoomAwaited;
    if (!isGroup && (isComing || ![...gathered.values()].some(({ isAsked }) => isAsked))) return;
    for (const [bytes, { resolve, reject }] of gathered) {
      const source = { fd: -1, name: evidence.name, held: bytes };
      const request = { source, offset: 0, length: bytes.length, sha256: false, md5: true };
      hashPool.hashPart(request, signal).then((sums) => resolve(sums.ok ? ok(sums.value.md5) : sums), reject);
    }
    gathered.clear();
  }

  return {
    isReading: () => readingCount > 0,
    /** Until `work` has ended, another part may be added. */
    async reading<T>(work: () => Promise<T>): Promise<T> {
      readingCount += 1;
      try {
        return await work();
      } finally {
        readingCount -= 1;
        goOn();
      }
    },
    /** No part is added before there is room for it. */
    async awaitingRoom<T>(work: () => Promise<T>): Promise<T> {
      isRoomAwaited = true;
      goOn();
      try {
        return await work();
      } finally {
        isRoomAwaited = false;
      }
    },
    hold({ bytes, sha256, isLast, free }: ReadPart): HeldPart {
      const sum = { ...Promise.withResolvers<Md5>(), isAsked: false };
      sum.promise.catch(() => undefined);
      gathered.set(bytes, sum);
      isOver ||= isLast;
      let users = 1;
      const leave = (): void => {
        users -= 1;
        if (users === 0) free();
      };
      const use = (): (() => void) => {
        users += 1;
        return leave;
      };
      const md5 = (): Promise<Md5> => {
        sum.isAsked = true;
        goOn();
        return sum.promise;
      };
      return {
        range: { source: { bytes, use }, sha256, md5 },
        end() {
          gathered.delete(bytes);
          leave();
        },
      };
    },
  };
}
