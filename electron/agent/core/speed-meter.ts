/** State of a speed estimate. */
export interface SpeedMeter {
  readonly bytes: number;
  readonly atMs: number;
  /** Weighted mean before its correction, bytes per second. */
  readonly mean: number;
  /** Sum of the weights in `mean`, 0 to 1: divides out the zero it started from. */
  readonly weight: number;
}

/** Half-life of the mean, milliseconds: smooth enough to read, quick enough to trust. */
const HALF_LIFE_MS = 2000;
/** No speed is reported until this much time has been measured, milliseconds. */
const SETTLE_MS = 500;

/** A meter that starts at `bytes`. */
export function startSpeedMeter(bytes: number, atMs: number): SpeedMeter {
  return { bytes, atMs, mean: 0, weight: 0 };
}

/** The meter after another observation. A drop in bytes (a part is sent again) counts as no progress. */
export function observeSpeed(meter: SpeedMeter, bytes: number, atMs: number): SpeedMeter {
  const elapsedMs = atMs - meter.atMs;
  if (elapsedMs <= 0) return meter;
  const speed = (Math.max(0, bytes - meter.bytes) * 1000) / elapsedMs;
  const keep = 2 ** (-elapsedMs / HALF_LIFE_MS);
  return {
    bytes,
    atMs,
    mean: meter.mean * keep + speed * (1 - keep),
    weight: meter.weight * keep + (1 - keep),
  };
}

/** Bytes per second; undefined until enough time has been measured. */
export function speedOf(meter: SpeedMeter): number | undefined {
  const leastWeight = 1 - 2 ** (-SETTLE_MS / HALF_LIFE_MS);
  return meter.weight < leastWeight - Number.EPSILON ? undefined : meter.mean / meter.weight;
}
