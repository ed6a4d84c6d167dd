/** Room above the highest speed, so that its line is not cut in half. */
const HEADROOM = 2;

/**
 * The path of the speeds, one a second, oldest first, as SVG writes it: the newest ends at `seconds`, the highest
 * reaches the top, nothing at all lies on the ground.
 */
export function speedCurve(
  speeds: readonly number[],
  { seconds, height }: { readonly seconds: number; readonly height: number },
): string {
  const highest = Math.max(1, ...speeds);
  const from = seconds - speeds.length;
  const points = speeds.map((speed, index) => {
    const y = height - (speed / highest) * (height - HEADROOM);
    return `${from + index} ${Math.round(10 * y) / 10}`;
  });
  return `M${points.join('L')}H${seconds}`;
}
