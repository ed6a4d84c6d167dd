import { createSystemClock } from '../../electron/agent/system-clock.ts';
import type { Clock } from '../../electron/agent/ports.ts';

/** The real clock with the shortest draws for retries, which can be moved on and set wrong. */
export interface BenchClock extends Clock {
  /** Lets time pass at once: pauses and delays are over sooner. */
  skip(ms: number): void;
  /** Sets the wall clock wrong by so much. */
  setWrongBy(ms: number): void;
  /** How much was skipped, milliseconds. */
  skippedMs(): number;
  /** What the next draws are, in [0, 1); 0 is the shortest delay. */
  setRandom(value: number): void;
}

/** Makes the clock; unless told otherwise every draw is 0, so that a first retry comes after 1 s. */
export function createBenchClock(): BenchClock {
  const real = createSystemClock();
  let skipped = 0;
  let wrongBy = 0;
  let drawn = 0;
  return {
    now: () => real.now() + skipped + wrongBy,
    monotonic: () => real.monotonic() + skipped,
    sleep: real.sleep,
    after: real.after,
    random: () => drawn,
    skip: (ms) => void (skipped += ms),
    setWrongBy: (ms) => void (wrongBy = ms),
    skippedMs: () => skipped,
    setRandom: (value) => void (drawn = value),
  };
}
