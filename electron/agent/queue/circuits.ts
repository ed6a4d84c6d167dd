import { policyOf } from '../../../shared/domain/failure-policy.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import {
  agentPolicyOf,
  attemptLimit,
  MAX_RETRY_AFTER_MS,
  MIN_RETRY_DELAY_MS,
  retryDelayMs,
} from '../core/failures/failure-policy.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';
import { circuitOf, createRefusals, type CircuitName, type Step } from './outcome.ts';

/** Longest pause of a circuit, reached by full jitter from 1 s on: after that, one probe every half minute. */
export const LONGEST_PAUSE_MS = 30_000;

/** A refused call, and the subject it was made for. */
export interface Refusal {
  readonly step: Step;
  /** ID of a clip or an incident. */
  readonly subject: string;
  readonly failure: Failure;
  /** How many refused calls show that the whole side is affected; default: set by the failure policy. */
  readonly provenBy?: 2;
  /** One answer refused several subjects at once. */
  readonly isShared?: true;
}

/** What a refusal means for the job that met it. */
export interface Verdict {
  /** The fault is the subject's own: others passed while it was refused as often as its code allows. */
  readonly isOwn: boolean;
  /** The step is closed for everyone, so this job alone is not to blame. */
  readonly isClosed: boolean;
  /** The key is said to lack a permission, but others pass with it. */
  readonly isAlone: boolean;
  /** How often in a row it was refused. */
  readonly times: number;
  /** When to try again, milliseconds from now. */
  readonly delayMs: number;
}

/** The state of a circuit, for people: paused because of `failure`, tried `times` times in a row. */
export interface CircuitPause {
  readonly circuit: CircuitName;
  readonly failure: Failure;
  readonly times: number;
  /** When it was first paused, wall clock. */
  readonly sinceMs: number;
  /** False when some of its steps continue. */
  readonly isWhole: boolean;
}

/**
 * Service and storage, each with its steps. A refusal that concerns everyone closes the side; refusals of one step for
 * one subject after the other close that step. While closed, one job at a time probes, after pauses of at most half a
 * minute unless the other side asked for a longer one. A success opens every step except those that were refused
 * themselves. A subject that is refused while others succeed is itself at fault in the end (service.md gap 33).
 */
export interface Circuits {
  /** How many jobs that need these steps may start now: none while closed, one as a probe, otherwise all. */
  allowance(steps: readonly Step[]): 'none' | 'one' | 'all';
  /** Whether a running job may make this call now. */
  mayCall(step: Step, subject: string): boolean;
  /** A job was started to probe those of these steps that are closed. */
  probeStarted(steps: readonly Step[], subject: string): void;
  /** That job ended; if it did not use a closed step, the next one probes. */
  probeEnded(steps: readonly Step[], subject: string): void;
  /** Who was last refused at one of these steps: another subject should probe. */
  lastRefused(steps: readonly Step[]): string | undefined;
  succeeded(step: Step, subject: string): void;
  refused(refusal: Refusal): Verdict;
  /** How often in a row the step has refused the subject with this status; 0 if its last refusal had another. */
  refusalsAlike(step: Step, subject: string, status: number | undefined): number;
  /** Closes a whole side for a reason known here. */
  pause(circuit: CircuitName, failure: Failure): void;
  /** Calls `listener` whenever a closed step opens. */
  onOpened(listener: () => void): void;
  /** Milliseconds until a closed circuit is due for a probe; undefined when none is closed. */
  nextProbeInMs(): number | undefined;
  pauses(): readonly CircuitPause[];
}

interface Closed {
  readonly sinceMs: number;
  /** Steps that were refused themselves. */
  readonly steps: Set<Step>;
  /** Whether the other steps are closed too. */
  isWhole: boolean;
  failure: Failure;
  times: number;
  /** No probe before this time, monotonic. */
  untilMs: number;
  /** No call at all before this time, whatever other answers say: the other side asked for it; monotonic. */
  askedUntilMs: number;
  probe: string | undefined;
  lastRefused: string | undefined;
}

