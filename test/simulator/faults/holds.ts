import type { LoggedRequest } from '../request-log.ts';
import type { FaultMatch } from './fault-rule.ts';
import { matchRequest } from './match-request.ts';

/** A gate at which matching requests wait. */
export interface Hold {
  /** The first request that arrived at the gate. */
  readonly arrived: Promise<LoggedRequest>;
  /** Opens the gate permanently. */
  release(): void;
}

export interface Holds {
  hold(match: FaultMatch, when?: 'before' | 'after'): Hold;
  /** Resolves when no gate holds the request any more, or its connection is gone. */
  pass(request: LoggedRequest, when: 'before' | 'after', signal: AbortSignal): Promise<void>;
  releaseAll(): void;
}

interface Gate {
  readonly match: FaultMatch;
  readonly when: 'before' | 'after';
  readonly arrived: PromiseWithResolvers<LoggedRequest>;
  readonly released: PromiseWithResolvers<void>;
}

export function createHolds(): Holds {
  const gates = new Set<Gate>();
  const open = (gate: Gate) => {
    gates.delete(gate);
    gate.released.resolve();
  };
  return {
    hold(match, when = 'before') {
      const gate: Gate = { match, when, arrived: Promise.withResolvers(), released: Promise.withResolvers() };
      gates.add(gate);
      return { arrived: gate.arrived.promise, release: () => open(gate) };
    },
    async pass(request, when, signal) {
      for (const gate of gates) {
        if (gate.when !== when || !matchRequest(gate.match, request)) continue;
        gate.arrived.resolve(request);
        await Promise.race([gate.released.promise, whenAborted(signal)]);
      }
    },
    releaseAll: () => gates.forEach(open),
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
