import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { TrayGlyph } from './tray.ts';

/** A picture: red, green, blue and alpha of each point, row by row. */
export interface Picture {
  readonly size: number;
  readonly points: Uint8Array;
}

/** Colours of the pages' states (renderer/styles/tokens.css); shapes differ too, for those who see no colours. */
const colours: Readonly<Record<TrayGlyph, readonly [number, number, number]>> = {
  idle: [124, 135, 150],
  working: [61, 139, 212],
  paused: [194, 138, 24],
  failed: [209, 67, 67],
};
const WHITE = [255, 255, 255] as const;
/** Looks for each point, in each direction: edges get steps between. */
const LOOKS = 4;

/**
 * Draws the state: a disc with a tick, an arrow up, two bars, or an exclamation mark cut out of it. A template picture is
 * black with holes, which macOS colours by itself.
 */
export function drawGlyph(glyph: TrayGlyph, size: number, isTemplate: boolean): Picture {
  const points = new Uint8Array(size * size * 4);
  const disc = isTemplate ? ([0, 0, 0] as const) : colours[glyph];
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      const { inDisc, inSign } = coverage(glyph, x, y, size);
      const sign = inDisc === 0 ? 0 : inSign / inDisc;
      const colour = disc.map((part, index) =>
        isTemplate ? part : Math.round(part + ((WHITE[index] ?? part) - part) * sign),
      );
      const alpha = isTemplate ? inDisc - inSign : inDisc;
      points.set([...colour, Math.round(alpha * 255)], (y * size + x) * 4);
    }
  }
  return { size, points };
}

/** How much of the point lies in the disc, and how much of that in the sign; each in [0, 1]. */
function coverage(glyph: TrayGlyph, x: number, y: number, size: number): { inDisc: number; inSign: number } {
  let inDisc = 0;
  let inSign = 0;
  for (let step = 0; step < LOOKS * LOOKS; step += 1) {
    // From -1 to 1 in both directions, the middle of the picture is 0
    const across = ((x + ((step % LOOKS) + 0.5) / LOOKS) / size) * 2 - 1;
    const down = ((y + (Math.floor(step / LOOKS) + 0.5) / LOOKS) / size) * 2 - 1;
    if (Math.hypot(across, down) > 0.96) continue;
    inDisc += 1;
    if (isInSign(glyph, across, down)) inSign += 1;
  }
  return { inDisc: inDisc / (LOOKS * LOOKS), inSign: inSign / (LOOKS * LOOKS) };
}

function isInSign(glyph: TrayGlyph, x: number, y: number): boolean {
  switch (glyph) {
    case 'idle':
      return isOnLine(x, y, [-0.45, 0.02], [-0.12, 0.35]) || isOnLine(x, y, [-0.12, 0.35], [0.48, -0.35]);
    case 'working':
      return (
        isOnLine(x, y, [0, 0.5], [0, -0.45]) ||
        isOnLine(x, y, [0, -0.5], [-0.38, -0.1]) ||
        isOnLine(x, y, [0, -0.5], [0.38, -0.1])
      );
    case 'paused':
      return Math.abs(y) < 0.5 && Math.abs(x) > 0.12 && Math.abs(x) < 0.4;
    case 'failed':
      return Math.abs(x) < 0.15 && ((y > -0.6 && y < 0.15) || (y > 0.32 && y < 0.6));
    default:
      return assertNever(glyph);
  }
}

const HALF_STROKE = 0.13;

function isOnLine(
  x: number,
  y: number,
  from: readonly [number, number],
  to: readonly [number, number],
): boolean {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const along = ((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy);
  const near = Math.min(1, Math.max(0, along));
  return Math.hypot(x - from[0] - near * dx, y - from[1] - near * dy) <= HALF_STROKE;
}
