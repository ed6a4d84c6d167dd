import type { Clock } from '../ports.ts';
import type { RootGate } from '../files/root-gate.ts';

/** Default pause between whole scans, milliseconds. */
export const RESCAN_INTERVAL_MS = 60_000;
/** Scans take at most one part in this many of the time, so that idle CPU stays under 1 % however large the root is. */
const REST_PER_SCAN = 100;
/** Longest pause that a slow scan may cause, milliseconds. */
const LONGEST_RESCAN_MS = 15 * 60_000;
/** Share of the interval by which scans are spread, so that several roots do not beat together. */
const SPREAD = 0.1;
/** Pause after a pass over settling files, in durations of that pass: while that is short, a third of the time goes into it. */
const REST_PER_LOOK = 2;
/** Longest pause between two passes over settling files, milliseconds: a large export would else settle after hours. */
const LONGEST_LOOK_PAUSE_MS = 30_000;
/** Looks that hints ask for take at most one part in this many of the time: a log file may be written to for ever. */
const REST_PER_HINTED_LOOK = 20;
/** Longest time for which hints about an export are put off, milliseconds: by then a scan has seen it anyway. */
const LONGEST_HINT_REST_MS = 60_000;
/**
 * Most that one file operation counts as work, milliseconds; most take less than a tenth of it. What takes longer was
 * waiting: for a share that hangs, a PC that sleeps, a clock that was set. No pause may be a multiple of that.
 */
const MOST_WORK_PER_OPERATION_MS = 100;
/** First and longest pause before a root that is away is tried again, milliseconds. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
/** Every how many scans settled files are looked at again: growth in place does not show in the folder's time. */
export const SCANS_PER_DEEP_SCAN = 5;

/** Pause until the next whole scan, milliseconds; `random` in [0, 1). */
export function rescanDelayMs(intervalMs: number, lastWorkMs: number, random: number): number {
  const restMs = Math.min(LONGEST_RESCAN_MS, lastWorkMs * REST_PER_SCAN);
  return Math.max(intervalMs, restMs) * (1 + SPREAD * random);
}

/** Pause until the next look at settling files, milliseconds. */
export function lookDelayMs(intervalMs: number, lastWorkMs: number): number {
  return Math.max(intervalMs, Math.min(LONGEST_LOOK_PAUSE_MS, lastWorkMs * REST_PER_LOOK));
}

/** How long hints about an export are put off after a look that a hint asked for, milliseconds. */
export function hintRestMs(lastWorkMs: number): number {
  return Math.min(LONGEST_HINT_REST_MS, lastWorkMs * REST_PER_HINTED_LOOK);
}

/** A gate that measures what passes it: the work, without time that was only waited. */
export interface MeasuredGate extends RootGate {
  /** Milliseconds of work so far. */
  workMs(): number;
}

/** Makes it over the gate of a root. Operations that run side by side count once. */
export function measureWork(gate: RootGate, clock: Clock): MeasuredGate {
  let workMs = 0;
  let countedToMs = -Infinity;

  function count(startedMs: number): void {
    const nowMs = clock.monotonic();
    workMs += Math.min(MOST_WORK_PER_OPERATION_MS, nowMs - Math.max(startedMs, countedToMs));
    countedToMs = nowMs;
  }

  return {
    ...gate,
    workMs: () => workMs,
    run(operation, signal, onLate) {
      const startedMs = clock.monotonic();
      return gate.run(operation, signal, onLate).finally(() => count(startedMs));
    },
  };
}

/** Pause before a root that is away is tried for the `attempt`th time (from 1), milliseconds. */
export function offlineDelayMs(attempt: number): number {
  return Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1));
}
