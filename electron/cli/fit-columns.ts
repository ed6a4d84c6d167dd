import type { Column } from './table.ts';

/**
 * Widths with which a table fits into `room`; undefined for a column that is left out. First the widest columns that
 * may give way do so, then optional ones go. What cannot give way any more runs over: better than hiding an id.
 */
export function fitColumns(
  columns: readonly Column[],
  widths: readonly number[],
  room: number,
  gap: number,
): readonly (number | undefined)[] {
  const leasts = columns.map(({ least }, index) => Math.min(least ?? Infinity, widths[index] ?? 0));
  const fitted: (number | undefined)[] = [...widths];
  while (
    total(
      leasts.filter((_, index) => fitted[index] !== undefined),
      gap,
    ) > room
  ) {
    const last = columns.findLastIndex(
      ({ optional }, index) => optional === true && fitted[index] !== undefined,
    );
    if (last === -1) break;
    fitted[last] = undefined;
  }
  for (let excess = total(fitted, gap) - room; excess > 0; excess -= 1) {
    const widest = widestOpen(fitted, leasts);
    if (widest === undefined) break;
    fitted[widest] = (fitted[widest] ?? 0) - 1;
  }
  return fitted;
}

function total(widths: readonly (number | undefined)[], gap: number): number {
  const kept = widths.filter((width) => width !== undefined);
  return kept.reduce((sum, width) => sum + width, gap * (kept.length - 1));
}

/** The widest column that is wider than its least. */
function widestOpen(fitted: readonly (number | undefined)[], leasts: readonly number[]): number | undefined {
  const open = fitted.flatMap((width, index) =>
    width !== undefined && width > (leasts[index] ?? 0) ? [{ width, index }] : [],
  );
  return open.toSorted((left, right) => right.width - left.width)[0]?.index;
}
