/** Latest moment of the first try, seconds: operators expect the beginning of what they exported. */
const LATEST_FIRST_S = 3;
/** Where recordings fade in from black; seconds. */
const LATER_S = [6, 12];
/** Then across the clip. */
const LATER_SHARES = [0.25, 0.5, 0.75, 0.95];
/** Without a known length: a frame that is asked for after the end is the last one. */
const UNKNOWN_S = [3, 1, 6, 12, 30, 0];

/** The moments of a clip at which its thumbnail is tried, seconds, best first; `durationS` may be unknown. */
export function planTimes(durationS: number | undefined): readonly number[] {
  if (durationS === undefined || !Number.isFinite(durationS) || durationS <= 0) return UNKNOWN_S;
  const first = Math.min(durationS / 10, LATEST_FIRST_S);
  const later = [
    ...LATER_S.filter((at) => at < durationS),
    ...LATER_SHARES.map((share) => share * durationS),
  ];
  return [...new Set([first, ...later.filter((at) => at > first), 0])];
}
