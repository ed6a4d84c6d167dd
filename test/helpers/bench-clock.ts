import { createSystemClock } from '../../electron/agent/system-clock.ts';
import type { Clock } from '../../electron/agent/ports.ts';

/** The real clock, with the shortest delays for retries; it can be moved on and set wrong. */
export interface BenchClock extends Clock {
  /** Moves time on immediately: pauses and delays end sooner. */
  skip(ms: number): void;
  /** Sets the wall clock wrong by this much, milliseconds. */
  setWrongBy(ms: number): void;
  /** Total time skipped, milliseconds. */
  skippedMs(): number;
  /** Sets the next random numbers, in [0, 1); 0 gives the shortest delay. */
  setRandom(value: number): void;
}

/** Creates the clock; by default every random number is 0, so that a first retry comes after 1 s. */
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