/** Advice for when several calls in a row were refused, each for a reason that might have been its own. */
const wholeAdvice: Readonly<Record<CircuitName, string>> = {
  service:
    'Nothing is lost. The agent keeps retrying, and uploads resume automatically. If this keeps happening, send this text to the operator of the service.',
  storage:
    'Nothing is lost. The agent keeps retrying, and uploads resume automatically. If this keeps happening, send this text to the operator of the service.',
};
const wholeMessage: Readonly<Record<CircuitName, string>> = {
  service: 'Requests to the service keep failing. Last problem:',
  storage: 'Uploads to storage keep failing. Last problem:',
};

/** Creates both circuits, open. */
export function createCircuits(clock: Clock, events: AgentEvents): Circuits {
  const closed = new Map<CircuitName, Closed>();
  const refusals = createRefusals(() => clock.monotonic());
  const listeners: (() => void)[] = [];

  function isClosed(step: Step): Closed | undefined {
    const state = closed.get(circuitOf(step));
    if (state === undefined) return undefined;
    const isAsked = clock.monotonic() < state.askedUntilMs;
    return isAsked || state.isWhole || state.steps.has(step) ? state : undefined;
  }

  const closedOf = (steps: readonly Step[]): readonly Closed[] => [
    ...new Set(steps.flatMap((step) => isClosed(step) ?? [])),
  ];

  function pauseMs({ code, retryAfterMs }: Failure, times: number): number {
    // "Immediately" from a side that is down would mean one request after the other
    if (retryAfterMs !== undefined)
      return Math.min(Math.max(retryAfterMs, MIN_RETRY_DELAY_MS), MAX_RETRY_AFTER_MS);
    const { wait } = agentPolicyOf(code);
    if (wait.kind === 'circuit' && wait.everyMs !== undefined) return wait.everyMs;
    return Math.min(LONGEST_PAUSE_MS, retryDelayMs(times, clock.random()));
  }

  function say(circuit: CircuitName, { failure, untilMs }: Closed, nowMs: number): void {
    const { code, message, advice } = failure;
    const delayMs = Math.round(untilMs - nowMs);
    events.emit({ event: 'circuit.paused', circuit, code, message, advice, delayMs });
  }

  /** Begins or extends a pause. `isNews`: false for calls already in progress at that time, which change nothing. */
  function close(circuit: CircuitName, failure: Failure, isWhole: boolean, step?: Step, isNews = true): void {
    const before = closed.get(circuit);
    const now = clock.monotonic();
    const times = before === undefined ? 1 : before.times + (isNews ? 1 : 0);
    const untilMs = now + pauseMs(failure, times);
    const isAsked = failure.retryAfterMs !== undefined || isAskedFor(failure);
    const state: Closed = before ?? {
      sinceMs: clock.now(),
      steps: new Set(),
      isWhole,
      failure,
      times,
      untilMs,
      askedUntilMs: 0,
      probe: undefined,
      lastRefused: undefined,
    };
    // A refusal at a step while others pass concerns that step: it does not close the others again
    if (step === undefined || !state.steps.has(step) || isAsked) state.isWhole ||= isWhole || isAsked;
    if (step !== undefined) state.steps.add(step);
    const isOther = before !== undefined && isNews && before.failure.code !== failure.code;
    if (isNews) {
      Object.assign(state, { times, failure, probe: undefined });
      state.untilMs = Math.max(untilMs, state.askedUntilMs);
    }
    if (isAsked) {
      state.askedUntilMs = Math.max(state.askedUntilMs, untilMs);
      state.untilMs = Math.max(state.untilMs, state.askedUntilMs);
    }
    closed.set(circuit, state);
    if (before === undefined || isOther) say(circuit, state, now);
  }

  /** Whether a refusal is news, and not of a call that was on the line when the circuit was closed. */
  function isNewsTo(state: Closed | undefined, subject: string): boolean {
    return state === undefined || state.probe === subject || clock.monotonic() >= state.untilMs;
  }

  function refused({ step, subject, failure, provenBy, isShared }: Refusal): Verdict {
    const circuit = circuitOf(step);
    const count = refusals.refused(step, subject, failure.status);
    const limit = attemptLimit(failure.code);
    const { times } = count;
    // A permission that the key is said to lack concerns everyone, unless others pass with it
    const isDenied = limit !== undefined && provenByOf(failure) === 1;
    const isAlone = isDenied && count.isAlone;
    const isTriedOut = limit !== undefined && count.whileOthersPassed >= limit && count.isLasting;
    if (isTriedOut && isAlone === isDenied) {
      refusals.forget(step, subject);
      return { isOwn: true, isClosed: false, isAlone, times, delayMs: 0 };
    }
    const isWhole = provenBy === undefined && provenByOf(failure) === 1 && !isAlone;
    const isEveryones = !isAlone && (isShared === true || count.isEveryones);
    const isProven = isWhole || isEveryones || failure.retryAfterMs !== undefined;
    const state = closed.get(circuit);
    if (isProven || isClosed(step) !== undefined) {
      const whole = isWhole ? failure : forAll(circuit, failure);
      close(circuit, whole, isWhole, step, isNewsTo(state, subject));
    }
    const now = isClosed(step);
    if (now === undefined) {
      const delayMs = Math.min(LONGEST_PAUSE_MS, retryDelayMs(times, clock.random()));
      return { isOwn: false, isClosed: false, isAlone, times, delayMs };
    }
    now.lastRefused = subject;
    const delayMs = Math.max(MIN_RETRY_DELAY_MS, Math.ceil(now.untilMs - clock.monotonic()));
    return { isOwn: false, isClosed: true, isAlone, times, delayMs };
  }

  function succeeded(step: Step, subject: string): void {
    refusals.passed(step, subject);
    const circuit = circuitOf(step);
    const state = closed.get(circuit);
    const now = clock.monotonic();
    if (state === undefined || now < state.askedUntilMs || isClosed(step) === undefined) return;
    state.steps.delete(step);
    state.isWhole = false;
    if (state.steps.size === 0) {
      closed.delete(circuit);
      events.emit({ event: 'circuit.resumed', circuit });
    } else state.untilMs = now;
    for (const listener of listeners) listener();
  }

  return {
    allowance(steps) {
      const now = clock.monotonic();
      const states = closedOf(steps);
      if (states.some(({ untilMs }) => now < untilMs)) return 'none';
      return states.length > 0 ? 'one' : 'all';
    },
    mayCall(step, subject) {
      const state = isClosed(step);
      if (state === undefined) return true;
      return state.probe === subject && clock.monotonic() >= state.askedUntilMs;
    },
    probeStarted(steps, subject) {
      // A probe whose answer drips must not block the next one
      const untilMs = clock.monotonic() + LONGEST_PAUSE_MS;
      for (const state of closedOf(steps)) Object.assign(state, { probe: subject, untilMs });
    },
    probeEnded(steps, subject) {
      for (const state of closedOf(steps))
        if (state.probe === subject)
          Object.assign(state, {
            probe: undefined,
            untilMs: Math.max(clock.monotonic(), state.askedUntilMs),
          });
    },
    lastRefused: (steps) => closedOf(steps).find(({ lastRefused }) => lastRefused !== undefined)?.lastRefused,
    succeeded,
    refused,
    refusalsAlike: refusals.timesAlike,
    pause: (circuit, failure) => close(circuit, failure, true),
    onOpened: (listener) => void listeners.push(listener),
    nextProbeInMs() {
      const now = clock.monotonic();
      const waits = [...closed.values()].map(({ untilMs }) => Math.max(0, untilMs - now));
      return waits.length === 0 ? undefined : Math.min(...waits);
    },
    pauses: () =>
      [...closed].map(([circuit, { failure, times, sinceMs, isWhole }]) => ({
        circuit,
        failure,
        times,
        sinceMs,
        isWhole,
      })),
  };
}

/** How many refusals prove a problem of the whole side: a failure of one call may concern only its subject. */
function provenByOf({ code }: Failure): 1 | 2 {
  const { scope, provenBy = 1 } = policyOf(code);
  return scope === 'call' ? 2 : provenBy;
}

function isAskedFor({ code }: Failure): boolean {
  const { wait } = agentPolicyOf(code);
  return wait.kind === 'circuit' && wait.isAsked === true;
}

/** The failure of one call, worded for all calls. */
function forAll(circuit: CircuitName, failure: Failure): Failure {
  return { ...failure, message: `${wholeMessage[circuit]} ${failure.message}`, advice: wholeAdvice[circuit] };
}
