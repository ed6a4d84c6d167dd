import { open, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** A recorder flushes a few times a second, milliseconds. */
const TICK_MS = 250;
/** Fewest ticks, including after a pause: growth that a watcher can notice. */
const LEAST_TICKS = 4;
/** Share of the rest, so that the file keeps growing however long its end is delayed. */
const SHARE_PER_TICK = 0.05;
/** Share that is written before the pause. */
const SHARE_BEFORE_PAUSE = 0.6;
/** Longest wait for the end of a pause, milliseconds: after that the file is finished all the same. */
const LONGEST_PAUSE_MS = 30_000;

/** How a file is written. */
export interface SlowPlan {
  /** Absolute path of a file with all the bytes. */
  readonly whole: string;
  readonly target: string;
  /** Writing pauses after a good half of the file until this settles; without it there is no pause. */
  readonly pauseUntil?: Promise<unknown>;
  /** The last bytes are not written before this. */
  readonly endAfter: Promise<unknown>;
  readonly signal: AbortSignal;
}

/** A file that is being written. */
export interface SlowWriting {
  /** Resolves when its first bytes are there. */
  readonly begun: Promise<void>;
  /** Resolves when it is whole, with the time just before its last bytes were written, milliseconds since 1970. */
  readonly ended: Promise<number>;
}

/** Starts writing a file. */
export function writeSlowly(plan: SlowPlan): SlowWriting {
  const first = Promise.withResolvers<void>();
  const ended = write(plan, first.resolve);
  ended.catch(first.reject);
  return { begun: first.promise, ended };
}

async function write(
  { whole, target, pauseUntil, endAfter, signal }: SlowPlan,
  onBegun: () => void,
): Promise<number> {
  const bytes = await readFile(whole);
  const file = await open(target, 'wx');
  let position = 0;
  const append = async (length: number): Promise<void> => {
    const end = Math.min(bytes.length, position + Math.ceil(length));
    await file.write(bytes, position, end - position, position);
    position = end;
  };
  let mayEnd = false;
  const allowEnd = (): void => void (mayEnd = true);
  endAfter.then(allowEnd, allowEnd);
  try {
    await append(bytes.length * SHARE_PER_TICK);
    onBegun();
    if (pauseUntil !== undefined) {
      await append(bytes.length * SHARE_BEFORE_PAUSE);
      await settledOrLate(pauseUntil, signal);
    }
    for (let tick = 0; tick < LEAST_TICKS || !mayEnd; tick += 1) {
      await delay(TICK_MS, undefined, { signal });
      if (position < bytes.length - 1) await append((bytes.length - 1 - position) * SHARE_PER_TICK);
    }
    const endsAtMs = Date.now();
    await append(bytes.length);
    return endsAtMs;
  } finally {
    await file.close();
  }
}

async function settledOrLate(event: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const late = new AbortController();
  const settled = event.catch(() => undefined);
  const limit = delay(LONGEST_PAUSE_MS, undefined, { signal: AbortSignal.any([signal, late.signal]) });
  await Promise.race([settled, limit]).finally(() => late.abort());
  limit.catch(() => undefined);
}
