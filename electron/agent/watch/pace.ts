/** Default pause between whole scans, milliseconds. */
export const RESCAN_INTERVAL_MS = 60_000;
/** Scans take at most one part in this many of the time, so that idle CPU stays under 1 % however large the root is. */
const REST_PER_SCAN = 100;
/** Longest pause that a slow scan may cause, milliseconds. */
const LONGEST_RESCAN_MS = 15 * 60_000;
/** Share of the interval by which scans are spread, so that several roots do not beat together. */
const SPREAD = 0.1;
/** Pause after a pass over settling files, in durations of that pass: a third of the time at most goes into looking. */
const REST_PER_LOOK = 2;
/** First and longest pause before a root that is away is tried again, milliseconds. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 60_000;
/** Every how many scans settled files are looked at again: growth in place does not show in the folder's time. */
export const SCANS_PER_DEEP_SCAN = 5;

/** Pause until the next whole scan, milliseconds; `random` in [0, 1). */
export function rescanDelayMs(intervalMs: number, lastDurationMs: number, random: number): number {
  const restMs = Math.min(LONGEST_RESCAN_MS, lastDurationMs * REST_PER_SCAN);
  return Math.max(intervalMs, restMs) * (1 + SPREAD * random);
}

/** Pause until the next look at settling files, milliseconds. */
export function lookDelayMs(intervalMs: number, lastDurationMs: number): number {
  return Math.max(intervalMs, lastDurationMs * REST_PER_LOOK);
}

/** Pause before a root that is away is tried for the `attempt`th time (from 1), milliseconds. */
export function offlineDelayMs(attempt: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
}
