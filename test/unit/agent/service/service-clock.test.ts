import { beforeEach, describe, expect, it } from 'vitest';
import {
  createServiceClock,
  timeAnswers,
  type ServiceClock,
} from '../../../../electron/agent/service/service-clock.ts';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import type { Http } from '../../../../electron/agent/service/http.ts';
import type { Failure, FailureCode } from '../../../../shared/domain/failure.ts';
import { err, ok } from '../../../../shared/lib/result.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fake-clock.ts';

let clock: FakeClock;
let service: ServiceClock;
let told: AgentEvent[];

beforeEach(() => {
  clock = createFakeClock(Date.UTC(2026, 7, 1, 12, 0, 0, 400));
  const events = new AgentEvents();
  told = [];
  events.on((event) => told.push(event));
  service = createServiceClock(clock, events);
});

/**
 * An answer whose date is this many milliseconds ahead of the local clock, cut to whole seconds like every date header.
 */
const observe = (aheadMs: number) => service.observe(new Date(clock.now() + aheadMs).toUTCString());

describe('createServiceClock', () => {
  it('is the local clock until an answer came', () => {
    expect([service.now(), service.skewMs()]).toEqual([clock.now(), 0]);
  });

  it.each([
    [0, 0],
    [500, 0],
    [-300, 0],
    [90_000, 89_600],
    [-90_000, -90_400],
  ])('of an answer %i ms ahead has a skew of %i ms', async (aheadMs, skewMs) => {
    observe(aheadMs);
    expect(service.skewMs()).toBe(skewMs);
    await clock.advance(5_000);
    expect(service.now()).toBe(clock.now() + skewMs);
  });

  it.each([[undefined], [''], ['yesterday'], ['Sat, 99 Aug 2026 12:00:00 GMT']])(
    'keeps what it knows when the header is %s',
    (header) => {
      observe(90_000);
      service.observe(header);
      expect(service.skewMs()).toBe(89_600);
    },
  );

  it.each([
    [61_000, 'behind'],
    [-61_000, 'ahead of'],
  ])('warns once when the clocks are %i ms apart, and says which way', (aheadMs, direction) => {
    for (let answer = 0; answer < 3; answer += 1) observe(aheadMs);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ event: 'warning', code: 'CLOCK_SKEW' });
    expect(JSON.stringify(told[0])).toContain(` s ${direction} the service's`);
  });

  it('says nothing within a minute', () => {
    observe(60_000);
    observe(-59_000);
    expect(told).toEqual([]);
  });

  it('warns again after the clock was right in between', () => {
    observe(120_000);
    observe(0);
    observe(120_000);
    expect(told).toHaveLength(2);
  });
});

describe('the earlier of both clocks', () => {
  const MONTHS_MS = 100 * 24 * 3_600_000;

  it.each([
    ['ahead', 90_000, 0],
    ['behind', -90_000, -90_400],
  ])('is the right one while the service is %s', async (_what, aheadMs, earlierMs) => {
    observe(aheadMs);
    await clock.advance(3_600_000);
    expect(service.earlierNow()).toBe(clock.now() + earlierMs);
  });

  it('goes on from the last answer while the clock of an idle desk jumps months ahead', async () => {
    observe(0);
    const answeredMs = clock.now() - 400;
    await clock.advance(3_600_000);
    clock.stepWallClock(MONTHS_MS);
    expect(service.earlierNow()).toBe(answeredMs + 3_600_000);
    clock.stepWallClock(-2 * MONTHS_MS);
    expect(service.earlierNow()).toBe(clock.now());
  });
});

describe('timeAnswers', () => {
  it('says since when the service is slow, until it answers fast again', async () => {
    let [takesMs, isAnswered] = [200, true];
    const stop = (): void => undefined;
    const { http, times } = timeAnswers(
      {
        stop,
        async call() {
          await clock.advance(takesMs);
          return isAnswered
            ? ok({ status: 200, headers: {}, body: undefined, calledUrl: '' } as never)
            : err({ code: 'NETWORK' } as never);
        },
      },
      clock,
    );
    const call = () => http.call({ endpoint: 'getPeriods' }, new AbortController().signal);
    expect(times()).toMatchObject({ lastMs: undefined, slowSinceMs: undefined });
    await call();
    expect(times()).toMatchObject({ lastMs: 200, slowSinceMs: undefined });
    takesMs = 6000;
    const slowSinceMs = clock.now();
    for (const _time of [1, 2]) await call();
    expect(times()).toMatchObject({ lastMs: 6000, slowSinceMs });
    // A call without an answer is another problem, and does not count as an answer
    isAnswered = false;
    takesMs = 90;
    await call();
    expect(times()).toMatchObject({ lastMs: 6000, slowSinceMs });
    isAnswered = true;
    await call();
    expect(times()).toMatchObject({ lastMs: 90, slowSinceMs: undefined });
  });

  it('says since when no call was answered, until one is', async () => {
    let answer: Awaited<ReturnType<Http['call']>>;
    const { http, times } = timeAnswers({ stop: () => undefined, call: async () => answer }, clock);
    const call = (signal = new AbortController().signal) => http.call({ endpoint: 'getPeriods' }, signal);
    const failureOf = (code: FailureCode): Failure => ({ code, message: code, advice: '', retryable: true });
    answer = err(failureOf('KEY_REFUSED'));
    await call();
    answer = err(failureOf('NETWORK'));
    await call(AbortSignal.abort());
    expect(times().unanswered).toBeUndefined();
    const sinceMs = clock.now();
    await call();
    await clock.advance(60_000);
    answer = err(failureOf('API_TIMEOUT'));
    await call();
    expect(times().unanswered).toEqual({ sinceMs, failure: failureOf('API_TIMEOUT') });
    answer = ok({ status: 401, headers: {}, body: undefined, calledUrl: '' } as never);
    await call();
    expect(times().unanswered).toBeUndefined();
  });
});
