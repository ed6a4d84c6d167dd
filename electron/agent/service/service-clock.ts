import type { Failure } from '../../../shared/domain/failure.ts';
import { policyOf } from '../../../shared/domain/failure-policy.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';
import type { Http } from './http.ts';
import { formatDuration } from '../../../shared/lib/readable-amounts.ts';

/** Difference from which a person is warned, milliseconds (service.md gap 27). */
const WARN_SKEW_MS = 60_000;

/** The service's time, from the `Date` header of its answers; lifetimes of signed URLs are computed on it. */
export interface ServiceClock {
  observe(dateHeader: string | undefined): void;
  /** Service time minus local time, milliseconds; 0 until the first answer. */
  skewMs(): number;
  /** Whether an answer has stated the time. */
  isKnown(): boolean;
  /** The service's current time, milliseconds since 1970. */
  now(): number;
  /**
   * The earlier time of the two clocks: what is removed by age must be old by both, so a clock that is ahead removes
   * nothing. The service's clock continues from its last answer, so a local clock that jumps ahead afterwards removes
   * nothing either.
   */
  earlierNow(): number;
}

/** Answer time from which the service counts as slow, milliseconds: it feels stuck to a person. */
const SLOW_MS = 5000;

/** How long the service takes to answer. */
export interface AnswerTimes {
  /** Time that the last answer took, milliseconds; undefined until there was one. */
  readonly lastMs: number | undefined;
  /** Since when each answer took too long, milliseconds since 1970. */
  readonly slowSinceMs: number | undefined;
  /** Since when no call was answered, and why the last one was not; undefined if the last one was. */
  readonly unanswered: { readonly sinceMs: number; readonly failure: Failure } | undefined;
}

/** Measures the time of each call to the service. */
export function timeAnswers(
  http: Http,
  clock: Clock,
): { readonly http: Http; readonly times: () => AnswerTimes } {
  let times: AnswerTimes = { lastMs: undefined, slowSinceMs: undefined, unanswered: undefined };
  return {
    times: () => times,
    http: {
      ...http,
      async call(call, signal) {
        const [startedMs, sinceMs] = [clock.monotonic(), clock.now()];
        const answer = await http.call(call, signal);
        const lastMs = Math.round(clock.monotonic() - startedMs);
        if (answer.ok) {
          const slowSinceMs = lastMs < SLOW_MS ? undefined : (times.slowSinceMs ?? sinceMs);
          times = { lastMs, slowSinceMs, unanswered: undefined };
        } else if (policyOf(answer.error.code).answer === 'none' && !signal.aborted) {
          const unanswered = { sinceMs: times.unanswered?.sinceMs ?? sinceMs, failure: answer.error };
          times = { ...times, unanswered };
        }
        return answer;
      },
    },
  };
}

/** Creates a service clock that warns once when the local clock is off, and again after it was right. */
export function createServiceClock(clock: Clock, events: AgentEvents): ServiceClock {
  let skewMs = 0;
  let observed: { readonly serverMs: number; readonly monotonicMs: number } | undefined;
  let warned = false;
  return {
    observe(dateHeader) {
      // `Date.parse` alone reads "0" as the year 2000
      const serverMs = dateHeader?.endsWith(' GMT') === true ? Date.parse(dateHeader) : Number.NaN;
      if (Number.isNaN(serverMs)) return;
      observed = { serverMs, monotonicMs: clock.monotonic() };
      skewMs = serverMs - clock.now();
      // The header has whole seconds: a smaller difference does not count
      if (Math.abs(skewMs) < 1000) skewMs = 0;
      const isOff = Math.abs(skewMs) > WARN_SKEW_MS;
      if (isOff && !warned) {
        const difference = formatDuration(Math.abs(skewMs));
        const direction = skewMs > 0 ? 'behind' : 'ahead of';
        events.emit({
          event: 'warning',
          code: 'CLOCK_SKEW',
          message: `This PC's clock is ${difference} ${direction} the service's. Correct it; otherwise, recorded times may be disputed.`,
        });
      }
      warned = isOff;
    },
    skewMs: () => skewMs,
    isKnown: () => observed !== undefined,
    now: () => clock.now() + skewMs,
    earlierNow() {
      if (observed === undefined) return clock.now();
      const { serverMs, monotonicMs } = observed;
      return Math.min(clock.now(), serverMs + clock.monotonic() - monotonicMs);
    },
  };
}
