import type { Failure } from '../../../shared/domain/failure.ts';
import { MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS, retryDelayMs } from '../core/retry-delay.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';
import type { LaneName } from './outcome.ts';

/** Longest pause of a lane, reached by full jitter from 1 s on: then one probe every half minute. */
const LONGEST_PAUSE_MS = 30_000;
/** A refused key is not mended by asking often; the key file is read again at each probe. */
const KEY_PAUSE_MS = 15_000;

type Trouble = Omit<LanePause, 'lane'>;
type LaneState =
  | { readonly kind: 'open' }
  | ({ readonly kind: 'paused'; readonly untilMs: number } & Trouble)
  | ({ readonly kind: 'probing' } & Trouble);

/** How a lane stands, for people: paused because of `failure`, tried `times` times in a row. */
export interface LanePause {
  readonly lane: LaneName;
  readonly failure: Failure;
  readonly times: number;
  /** When it was paused first, wall clock. */
  readonly sinceMs: number;
}

/** Both lanes. A paused lane lets one job through when its time is up; that job's fate decides for all. */
export interface Lanes {
  /** How many jobs may start now: none while paused, one as a probe, else all. */
  allowance(lanes: readonly LaneName[]): 'none' | 'one' | 'all';
  /** A job was started while a lane was due for a probe. */
  probeStarted(lanes: readonly LaneName[]): void;
  /** The job that probed ended without touching the lane: the next one probes. */
  probeEnded(lanes: readonly LaneName[]): void;
  succeeded(lane: LaneName): void;
  pause(lane: LaneName, failure: Failure): void;
  /** Milliseconds until a paused lane is due for a probe; undefined when none is paused. */
  nextProbeInMs(): number | undefined;
  pauses(): readonly LanePause[];
}

function isKeyTrouble(failure: Failure): boolean {
  return ['KEY_REFUSED', 'PERMISSION_MISSING', 'VIDEO_PERMISSION_MISSING', 'PROXY_AUTH'].includes(
    failure.code,
  );
}

/** Makes both lanes, open. */
export function createLanes(clock: Clock, events: AgentEvents): Lanes {
  const states = new Map<LaneName, LaneState>();
  const stateOf = (lane: LaneName): LaneState => states.get(lane) ?? { kind: 'open' };

  function pauseMs(failure: Failure, times: number): number {
    const { retryAfterMs } = failure;
    // "At once" from a side that is down would be one request after the other.
    if (retryAfterMs !== undefined)
      return Math.min(Math.max(retryAfterMs, MIN_RETRY_DELAY_MS), MAX_RETRY_DELAY_MS);
    if (isKeyTrouble(failure)) return KEY_PAUSE_MS;
    return Math.min(LONGEST_PAUSE_MS, retryDelayMs(times, clock.random()));
  }

  function allowanceOf(lane: LaneName): 'none' | 'one' | 'all' {
    const state = stateOf(lane);
    if (state.kind === 'open') return 'all';
    if (state.kind === 'probing') return 'none';
    return clock.monotonic() >= state.untilMs ? 'one' : 'none';
  }

  return {
    allowance(lanes) {
      const each = lanes.map(allowanceOf);
      if (each.includes('none')) return 'none';
      return each.includes('one') ? 'one' : 'all';
    },
    probeStarted(lanes) {
      for (const lane of lanes) {
        const state = stateOf(lane);
        if (state.kind === 'paused') {
          const { failure, times, sinceMs } = state;
          states.set(lane, { kind: 'probing', failure, times, sinceMs });
        }
      }
    },
    probeEnded(lanes) {
      for (const lane of lanes) {
        const state = stateOf(lane);
        if (state.kind === 'probing')
          states.set(lane, { ...state, kind: 'paused', untilMs: clock.monotonic() });
      }
    },
    succeeded(lane) {
      if (stateOf(lane).kind === 'open') return;
      states.set(lane, { kind: 'open' });
      events.emit({ event: 'lane.resumed', lane });
    },
    pause(lane, failure) {
      const before = stateOf(lane);
      // Several jobs in flight fail together: they are one reason to wait, not many.
      if (before.kind === 'paused' && clock.monotonic() < before.untilMs) return;
      const times = before.kind === 'open' ? 1 : before.times + 1;
      const delayMs = pauseMs(failure, times);
      const sinceMs = before.kind === 'open' ? clock.now() : before.sinceMs;
      const untilMs = clock.monotonic() + delayMs;
      states.set(lane, { kind: 'paused', untilMs, failure, times, sinceMs });
      const { code, message, advice } = failure;
      if (times === 1 || before.kind === 'open' || before.failure.code !== code) {
        events.emit({ event: 'lane.paused', lane, code, message, advice, delayMs });
      }
    },
    nextProbeInMs() {
      const waits = [...states.values()].flatMap((state) =>
        state.kind === 'paused' ? [Math.max(0, state.untilMs - clock.monotonic())] : [],
      );
      return waits.length === 0 ? undefined : Math.min(...waits);
    },
    pauses() {
      return [...states].flatMap(([lane, state]) =>
        state.kind === 'open'
          ? []
          : [{ lane, failure: state.failure, times: state.times, sinceMs: state.sinceMs }],
      );
    },
  };
}
