import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UploadTarget } from '../../../shared/domain/upload-view.ts';
import type { OrderScope } from '../store/clip-orders.ts';
import type { Tables } from '../store/tables.ts';

/** Clips that one transaction of an order changes: it holds the main loop for less than 10 ms. */
export const CLIPS_AT_ONCE = 500;

type Slices = Generator<OrderScope, void, undefined>;

/**
 * What an order is about, piece by piece, each for a transaction of its own; read as it goes. An incident that is not
 * large is one piece. Clips that come to a large one meanwhile are in none.
 */
export function* sliceTarget({ clips }: Pick<Tables, 'clips'>, target: UploadTarget): Slices {
  if (target.kind === 'clips') {
    yield* sliceIds(target.clipIds);
    return;
  }
  let page = clips.pageOfIncident(target.incidentId, undefined, CLIPS_AT_ONCE);
  if (page.length < CLIPS_AT_ONCE) {
    yield target;
    return;
  }
  for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
    yield { kind: 'clips', clipIds: page.map(({ id }) => id) };
    page = clips.pageOfIncident(target.incidentId, last, CLIPS_AT_ONCE);
  }
}

function* sliceIds(clipIds: readonly string[]): Slices {
  for (let at = 0; at < clipIds.length; at += CLIPS_AT_ONCE)
    yield { kind: 'clips', clipIds: clipIds.slice(at, at + CLIPS_AT_ONCE) };
}

/** Slice after slice, each in a transaction, `begin` in the first of them; answers what `work` answers in sum. */
export async function changeBySlices(
  tables: Pick<Tables, 'clips' | 'write'>,
  target: UploadTarget,
  work: (scope: OrderScope) => number,
  begin?: () => void,
): Promise<number> {
  let changed: number | undefined;
  for (const scope of sliceTarget(tables, target)) {
    const isFirst = changed === undefined;
    if (!isFirst) await nextTurn();
    const more = tables.write(() => {
      if (isFirst) begin?.();
      return work(scope);
    });
    changed = (changed ?? 0) + more;
  }
  return changed ?? 0;
}
