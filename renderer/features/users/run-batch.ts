import { useEffect, useRef, useState } from 'react';
import { concernsAllCalls, policyOf } from '../../../shared/domain/failure-policy.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';

/** The result of one item of a batch. `left`: not attempted, because the run was cancelled or had to stop. */
export type Outcome<Item, Output> =
  | { readonly kind: 'done'; readonly item: Item; readonly output: Output }
  | { readonly kind: 'failed'; readonly item: Item; readonly failure: Failure }
  | { readonly kind: 'left'; readonly item: Item };

/**
 * Runs an action for each item, one after another, and reports how many are done. It stops when cancelled, or at a
 * failure that would affect all other items too: at the first one, or at the second in a row for failures that may
 * concern a single item. The action in progress is finished, and the rest is left alone.
 */
export async function runBatch<Item, Output>(
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
    // Sequential, so that a cancelled run leaves a well-defined rest
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

/** The number of outcomes of each kind. */
export function countOutcomes(
  outcomes: readonly Outcome<unknown, unknown>[],
): Readonly<Record<Outcome<unknown, unknown>['kind'], number>> {
  const count = (kind: Outcome<unknown, unknown>['kind']): number =>
    outcomes.filter((outcome) => outcome.kind === kind).length;
  return { done: count('done'), failed: count('failed'), left: count('left') };
}

/** The state of a batch. */
type BatchState<Item, Output> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'ended'; readonly outcomes: readonly Outcome<Item, Output>[] };

/** A batch that can be started, watched, cancelled and dismissed. */
export interface BulkRun<Item, Output> {
  readonly state: BatchState<Item, Output>;
  readonly start: (items: readonly Item[]) => void;
  readonly cancel: () => void;
  readonly clear: () => void;
}

/**
 * Runs an action for many items, one after another. Leaving the screen cancels the rest; `onEnded` is called in either
 * case, and can start another run. Items started during a run are queued after it. Outcomes are kept only here.
 */
export function useBatch<Item, Output>(
  act: (item: Item) => Promise<Result<Output, Failure>>,
  onEnded: (outcomes: readonly Outcome<Item, Output>[], again: (items: readonly Item[]) => void) => void,
): BulkRun<Item, Output> {
  const [state, setState] = useState<BatchState<Item, Output>>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  /** Items started during a run. */
  const waiting = useRef<readonly Item[]>([]);
  function cancel(): void {
    waiting.current = [];
    running.current?.abort();
  }
  useEffect(() => cancel, []);
  async function run(items: readonly Item[]): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'running', done: 0, total: items.length });
    const outcomes = await runBatch(items, act, {
      signal: controller.signal,
      onStep: (done) => setState({ kind: 'running', done, total: items.length }),
    });
    running.current = undefined;
    setState({ kind: 'ended', outcomes });
    onEnded(outcomes, start);
    start([]);
  }
  function start(items: readonly Item[]): void {
    waiting.current = [...waiting.current, ...items];
    if (running.current !== undefined || waiting.current.length === 0) return;
    const next = waiting.current;
    waiting.current = [];
    void run(next);
  }
  return {
    state,
    start,
    cancel,
    clear: () => setState({ kind: 'idle' }),
  };
}
