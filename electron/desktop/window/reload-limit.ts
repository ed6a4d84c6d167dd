/** A page that crashes this often in this time will do so again. */
const MOST_RELOADS = 5;
const WITHIN_MS = 10 * 60_000;

/** The times of the reloads that count, with this one; undefined when it would be one too many. Milliseconds. */
export function nextReloads(earlier: readonly number[], nowMs: number): readonly number[] | undefined {
  const counting = earlier.filter((atMs) => nowMs - atMs < WITHIN_MS);
  return counting.length < MOST_RELOADS ? [...counting, nowMs] : undefined;
}
