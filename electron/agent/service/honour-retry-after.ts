import { ok } from '../../../shared/lib/result.ts';
import { parseRetryAfter } from '../core/failures/failure-policy.ts';
import type { Clock } from '../ports.ts';
import type { CalledAnswer, Http } from './http.ts';
import type { ServiceClock } from './service-clock.ts';

/**
 * Makes no call, neither for a screen nor for the queue, before the time that the service asked for with an error
 * (service.md gap 26). Until then, each call is answered here with the rest of the wait. The longest wait counts.
 */
export function honourRetryAfter(
  http: Http,
  clock: Pick<Clock, 'monotonic'>,
  serviceClock: Pick<ServiceClock, 'observe' | 'now'>,
): Http {
  let asked: { readonly untilMs: number; readonly answer: CalledAnswer } | undefined;

  function note(answer: CalledAnswer): void {
    if (answer.status < 400) return;
    serviceClock.observe(answer.headers.date);
    const waitMs = parseRetryAfter(answer.headers['retry-after'], serviceClock.now()) ?? 0;
    const untilMs = clock.monotonic() + waitMs;
    if (waitMs > 0 && untilMs > (asked?.untilMs ?? 0)) asked = { untilMs, answer };
  }

  return {
    ...http,
    async call(call, signal) {
      const restMs = asked === undefined ? 0 : asked.untilMs - clock.monotonic();
      if (asked !== undefined && restMs > 0) return ok(stillAsked(asked.answer, restMs));
      const answer = await http.call(call, signal);
      if (answer.ok) note(answer.value);
      return answer;
    },
  };
}

/** Says nothing about what was called: any other status or body would be mistaken for an answer about it. */
function stillAsked({ status, calledUrl }: CalledAnswer, restMs: number): CalledAnswer {
  return {
    status: status === 429 ? 429 : 503,
    headers: { 'retry-after': String(Math.ceil(restMs / 1000)) },
    body: Buffer.alloc(0),
    calledUrl,
  };
}
