import type { Failure } from '../../../shared/domain/failure.ts';
import {
  agentPolicyOf,
  MAX_RETRY_DELAY_MS,
  MIN_RETRY_DELAY_MS,
  retryDelayMs,
} from '../core/failures/failure-policy.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';
import type { CircuitName } from './outcome.ts';

/** Longest pause of a circuit, reached by full jitter from 1 s on: then one probe every half minute. */
const LONGEST_PAUSE_MS = 30_000;

type PauseReason = Omit<CircuitPause, 'circuit'>;
type CircuitState =
  | { readonly kind: 'running' }
  | ({ readonly kind: 'paused'; readonly untilMs: number } & PauseReason)
  | ({ readonly kind: 'probing' } & PauseReason);

/** How a circuit stands, for people: paused because of `failure`, tried `times` times in a row. */
export interface CircuitPause {
  readonly circuit: CircuitName;
  readonly failure: Failure;
  readonly times: number;
  /** When it was paused first, wall clock. */
  readonly sinceMs: number;
}

/** Both circuits. A paused circuit lets one job through when its time is up; that job's fate decides for all. */
export interface Circuits {
  /** How many jobs may start now: none while paused, one as a probe, else all. */
  allowance(circuits: readonly CircuitName[]): 'none' | 'one' | 'all';
  /** A job was started while a circuit was due for a probe. */
  probeStarted(circuits: readonly CircuitName[]): void;
  /** The job that probed ended without touching the circuit: the next one probes. */
  probeEnded(circuits: readonly CircuitName[]): void;
  succeeded(circuit: CircuitName): void;
  pause(circuit: CircuitName, failure: Failure): void;
  /** Milliseconds until a paused circuit is due for a probe; undefined when none is paused. */
  nextProbeInMs(): number | undefined;
  pauses(): readonly CircuitPause[];
}

/** Makes both circuits, running. */
export function createCircuits(clock: Clock, events: AgentEvents): Circuits {
  const states = new Map<CircuitName, CircuitState>();
  const stateOf = (circuit: CircuitName): CircuitState => states.get(circuit) ?? { kind: 'running' };

  function pauseMs(failure: Failure, times: number): number {
    const { retryAfterMs } = failure;
    // "At once" from a side that is down would be one request after the other.
    if (retryAfterMs !== undefined)
      return Math.min(Math.max(retryAfterMs, MIN_RETRY_DELAY_MS), MAX_RETRY_DELAY_MS);
    const { wait } = agentPolicyOf(failure.code);
    if (wait.kind === 'circuit' && wait.everyMs !== undefined) return wait.everyMs;
    return Math.min(LONGEST_PAUSE_MS, retryDelayMs(times, clock.random()));
  }

  function allowanceOf(circuit: CircuitName): 'none' | 'one' | 'all' {
    const state = stateOf(circuit);
    if (state.kind === 'running') return 'all';
    if (state.kind === 'probing') return 'none';
    return clock.monotonic() >= state.untilMs ? 'one' : 'none';
  }

  return {
    allowance(circuits) {
      const each = circuits.map(allowanceOf);
      if (each.includes('none')) return 'none';
      return each.includes('one') ? 'one' : 'all';
    },
    probeStarted(circuits) {
      for (const circuit of circuits) {
        const state = stateOf(circuit);
        if (state.kind === 'paused') {
          const { failure, times, sinceMs } = state;
          states.set(circuit, { kind: 'probing', failure, times, sinceMs });
        }
      }
    },
    probeEnded(circuits) {
      for (const circuit of circuits) {
        const state = stateOf(circuit);
        if (state.kind === 'probing')
          states.set(circuit, { ...state, kind: 'paused', untilMs: clock.monotonic() });
      }
    },
    succeeded(circuit) {
      if (stateOf(circuit).kind === 'running') return;
      states.set(circuit, { kind: 'running' });
      events.emit({ event: 'circuit.resumed', circuit });
    },
    pause(circuit, failure) {
      const before = stateOf(circuit);
      // Several jobs in flight fail together: they are one reason to wait, not many.
      if (before.kind === 'paused' && clock.monotonic() < before.untilMs) return;
      const times = before.kind === 'running' ? 1 : before.times + 1;
      const delayMs = pauseMs(failure, times);
      const sinceMs = before.kind === 'running' ? clock.now() : before.sinceMs;
      const untilMs = clock.monotonic() + delayMs;
      states.set(circuit, { kind: 'paused', untilMs, failure, times, sinceMs });
      const { code, message, advice } = failure;
      if (times === 1 || before.kind === 'running' || before.failure.code !== code) {
        events.emit({ event: 'circuit.paused', circuit, code, message, advice, delayMs });
      }
    },
    nextProbeInMs() {
      const waits = [...states.values()].flatMap((state) =>
        state.kind === 'paused' ? [Math.max(0, state.untilMs - clock.monotonic())] : [],
      );
      return waits.length === 0 ? undefined : Math.min(...waits);
    },
    pauses() {
      return [...states].flatMap(([circuit, state]) =>
        state.kind === 'running'
          ? []
          : [{ circuit, failure: state.failure, times: state.times, sinceMs: state.sinceMs }],
      );
    },
  };
}
