const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'] as const;
/** Bytes in one kB: units are decimal, as on disks and lines, not in memory. */
const STEP = 1000;

/** A size for people: whole bytes under 1 kB, then one decimal in decimal units ("12.3 MB"). */
export function formatBytes(sizeBytes: number): string {
  const size = Math.max(0, Math.round(sizeBytes));
  if (size < STEP) return `${size} B`;
  let value = size / STEP;
  let unit: string = UNITS[0];
  for (const next of UNITS.slice(1)) {
    // 999.95 would be written as "1000.0"
    if (Number(value.toFixed(1)) < STEP) break;
    value /= STEP;
    unit = next;
  }
  return `${value.toFixed(1)} ${unit}`;
}

/** A speed for people: "45.1 MB/s". */
export function formatSpeed(bytesPerSecond: number): string {
  return `${formatBytes(bytesPerSecond)}/s`;
}

const SECOND_MS = 1000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** A duration for people, in its two largest units: "0.4 s", "12 s", "3 min 20 s", "1 h 05 min", "2 d 3 h". */
export function formatDuration(durationMs: number): string {
  const ms = Math.max(0, durationMs);
  if (ms > 0 && ms < SECOND_MS) return `${Math.max(0.1, Math.round(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.round(ms / SECOND_MS);
  if (seconds < MINUTE_S) return `${seconds} s`;
  if (seconds < HOUR_S)
    return `${Math.floor(seconds / MINUTE_S)} min ${pad(Math.floor(seconds % MINUTE_S))} s`;
  const minutes = Math.round(seconds / MINUTE_S);
  if (minutes < DAY_S / MINUTE_S) return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
  const hours = Math.round(seconds / HOUR_S);
  const rest = hours % 24;
  return `${Math.floor(hours / 24)} d${rest === 0 ? '' : ` ${rest} h`}`;
}

const pad = (value: number): string => String(value).padStart(2, '0');
