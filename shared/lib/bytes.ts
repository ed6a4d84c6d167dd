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
