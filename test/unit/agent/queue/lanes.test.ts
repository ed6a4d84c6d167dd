import { beforeEach, describe, expect, it } from 'vitest';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import { createLanes, type Lanes } from '../../../../electron/agent/queue/lanes.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fake-clock.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const BOTH = ['service', 'storage'] as const;
const offline = failureOf('NETWORK');

let clock: FakeClock;
let lanes: Lanes;
let told: AgentEvent[];

beforeEach(() => {
  clock = createFakeClock();
  const events = new AgentEvents();
  told = [];
  events.on((event) => told.push(event));
  lanes = createLanes(clock, events);
});

const kinds = () => told.map((event) => event.event);
const waitMs = () => lanes.nextProbeInMs();

/** Lets the lane's time pass and its probe fail with the same failure. */
async function failProbe(failure = offline): Promise<void> {
  await clock.advance(waitMs() ?? 0);
  expect(lanes.allowance(['service'])).toBe('one');
  lanes.probeStarted(['service']);
  lanes.pause('service', failure);
}

describe('createLanes', () => {
  it('lets everything through while both are open', () => {
    expect(lanes.allowance(BOTH)).toBe('all');
    expect(waitMs()).toBeUndefined();
    expect(lanes.pauses()).toEqual([]);
  });

  it('lets nothing through while one is paused, on whichever side', () => {
    lanes.pause('storage', offline);
    expect(lanes.allowance(BOTH)).toBe('none');
    expect(lanes.allowance(['storage'])).toBe('none');
    expect(lanes.allowance(['service'])).toBe('all');
  });

  it('lets one job through when the time is up, and no second one while that probes', async () => {
    lanes.pause('service', offline);
    await clock.advance(1_499);
    expect(lanes.allowance(BOTH)).toBe('none');
    await clock.advance(1);
    expect(lanes.allowance(BOTH)).toBe('one');
    lanes.probeStarted(BOTH);
    expect(lanes.allowance(BOTH)).toBe('none');
    expect(waitMs()).toBeUndefined();
  });

  it('opens for all when the probe succeeded, and says so once', async () => {
    lanes.pause('service', offline);
    await clock.advance(1_500);
    lanes.probeStarted(BOTH);
    lanes.succeeded('service');
    lanes.succeeded('service');
    lanes.probeEnded(BOTH);
    expect(lanes.allowance(BOTH)).toBe('all');
    expect(kinds()).toEqual(['lane.paused', 'lane.resumed']);
  });

  it('lets the next job probe at once when the first one ended without touching the lane', async () => {
    lanes.pause('service', offline);
    await clock.advance(1_500);
    lanes.probeStarted(['service']);
    lanes.probeEnded(['service']);
    expect(lanes.allowance(['service'])).toBe('one');
  });

  it('waits longer after each probe that failed, at most half a minute', async () => {
    const sinceMs = clock.now();
    lanes.pause('service', offline);
    const waits = [waitMs()];
    for (let probe = 0; probe < 7; probe += 1) {
      await failProbe();
      waits.push(waitMs());
    }
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500, 16_500, 30_000, 30_000, 30_000]);
    expect(lanes.pauses()).toEqual([{ lane: 'service', failure: offline, times: 8, sinceMs }]);
  });

  it('takes jobs that fail together for one reason to wait', () => {
    for (let job = 0; job < 20; job += 1) lanes.pause('service', offline);
    expect(waitMs()).toBe(1_500);
    expect(lanes.pauses()[0]?.times).toBe(1);
    expect(kinds()).toEqual(['lane.paused']);
  });

  it('says a pause once, and again when the reason is another one', async () => {
    lanes.pause('service', offline);
    await failProbe();
    await failProbe(failureOf('KEY_REFUSED'));
    await failProbe(failureOf('KEY_REFUSED'));
    expect(told.map((event) => 'code' in event && event.code)).toEqual(['NETWORK', 'KEY_REFUSED']);
  });

  it.each([
    ['as long as was asked for', 'RATE_LIMITED', 90_000, 90_000],
    ['at most a quarter of an hour', 'RATE_LIMITED', 86_400_000, 900_000],
    ['a second when nothing but at once was asked for', 'SERVICE_FAULT', 0, 1_000],
    ['a quarter of a minute for a refused key', 'KEY_REFUSED', undefined, 15_000],
    ['a quarter of a minute for a missing permission', 'VIDEO_PERMISSION_MISSING', undefined, 15_000],
    ['by the draw for all else', 'SERVICE_FAULT', undefined, 1_500],
  ] as const)('waits %s', (_what, code, retryAfterMs, expectedMs) => {
    lanes.pause('service', failureOf(code, retryAfterMs === undefined ? {} : { retryAfterMs }));
    expect(waitMs()).toBe(expectedMs);
  });

  it('is not confused by a wall clock that is set', async () => {
    lanes.pause('service', offline);
    clock.stepWallClock(-3_600_000);
    await clock.advance(1_500);
    expect(lanes.allowance(['service'])).toBe('one');
  });

  it('opens when a job from before the pause succeeds', () => {
    lanes.pause('service', offline);
    lanes.succeeded('service');
    expect(lanes.allowance(BOTH)).toBe('all');
  });

  it('keeps the lanes apart, and answers the shorter wait', async () => {
    lanes.pause('service', failureOf('RATE_LIMITED', { retryAfterMs: 60_000 }));
    lanes.pause('storage', offline);
    expect(waitMs()).toBe(1_500);
    await clock.advance(1_500);
    expect(lanes.allowance(['storage'])).toBe('one');
    expect(lanes.allowance(BOTH)).toBe('none');
    expect(lanes.pauses().map((pause) => pause.lane)).toEqual(['service', 'storage']);
  });
});
