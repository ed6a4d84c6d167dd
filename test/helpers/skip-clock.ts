import { createSystemClock } from '../../electron/agent/system-clock.ts';
import type { BenchClock } from './bench-clock.ts';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
  stop: () => void;
}

/** A bench clock on which a skip also ends every pause that is due by then: hours of waiting take no time. */
export function createSkipClock(): BenchClock {
  const real = createSystemClock();
  const asleep = new Set<Sleeper>();
  let skipped = 0;
  let wrongBy = 0;
  let drawn = 0;
  const monotonic = (): number => real.monotonic() + skipped;

  function arm(sleeper: Sleeper): void {
    sleeper.stop();
    sleeper.stop = real.after(Math.max(0, sleeper.dueMs - monotonic()), () => {
      asleep.delete(sleeper);
      sleeper.wake();
    });
  }

  function after(delayMs: number, wake: () => void): () => void {
    const sleeper: Sleeper = { dueMs: monotonic() + delayMs, wake, stop: () => undefined };
    asleep.add(sleeper);
    arm(sleeper);
    return () => {
      asleep.delete(sleeper);
      sleeper.stop();
    };
  }

  return {
    now: () => real.now() + skipped + wrongBy,
    monotonic,
    after,
    sleep(delayMs, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted === true) return reject(signal.reason);
        const takeBack = after(delayMs, () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        });
        const onAbort = (): void => {
          takeBack();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
    random: () => drawn,
    skip(ms) {
      skipped += ms;
      for (const sleeper of asleep) arm(sleeper);
    },
    setWrongBy: (ms) => void (wrongBy = ms),
    skippedMs: () => skipped,
    setRandom: (value) => void (drawn = value),
  };
}
