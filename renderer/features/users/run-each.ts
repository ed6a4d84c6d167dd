import { concernsAllCalls, policyOf } from '../../../shared/domain/failure-policy.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';

/** What became of one of many. `left`: not tried, because the run was cancelled or had to stop. */
export type Outcome<Item, Output> =
  | { readonly kind: 'done'; readonly item: Item; readonly output: Output }
  | { readonly kind: 'failed'; readonly item: Item; readonly failure: Failure }
  | { readonly kind: 'left'; readonly item: Item };

/**
 * Does something for each item, one after another, and reports how many are done. It stops when it is cancelled, or at
 * a failure that all others would meet too: at the first one, or the second in a row where one may be about a single
 * item. What is under way is waited for, and the rest stays as it is.
 */
export async function runEach<Item, Output>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result<Output, Failure>>,
  { signal, onStep }: { readonly signal: AbortSignal; readonly onStep: (done: number) => void },
): Promise<readonly Outcome<Item, Output>[]> {
  const outcomes: Outcome<Item, Output>[] = [];
  let inARow = 0;
  let isStopped = false;
  for (const item of items) {
    if (isStopped || signal.aborted) {
      outcomes.push({ kind: 'left', item });
      continue;
    }
    // One after another, so that a cancelled run leaves a clear rest
    const answer = await act(item);
    outcomes.push(
      answer.ok
        ? { kind: 'done', item, output: answer.value }
        : { kind: 'failed', item, failure: answer.error },
    );
    inARow = answer.ok || !concernsAllCalls(answer.error.code) ? 0 : inARow + 1;
    isStopped = !answer.ok && inARow > 0 && inARow >= (policyOf(answer.error.code).provenBy ?? 1);
    onStep(outcomes.length);
  }
  return outcomes;
}

/** How many of the outcomes are of each kind. */
export function countOutcomes(
  outcomes: readonly Outcome<unknown, unknown>[],
): Readonly<Record<Outcome<unknown, unknown>['kind'], number>> {
  const count = (kind: Outcome<unknown, unknown>['kind']): number =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  return { done: count('done'), failed: count('failed'), left: count('left') };
}
