import { useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { runEach, type Outcome } from './run-each.ts';

/** How a run over many stands. */
export type BatchState<Item, Output> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly done: number; readonly total: number }
  | { readonly kind: 'ended'; readonly outcomes: readonly Outcome<Item, Output>[] };

/** A run over many: started, watched, cancelled, put away. */
export interface Batch<Item, Output> {
  readonly state: BatchState<Item, Output>;
  readonly start: (items: readonly Item[]) => void;
  readonly cancel: () => void;
  readonly clear: () => void;
}

/**
 * Runs over many, one after another. Who leaves the screen cancels the rest; `onEnded` runs in either case, and can
 * start another run. Outcomes stand nowhere but here.
 */
export function useBatch<Item, Output>(
  act: (item: Item) => Promise<Result<Output, Failure>>,
  onEnded: (outcomes: readonly Outcome<Item, Output>[], again: (items: readonly Item[]) => void) => void,
): Batch<Item, Output> {
  const [state, setState] = useState<BatchState<Item, Output>>({ kind: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  async function run(items: readonly Item[]): Promise<void> {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'running', done: 0, total: items.length });
    const outcomes = await runEach(items, act, {
      signal: controller.signal,
      onStep: (done) => setState({ kind: 'running', done, total: items.length }),
    });
    running.current = undefined;
    setState({ kind: 'ended', outcomes });
    onEnded(outcomes, start);
  }
  function start(items: readonly Item[]): void {
    if (running.current === undefined && items.length > 0) void run(items);
  }
  return {
    state,
    start,
    cancel: () => running.current?.abort(),
    clear: () => setState({ kind: 'idle' }),
  };
}
