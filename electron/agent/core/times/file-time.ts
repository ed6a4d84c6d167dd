import type { FileSeen } from '../settle/file-seen.ts';
import { EARLIEST_PLAUSIBLE_MS } from './zoned-time.ts';

/** Why the last write time of a file is trusted least. */
export const WRITTEN_NOTE = 'copying or exporting sets it, so it may be far off';

/**
 * How far a clock may be ahead of ours before its times are unlikely, milliseconds: a day, to allow for mixed-up zones.
 */
const FUTURE_TOLERANCE_MS = 86_400_000;

/** Modification time of a file, milliseconds since 1970 UTC; NaN if it cannot be read. */
export function fileTimeMs(file: FileSeen): number {
  return /^-?\d{1,30}$/.test(file.mtimeNs) ? Math.round(Number(file.mtimeNs) / 1e6) : Number.NaN;
}

/** Whether a recording can be from this time. */
export function isPlausible(
  ms: number,
  settledAtMs: number,
  toleranceMs: number = FUTURE_TOLERANCE_MS,
): boolean {
  return ms >= EARLIEST_PLAUSIBLE_MS && ms <= settledAtMs + toleranceMs;
}
