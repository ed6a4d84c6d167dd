/** The start of a clip: `laterMs` is there when the clock showed it twice. */
export interface PossibleStart {
  readonly ms: number;
  readonly laterMs?: number;
}

/**
 * Which of two instants a doubled hour means, for the clips of one camera in order of name: the earlier
 * one, unless that puts a clip before the one in front of it and the later one does not (service.md gap 28).
 * Answers milliseconds in the same order.
 */
export function resolveDoubledHours(starts: readonly PossibleStart[]): readonly number[] {
  let previousMs = Number.NEGATIVE_INFINITY;
  return starts.map((start) => {
    const isOutOfOrder = start.ms < previousMs;
    const ms =
      isOutOfOrder && start.laterMs !== undefined && start.laterMs >= previousMs ? start.laterMs : start.ms;
    previousMs = ms;
    return ms;
  });
}

/** Order of names as people count: `clip 9` before `clip 10`. Total, and the same on every machine. */
export function compareNames(left: string, right: string): number {
  const leftParts = left.split(/(\d+)/);
  const rightParts = right.split(/(\d+)/);
  for (const [index, part] of leftParts.entries()) {
    const other = rightParts[index];
    if (other === undefined) return 1;
    const order = index % 2 === 1 ? compareNumbers(part, other) : compareText(part, other);
    if (order !== 0) return order;
  }
  return leftParts.length - rightParts.length || compareText(left, right);
}

function compareNumbers(left: string, right: string): number {
  const a = left.replace(/^0+/, '');
  const b = right.replace(/^0+/, '');
  return a.length - b.length || compareText(a, b);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
