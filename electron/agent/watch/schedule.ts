import { lookIntervalMs } from '../core/settle/settle-rule.ts';
import type { RootGate } from '../files/root-gate.ts';
import type { Clock } from '../ports.ts';
import type { WatchOptions } from './watcher.ts';

/** Default pause between whole scans, milliseconds. */
const RESCAN_INTERVAL_MS = 60_000;
/** Scans take at most one part in this many of the time, so that idle CPU stays under 1 % however large the root is. */
const REST_PER_SCAN = 100;
/**
 * Longest time between the starts of two scans that the work of scans may cause, milliseconds. With its spread, a scan
 * ends at least every five minutes: each whole scan proves that a new export is noticed.
 */
const LONGEST_RESCAN_MS = 4.5 * 60_000;
/** Share of the interval by which scans are spread, so that several roots do not scan in step. */
const SPREAD = 0.1;
/** After this many scans, settled files are inspected again: growth in place does not show in the folder's time. */
const SCANS_PER_DEEP_SCAN = 5;
/** First and longest pause before a root that is away is retried, milliseconds. */
const FIRST_BACKOFF_MS = 1_000;
const LONGEST_BACKOFF_MS = 30_000;
/** Least pause before a scan makes up for dropped hints: milliseconds, and a multiple of the last scan's work. */
const OVERFLOW_SCAN_MS = 2_000;
const REST_PER_OVERFLOW_SCAN = 10;
/** Least time between two scans that errors of the hints cause, milliseconds. */
const ERROR_SCAN_MS = 10_000;
/** Longest pause between two passes over settling files, milliseconds: a large export would otherwise take hours. */
const LONGEST_PASS_PAUSE_MS = 30_000;
/** Inspections because of hints take at most one part in this many of the time: a log file may be written forever. */
const REST_PER_HINTED = 20;
/** Longest time for which hints about an export are deferred, milliseconds: by then a scan has seen it anyway. */
const LONGEST_HINT_REST_MS = 60_000;
/**
 * Most that one file operation counts as work, milliseconds; most take less than a tenth of it. Anything longer was
 * spent waiting: for a hung share, a PC that slept, a clock that was set. No pause may be a multiple of that.
 */
const MOST_WORK_PER_OPERATION_MS = 100;

/** Pause until the next pass over settling files, milliseconds: as long as a long pass, so that half is idle time. */
export function passPauseMs(intervalMs: number, lastWorkMs: number): number {
  return Math.max(intervalMs, Math.min(LONGEST_PASS_PAUSE_MS, lastWorkMs));
}

/** How long hints about an export are deferred after an inspection because of a hint, milliseconds. */
export function hintRestMs(lastWorkMs: number): number {
  return Math.min(LONGEST_HINT_REST_MS, lastWorkMs * REST_PER_HINTED);
}

/** A gate that measures the work passing it, without waiting time. */
export interface MeasuredGate extends RootGate {
  /** Milliseconds of work so far. */
  workMs(): number;
}

/** Wraps the gate of a root so that its work is measured. Concurrent operations count once. */
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

/** When the next whole scan is due. Anyone may bring it forward; only a scan that begins or fails postpones it. */
export interface ScanSchedule {
  /** On the monotonic clock, milliseconds. */
  dueMs(): number;
  /** Whole scans that succeeded. */
  scanCount(): number;
  /** Wall-clock time of the last of them, milliseconds since 1970. */
  lastScanAt(): number | undefined;
  /** Brings the next scan forward. */
  scanWithin(delayMs: number): void;
  /** The next scan is due immediately, and inspects settled files too. */
  requestDeep(): void;
  /** The system has probably dropped hints. */
  scanAfterOverflow(): void;
  scanAfterHintError(): void;
  /** A scan begins. Returns whether it inspects settled files too. Later requests apply to the next scan. */
  begin(): { readonly isDeep: boolean };
  succeeded(): void;
  /** The root is away: it is retried with growing pauses, and inspected completely when it is back. */
  failed(): void;
}

/** Creates the schedule of one root; a first, deep scan is due immediately. */
export function createScanSchedule(
  {
    clock,
    settings,
    rescanIntervalMs = RESCAN_INTERVAL_MS,
  }: Pick<WatchOptions, 'clock' | 'settings' | 'rescanIntervalMs'>,
  gate: MeasuredGate,
): ScanSchedule {
  let dueMs = -Infinity;
  let isDeepNext = true;
  let count = 0;
  let failedInARow = 0;
  let lastScanAt: number | undefined;
  let atBegin = { ms: 0, workMs: 0 };
  let last = { endedMs: -Infinity, workMs: 0 };

  function scanWithin(delayMs: number): void {
    dueMs = Math.min(dueMs, clock.monotonic() + delayMs);
  }

  return {
    dueMs: () => dueMs,
    scanCount: () => count,
    lastScanAt: () => lastScanAt,
    scanWithin,
    requestDeep() {
      isDeepNext = true;
      scanWithin(0);
    },
    scanAfterOverflow: () => scanWithin(Math.max(OVERFLOW_SCAN_MS, last.workMs * REST_PER_OVERFLOW_SCAN)),
    scanAfterHintError() {
      const waitMs = last.endedMs + ERROR_SCAN_MS - clock.monotonic();
      scanWithin(Math.max(lookIntervalMs(settings.settleSeconds), waitMs));
    },
    begin() {
      const isDeep = isDeepNext || count % SCANS_PER_DEEP_SCAN === 0;
      isDeepNext = false;
      dueMs = Infinity;
      atBegin = { ms: clock.monotonic(), workMs: gate.workMs() };
      return { isDeep };
    },
    succeeded() {
      count += 1;
      failedInARow = 0;
      lastScanAt = clock.now();
      last = { endedMs: clock.monotonic(), workMs: gate.workMs() - atBegin.workMs };
      const mostMs = LONGEST_RESCAN_MS - (last.endedMs - atBegin.ms);
      const restMs = Math.min(mostMs, last.workMs * REST_PER_SCAN);
      scanWithin(Math.max(rescanIntervalMs, restMs) * (1 + SPREAD * clock.random()));
    },
    failed() {
      failedInARow += 1;
      isDeepNext = true;
      dueMs = clock.monotonic() + Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (failedInARow - 1));
    },
  };
}
