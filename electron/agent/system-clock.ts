import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from './ports.ts';

/** Longest single timer of Node, milliseconds: a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The real clock: the one place that reads time and randomness. */
export function createSystemClock(): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: sleepFor,
    after: callAfter,
    random: () => Math.random(),
  };
}

function callAfter(delayMs: number, work: () => void): () => void {
  if (delayMs > LONGEST_TIMER_MS) throw new RangeError(`A timer cannot wait ${delayMs} ms`);
  const timer = setTimeout(work, Math.max(0, delayMs));
  return () => clearTimeout(timer);
}

async function sleepFor(delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  let leftMs = Math.max(0, delayMs);
  try {
    do {
      const stepMs = Math.min(leftMs, LONGEST_TIMER_MS);
      await delay(stepMs, undefined, signal ? { signal } : {});
      leftMs -= stepMs;
    } while (leftMs > 0);
  } catch (error) {
    // Node rejects with an AbortError of its own; the port promises the signal's reason
    signal?.throwIfAborted();
    throw error;
  }
}
