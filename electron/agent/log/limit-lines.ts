import { FailureError } from '../../../shared/domain/failure.ts';
import type { Clock, LogFields } from '../ports.ts';

/** A fault is logged this often, milliseconds. */
const INTERVAL_MS = 60_000;
/** Faults that are remembered at once; of more, the one that came first is forgotten. */
const MOST_FAULTS = 1_000;
/** Bytes that may come at once, and bytes a day beside them: 50 MB on the worst day. */
const BURST_BYTES = 10_000_000;
const DAILY_BYTES = 40_000_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** A line that stands for those that were left out. */
export interface LeftOut {
  readonly level: 'warn' | 'error';
  readonly message: string;
  readonly fields: LogFields;
}

/** Keeps the log small whatever goes wrong, and says how much it left out. */
export interface LineLimit {
  /** Whether a line about a fault is due; one a minute is, by message, error code and clip. */
  isDue(level: 'warn' | 'error', message: string, fields: LogFields | undefined): boolean;
  /** Faults whose minute is over and of which lines were left out. */
  leftOut(): readonly LeftOut[];
  /** Whether a line of this many bytes fits into the day. */
  fits(bytes: number): boolean;
  /** Lines that did not fit, counted since this was asked last, once the next one fits again. */
  takeDropped(): number;
}

interface Fault extends Omit<LeftOut, 'fields'> {
  readonly sinceMs: number;
  readonly facts: LogFields;
  leftOut: number;
}

/** Makes a limit in which nothing was logged yet. */
export function createLineLimit(clock: Pick<Clock, 'monotonic'>): LineLimit {
  /** By key, in the order in which their minutes began. */
  const faults = new Map<string, Fault>();
  let bytesLeft = BURST_BYTES;
  let filledMs = clock.monotonic();
  let dropped = 0;

  return {
    isDue(level, message, fields) {
      const facts = factsOf(fields);
      const key = JSON.stringify([message, facts]);
      const fault = faults.get(key);
      if (fault !== undefined && clock.monotonic() - fault.sinceMs < INTERVAL_MS) {
        fault.leftOut += 1;
        return false;
      }
      faults.delete(key);
      faults.set(key, { level, message, facts, sinceMs: clock.monotonic(), leftOut: 0 });
      const [oldest] = faults.keys();
      if (faults.size > MOST_FAULTS && oldest !== undefined) faults.delete(oldest);
      return true;
    },
    leftOut() {
      const over: LeftOut[] = [];
      for (const [key, { sinceMs, leftOut, level, message, facts }] of faults) {
        if (clock.monotonic() - sinceMs < INTERVAL_MS) break;
        faults.delete(key);
        if (leftOut > 0) over.push({ level, message, fields: { ...facts, sameLines: leftOut } });
      }
      return over;
    },
    fits(bytes) {
      const now = clock.monotonic();
      bytesLeft = Math.min(BURST_BYTES, bytesLeft + ((now - filledMs) / DAY_MS) * DAILY_BYTES);
      filledMs = now;
      if (bytes > bytesLeft) {
        dropped += 1;
        return false;
      }
      bytesLeft -= bytes;
      return true;
    },
    takeDropped() {
      const lines = dropped;
      dropped = 0;
      return lines;
    },
  };
}

/** What tells two faults with the same message apart. */
function factsOf(fields: LogFields | undefined): LogFields {
  const code = codeOf(fields?.['error']) ?? codeOf(fields?.['failure']) ?? codeOf(fields);
  const clipId = fields?.['clipId'];
  return {
    ...(code !== undefined && { code }),
    ...(typeof clipId === 'string' && { clipId }),
  };
}

function codeOf(value: unknown): string | undefined {
  if (value instanceof FailureError) return value.failure.code;
  if (typeof value !== 'object' || value === null || !('code' in value)) return undefined;
  return typeof value.code === 'string' ? value.code : undefined;
}
