const KIB = 1024;
export const MIB = KIB * KIB;
export const GIB = KIB * MIB;

/** The middle value; for an even count, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Median with the smallest and largest value, to show how steady it is. */
export function spread(values: readonly number[], digits = 0): string {
  if (values.length === 0) return '';
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const middle = median(values).toFixed(digits);
  return values.length < 2 ? middle : `${middle} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}
