import { beforeEach, describe, expect, it } from 'vitest';
import type { Step } from '../../../../electron/agent/queue/outcome.ts';
import { openCircuitsDesk } from '../../../helpers/circuits-desk.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const offline = failureOf('NETWORK');

let { clock, circuits, told, kinds, waitMs, allowed, refuse } = openCircuitsDesk();

beforeEach(() => {
  ({ clock, circuits, told, kinds, waitMs, allowed, refuse } = openCircuitsDesk());
});

/** Waits until the pause is over and lets a probe of the step fail with the same failure. */
async function failProbe(step: Step, subject = 'probe', failure = offline): Promise<void> {
  await clock.advance(waitMs() ?? 0);
  expect(allowed(step)).toBe('one');
  circuits.probeStarted([step], subject);
  refuse(step, subject, failure);
}

describe('a side that everyone is refused by', () => {
  it('lets everything through while both are open', () => {
    expect(allowed('get', 'object')).toBe('all');
    expect(waitMs()).toBeUndefined();
    expect(circuits.pauses()).toEqual([]);
  });

  it('is closed by one refusal that no clip can be the reason of, with all its steps, and the other side stays open', () => {
    refuse('object', 'a', 'NETWORK');
    expect(allowed('object')).toBe('none');
    expect(allowed('part')).toBe('none');
    expect(allowed('urls', 'object')).toBe('none');
    expect(allowed('urls')).toBe('all');
  });

  it('lets one job through when the time is up, and no second one while that probes', async () => {
    refuse('get', 'a', 'NETWORK');
    await clock.advance(1_499);
    expect(allowed('get')).toBe('none');
    await clock.advance(1);
    expect(allowed('get')).toBe('one');
    circuits.probeStarted(['get'], 'b');
    expect(allowed('get')).toBe('none');
    expect([circuits.mayCall('get', 'b'), circuits.mayCall('get', 'c')]).toEqual([true, false]);
  });

  it('gets another probe after half a minute when the answer to the first one drips', async () => {
    refuse('get', 'a', 'NETWORK');
    await clock.advance(1_500);
    circuits.probeStarted(['get'], 'b');
    await clock.advance(29_999);
    expect(allowed('get')).toBe('none');
    await clock.advance(1);
    expect(allowed('get')).toBe('one');
  });

  it('opens for all when the probe succeeded, and says so once', async () => {
    refuse('get', 'a', 'NETWORK');
    await clock.advance(1_500);
    circuits.probeStarted(['get'], 'b');
    circuits.succeeded('get', 'b');
    circuits.succeeded('get', 'b');
    circuits.probeEnded(['get'], 'b');
    expect(allowed('get', 'object')).toBe('all');
    expect(kinds()).toEqual(['circuit.paused', 'circuit.resumed']);
  });

  it('lets the next job probe at once when the first one ended without touching the circuit', async () => {
    refuse('get', 'a', 'NETWORK');
    await clock.advance(1_500);
    circuits.probeStarted(['get'], 'b');
    circuits.probeEnded(['get'], 'b');
    expect(allowed('get')).toBe('one');
  });

  it('waits longer after each probe that failed, at most half a minute', async () => {
    const sinceMs = clock.now();
    refuse('get', 'a', 'NETWORK');
    const waits = [waitMs()];
    for (let probe = 0; probe < 7; probe += 1) {
      await failProbe('get');
      waits.push(waitMs());
    }
    expect(waits).toEqual([1_500, 2_500, 4_500, 8_500, 16_500, 30_000, 30_000, 30_000]);
    expect(circuits.pauses()).toEqual([
      { circuit: 'service', failure: offline, times: 8, sinceMs, isWhole: true },
    ]);
  });

  it('takes jobs that were on the line together for one reason to wait', () => {
    for (let job = 0; job < 20; job += 1) refuse('get', `job ${job}`, 'NETWORK');
    expect(waitMs()).toBe(1_500);
    expect(circuits.pauses()[0]?.times).toBe(1);
    expect(kinds()).toEqual(['circuit.paused']);
  });

  it('says a pause once, and again when the reason is another one', async () => {
    refuse('get', 'a', 'NETWORK');
    await failProbe('get');
    await failProbe('get', 'probe', failureOf('KEY_REFUSED'));
    await failProbe('get', 'probe', failureOf('KEY_REFUSED'));
    expect(told.map((event) => 'code' in event && event.code)).toEqual(['NETWORK', 'KEY_REFUSED']);
  });

  it.each([
    ['a quarter of a minute for a refused key', 'KEY_REFUSED', 15_000],
    ['a quarter of a minute for a missing permission', 'VIDEO_PERMISSION_MISSING', 15_000],
    ['by the draw for all else', 'NETWORK', 1_500],
  ] as const)('waits %s', (_what, code, expectedMs) => {
    refuse('get', 'a', code);
    expect(waitMs()).toBe(expectedMs);
  });

  it('is not confused by a wall clock that is set', async () => {
    refuse('get', 'a', 'NETWORK');
    clock.stepWallClock(-3_600_000);
    await clock.advance(1_500);
    expect(allowed('get')).toBe('one');
  });

  it('keeps only the step closed that was refused itself when another one succeeds', () => {
    refuse('put', 'a', 'VIDEO_PERMISSION_MISSING');
    expect(allowed('urls')).toBe('none');
    circuits.succeeded('get', 'b');
    expect([allowed('urls'), allowed('get'), allowed('get', 'put')]).toEqual(['all', 'all', 'one']);
    // Refused once more while others succeed, so it concerns this step
    circuits.probeStarted(['get', 'put'], 'a');
    refuse('put', 'a', 'VIDEO_PERMISSION_MISSING');
    expect([allowed('urls'), allowed('put')]).toEqual(['all', 'none']);
    expect(kinds()).toEqual(['circuit.paused']);
    circuits.succeeded('put', 'c');
    expect(kinds()).toEqual(['circuit.paused', 'circuit.resumed']);
  });

  it('can be closed by what is known here, and opens with any success', () => {
    circuits.pause('service', failureOf('KEY_MISSING'));
    expect(allowed('urls')).toBe('none');
    circuits.succeeded('get', 'a');
    expect(allowed('urls')).toBe('all');
  });
});

