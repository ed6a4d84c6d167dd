import type { Clock } from '../ports.ts';
import { createRootGate, type RootGate } from './root-gate.ts';

/** How long one file operation may take while a person waits, milliseconds. */
const DEADLINE_MS = 5_000;
/**
 * Gates that may hang before everything waits for them. Each holds one thread of the pool, which has a few to spare
 * beyond those of the watched roots.
 */
const MOST_GATES = 3;

/** The way to folders that nobody watches, for a person who looks around: one that hangs does not end the search. */
export interface BrowseGate extends Pick<RootGate, 'run'> {
  /** How long one operation may take, milliseconds. */
  readonly deadlineMs: number;
}

/** Makes the gate; its deadlines end when `stopping` is aborted. */
export function createBrowseGate(
  clock: Clock,
  stopping: AbortSignal,
  deadlineMs: number = DEADLINE_MS,
): BrowseGate {
  const gates: RootGate[] = [];

  function freeGate(): RootGate {
    const [first] = gates;
    const free = gates.find((gate) => !gate.isHung());
    if (free !== undefined) return free;
    if (first !== undefined && gates.length === MOST_GATES) return first;
    const gate = createRootGate({ clock, rootPath: '', inFlightLimit: 1, deadlineMs });
    stopping.addEventListener('abort', () => gate.close(), { once: true });
    gates.push(gate);
    return gate;
  }

  return { deadlineMs, run: (operation, signal, onLate) => freeGate().run(operation, signal, onLate) };
}
