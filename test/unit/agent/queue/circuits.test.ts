import { beforeEach, describe, expect, it } from 'vitest';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import { createCircuits, type Circuits } from '../../../../electron/agent/queue/circuits.ts';
import { createFakeClock, type FakeClock } from '../../../helpers/fake-clock.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const BOTH = ['service', 'storage'] as const;
const offline = failureOf('NETWORK');

let clock: FakeClock;
let circuits: Circuits;
let told: AgentEvent[];

beforeEach(() => {
  clock = createFakeClock();
  const events = new AgentEvents();
  told = [];
  events.on((event) => told.push(event));
  circuits = createCircuits(clock, events);
});

const kinds = () => told.map((event) => event.event);
const waitMs = () => circuits.nextProbeInMs();

/** Lets the circuit's time pass and its probe fail with the same failure. */
async function failProbe(failure = offline): Promise<void> {
  await clock.advance(waitMs() ?? 0);
  expect(circuits.allowance(['service'])).toBe('one');
  circuits.probeStarted(['service']);
  circuits.pause('service', failure);
}

describe('createCircuits', () => {
  it('lets everything through while both are open', () => {
    expect(circuits.allowance(BOTH)).toBe('all');
    expect(waitMs()).toBeUndefined();
    expect(circuits.pauses()).toEqual([]);
  });

  it('lets nothing through while one is paused, on whichever side', () => {
    circuits.pause('storage', offline);
    expect(circuits.allowance(BOTH)).toBe('none');
    expect(circuits.allowance(['storage'])).toBe('none');
    expect(circuits.allowance(['service'])).toBe('all');
  });

  it('lets one job through when the time is up, and no second one while that probes', async () => {
    circuits.pause('service', offline);
    await clock.advance(1_499);
    expect(circuits.allowance(BOTH)).toBe('none');
    await clock.advance(1);
    expect(circuits.allowance(BOTH)).toBe('one');
    circuits.probeStarted(BOTH);
    expect(circuits.allowance(BOTH)).toBe('none');
    expect(waitMs()).toBeUndefined();
  });

  it('opens for all when the probe succeeded, and says so once', async () => {
    circuits.pause('service', offline);
    await clock.advance(1_500);
    circuits.probeStarted(BOTH);
    circuits.succeeded('service');
    circuits.succeeded('service');
    circuits.probeEnded(BOTH);
    expect(circuits.allowance(BOTH)).toBe('all');
    expect(kinds()).toEqual(['circuit.paused', 'circuit.resumed']);
  });

  it('lets the next job probe at once when the first one ended without touching the circuit', async () => {
    circuits.pause('service', offline);
    await clock.advance(1_500);
    circuits.probeStarted(['service']);
    circuits.probeEnded(['service']);
    expect(circuits.allowance(['service'])).toBe('one');
  });

  it('waits longer after each probe that failed, at most half a minute', async () => {
    const sinceMs = clock.now();
    circuits.pause('service', offline);
    const waits = [waitMs()];
    for (let probe = 0; probe < 7; probe += 1) {
      await failProbe();
      waits.push(waitMs());
    }
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500, 16_500, 30_000, 30_000, 30_000]);
    expect(circuits.pauses()).toEqual([{ circuit: 'service', failure: offline, times: 8, sinceMs }]);
  });

  it('takes jobs that fail together for one reason to wait', () => {
    for (let job = 0; job < 20; job += 1) circuits.pause('service', offline);
    expect(waitMs()).toBe(1_500);
    expect(circuits.pauses()[0]?.times).toBe(1);
    expect(kinds()).toEqual(['circuit.paused']);
  });

  it('says a pause once, and again when the reason is another one', async () => {
    circuits.pause('service', offline);
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
    circuits.pause('service', failureOf(code, retryAfterMs === undefined ? {} : { retryAfterMs }));
    expect(waitMs()).toBe(expectedMs);
  });

  it('is not confused by a wall clock that is set', async () => {
    circuits.pause('service', offline);
    clock.stepWallClock(-3_600_000);
    await clock.advance(1_500);
    expect(circuits.allowance(['service'])).toBe('one');
  });

  it('opens when a job from before the pause succeeds', () => {
    circuits.pause('service', offline);
    circuits.succeeded('service');
    expect(circuits.allowance(BOTH)).toBe('all');
  });

  it('keeps the circuits apart, and answers the shorter wait', async () => {
    circuits.pause('service', failureOf('RATE_LIMITED', { retryAfterMs: 60_000 }));
    circuits.pause('storage', offline);
    expect(waitMs()).toBe(1_500);
    await clock.advance(1_500);
    expect(circuits.allowance(['storage'])).toBe('one');
    expect(circuits.allowance(BOTH)).toBe('none');
    expect(circuits.pauses().map((pause) => pause.circuit)).toEqual(['service', 'storage']);
  });
});