describe('a step that refuses one after the other', () => {
  it('stays open after one refusal, which may be about its subject', () => {
    expect(refuse('put', 'a')).toMatchObject({ isOwn: false, isClosed: false, times: 1, delayMs: 1_500 });
    expect(allowed('put')).toBe('all');
    expect(told).toEqual([]);
  });

  it('closes with the second refusal in a row of another subject, and the others go on', () => {
    refuse('put', 'a');
    expect(refuse('put', 'b')).toMatchObject({ isOwn: false, isClosed: true, delayMs: 1_500 });
    expect([allowed('get', 'put'), allowed('get'), allowed('urls')]).toEqual(['none', 'all', 'all']);
    expect(told).toMatchObject([
      { event: 'circuit.paused', circuit: 'service', advice: expect.stringContaining('Nothing is lost') },
    ]);
  });

  it('closes at once when one answer refused several', () => {
    refuse('urls', 'a', 'VALIDATION', { isShared: true });
    expect(allowed('urls')).toBe('none');
  });

  it('closes with the third refusal of the only one there is, so that a person reads of it', () => {
    refuse('put', 'a');
    expect(refuse('put', 'a').isClosed).toBe(false);
    expect(refuse('put', 'a').isClosed).toBe(true);
  });

  it('stays open when somebody passes in between', () => {
    for (const subject of ['a', 'b', 'c', 'd']) {
      refuse('put', subject);
      circuits.succeeded('put', 'other');
    }
    expect(told).toEqual([]);
  });

  it('is not opened by a success of another step', async () => {
    refuse('put', 'a');
    refuse('put', 'b');
    circuits.succeeded('get', 'a');
    expect(allowed('put')).toBe('none');
    await clock.advance(1_500);
    expect(allowed('put')).toBe('one');
    circuits.probeStarted(['get', 'put'], 'b');
    circuits.succeeded('get', 'b');
    circuits.succeeded('put', 'b');
    expect(kinds()).toEqual(['circuit.paused', 'circuit.resumed']);
  });

  it('makes the other closed steps due at once when it opens', async () => {
    for (const step of ['get', 'urls'] as const) for (const subject of ['a', 'b']) refuse(step, subject);
    await failProbe('get', 'a', failureOf('VALIDATION'));
    await clock.advance(2_500);
    circuits.probeStarted(['get'], 'b');
    expect(allowed('urls')).toBe('none');
    circuits.succeeded('get', 'b');
    expect([allowed('get'), allowed('urls')]).toEqual(['all', 'one']);
  });

  it('names who was refused last, so that another one probes', () => {
    refuse('put', 'a');
    refuse('put', 'b');
    expect(circuits.lastRefused(['get', 'put'])).toBe('b');
    expect(circuits.lastRefused(['urls'])).toBeUndefined();
  });
});
