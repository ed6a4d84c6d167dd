/** The page's clock: what is shown as "now" and "since". Only this file reads it. */
export interface PageClock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Monotonic milliseconds. */
  monotonic(): number;
}

/** The browser's own clock. */
export const pageClock: PageClock = { now: () => Date.now(), monotonic: () => performance.now() };
