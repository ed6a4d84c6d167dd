import type { Clock } from '../ports.ts';

/** Largest step, bytes (1 MiB): one buffer. */
const MAX_CHUNK_BYTES = 1024 * 1024;
/** Smallest step, bytes: below this the cost of a step outweighs its smoothness. */
const MIN_CHUNK_BYTES = 1024;
/** Steps per second that a limit is spread over: no burst longer than about 60 ms. */
const STEPS_PER_SECOND = 16;
/**
 * What may accumulate while nothing is sent, milliseconds of the limit: bridges late timers, but is too short for a
 * burst.
 */
const SAVED_MS = 50;

/** One limit for everything that is sent. */
export interface RateLimit {
  /** Waits until `bytes` may be sent, first come first served; rejects with the signal's reason. */
  take(bytes: number, signal?: AbortSignal): Promise<void>;
  /** Bytes that a sender should ask for at a time under the present limit. */
  readonly chunkBytes: number;
  /** Changes the limit, also for those who are already waiting. */
  setLimit(maxBytesPerSecond: number | null): void;
}

interface Waiter {
  readonly bytes: number;
  readonly go: () => void;
}

/** Creates a limit of `maxBytesPerSecond`; null: none. */
export function createRateLimit(clock: Clock, maxBytesPerSecond: number | null): RateLimit {
  const waiters = new Set<Waiter>();
  let limit = maxBytesPerSecond;
  /** Bytes that may be sent now; below zero: bytes that were sent in advance, which the next one has to wait for. */
  let allowance = 0;
  let countedAt = clock.monotonic();
  let wake: AbortController | undefined;
  let isPumping = false;

  function refill(rate: number): void {
    const now = clock.monotonic();
    const saved = Math.max(chunkFor(rate), (rate * SAVED_MS) / 1000);
    allowance = Math.min(saved, allowance + ((now - countedAt) * rate) / 1000);
    countedAt = now;
  }

  function release(): void {
    for (const waiter of waiters) {
      if (limit !== null) {
        if (allowance <= 0) return;
        allowance -= waiter.bytes;
      }
      waiters.delete(waiter);
      waiter.go();
    }
  }

  async function pump(): Promise<void> {
    isPumping = true;
    while (waiters.size > 0) {
      if (limit !== null) refill(limit);
      release();
      if (waiters.size === 0 || limit === null) continue;
      wake = new AbortController();
      // At least one millisecond, the resolution of timers
      const delayMs = Math.max(1, (-allowance * 1000) / limit);
      await clock.sleep(delayMs, wake.signal).catch(() => undefined);
    }
    isPumping = false;
  }

  function wait(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiters.delete(waiter);
        if (waiters.size === 0) wake?.abort();
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        bytes,
        go() {
          signal?.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal?.addEventListener('abort', giveUp, { once: true });
      waiters.add(waiter);
      if (!isPumping) void pump();
    });
  }

  return {
    async take(bytes, signal) {
      signal?.throwIfAborted();
      if (limit !== null || waiters.size > 0) await wait(bytes, signal);
    },
    get chunkBytes() {
      return limit === null ? MAX_CHUNK_BYTES : chunkFor(limit);
    },
    setLimit(next) {
      if (limit !== null) refill(limit);
      // Nothing accumulates while there is no limit
      else [allowance, countedAt] = [0, clock.monotonic()];
      // Under a low limit, a debt from a high one would take too long to pay off
      if (next !== null) allowance = Math.max(allowance, -chunkFor(next));
      limit = next;
      wake?.abort();
    },
  };
}

function chunkFor(rate: number): number {
  const bytes = Math.floor(rate / STEPS_PER_SECOND / 1024) * 1024;
  return Math.min(MAX_CHUNK_BYTES, Math.max(MIN_CHUNK_BYTES, bytes));
}
