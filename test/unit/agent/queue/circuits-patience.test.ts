import { beforeEach, describe, expect, it } from 'vitest';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import { openCircuitsDesk } from '../../../helpers/circuits-desk.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

let { clock, circuits, kinds, waitMs, allowed, refuse } = openCircuitsDesk();

beforeEach(() => {
  ({ clock, circuits, kinds, waitMs, allowed, refuse } = openCircuitsDesk());
});
const asked = (retryAfterMs: number) => failureOf('SERVICE_FAULT', { status: 503, retryAfterMs });

describe('a subject that is refused while others pass', () => {
  async function refusedAgain(times: number, betweenMs: number, code: FailureCode = 'STORAGE_DENIED') {
    const verdicts: boolean[] = [];
    for (let time = 0; time < times; time += 1) {
      verdicts.push(refuse('object', 'bad', code).isOwn);
      circuits.succeeded('object', 'good');
      await clock.advance(betweenMs);
    }
    return verdicts;
  }

  it('is given up after as many refusals as its code allows, not counting the first', async () => {
    expect(await refusedAgain(5, 60_000)).toEqual([false, false, false, false, true]);
  });

  it('is not given up within two minutes: a bad minute may hit one and spare another', async () => {
    expect(await refusedAgain(20, 6_000)).toEqual(Array.from({ length: 20 }, () => false));
    expect(refuse('object', 'bad', 'STORAGE_DENIED').isOwn).toBe(true);
  });

  it('is never given up for what passes by itself', async () => {
    expect(await refusedAgain(20, 60_000, 'STORAGE_FAULT')).not.toContain(true);
  });

  it('is never given up while nobody else passes, however long it takes', async () => {
    for (let time = 0; time < 100; time += 1) {
      const verdict = refuse('object', 'bad', 'STORAGE_DENIED');
      expect(verdict.isOwn).toBe(false);
      expect(verdict.delayMs).toBeLessThanOrEqual(30_000);
      await clock.advance(30_000);
    }
  });

  it('is counted by what it is refused with: a bad minute before says nothing', () => {
    circuits.refused({ step: 'complete', subject: 'bad', failure: asked(0) });
    expect(circuits.refusalsAlike('complete', 'bad', 404)).toBe(0);
    for (const times of [1, 2]) {
      const failure = failureOf('STORAGE_NO_UPLOAD', { status: 404 });
      circuits.refused({ step: 'complete', subject: 'bad', failure });
      expect(circuits.refusalsAlike('complete', 'bad', 404)).toBe(times);
    }
  });

  it('starts over after a success of its own', async () => {
    await refusedAgain(4, 60_000);
    circuits.succeeded('object', 'bad');
    expect(circuits.refusalsAlike('object', 'bad', undefined)).toBe(0);
    expect(await refusedAgain(4, 60_000)).not.toContain(true);
  });
});

// service.md gap 26
describe('a wait that the other side asked for', () => {
  it('is not ended by an answer to a call that was out before', async () => {
    refuse('put', 'a', asked(4_000));
    circuits.succeeded('urls', 'b');
    circuits.succeeded('put', 'c');
    expect([allowed('get'), circuits.mayCall('object', 'b'), circuits.mayCall('urls', 'b')]).toEqual([
      'none',
      true,
      false,
    ]);
    await clock.advance(3_999);
    expect(allowed('get')).toBe('none');
    await clock.advance(1);
    expect(allowed('get')).toBe('one');
    expect(kinds()).toEqual(['circuit.paused']);
  });

  it.each([
    ['longer one comes later', 4_000, 12_000],
    ['longer one comes first', 12_000, 4_000],
  ])('lasts to the later end of two when the %s', async (_what, firstMs, secondMs) => {
    refuse('put', 'a', asked(firstMs));
    refuse('urls', 'b', asked(secondMs));
    await clock.advance(11_999);
    expect(allowed('get')).toBe('none');
    await clock.advance(1);
    expect(allowed('get')).toBe('one');
  });

  it('counts after a pause that nobody asked for too, and with a refusal that is about one subject', () => {
    refuse('get', 'a', 'NETWORK');
    refuse('put', 'b', failureOf('VALIDATION', { retryAfterMs: 60_000 }));
    expect(waitMs()).toBe(60_000);
    expect(allowed('urls')).toBe('none');
  });

  it('holds off a probe that is under way from its next call', async () => {
    refuse('put', 'a', 'NETWORK');
    await clock.advance(1_500);
    circuits.probeStarted(['get', 'put'], 'b');
    refuse('urls', 'c', asked(60_000));
    expect(circuits.mayCall('put', 'b')).toBe(false);
    circuits.probeEnded(['get', 'put'], 'b');
    expect(waitMs()).toBe(60_000);
  });

  it.each([
    ['as long as was asked for', 3_600_000, 3_600_000],
    ['at most a day', 7 * 86_400_000, 86_400_000],
    ['a second when nothing but at once was asked for', 0, 1_000],
  ])('waits %s', (_what, retryAfterMs, expectedMs) => {
    refuse('get', 'a', asked(retryAfterMs));
    expect(waitMs()).toBe(expectedMs);
  });

  it('is taken for asked when fewer requests are wanted without a time', () => {
    refuse('get', 'a', 'RATE_LIMITED');
    circuits.succeeded('get', 'b');
    expect(allowed('get')).toBe('none');
  });

  it('keeps the sides apart, and answers the shorter wait', async () => {
    refuse('get', 'a', asked(60_000));
    refuse('object', 'b', 'NETWORK');
    expect(waitMs()).toBe(1_500);
    await clock.advance(1_500);
    expect([allowed('object'), allowed('urls', 'object')]).toEqual(['one', 'none']);
  });
});

// service.md gaps 3 and 33
describe('a key that is said to lack a permission', () => {
  const denied = failureOf('VIDEO_PERMISSION_MISSING', { status: 403 });

  it('closes everything at once, and again when another subject is refused, with one message', async () => {
    expect(refuse('put', 'a', denied)).toMatchObject({ isClosed: true, isAlone: false });
    expect([allowed('put'), allowed('urls')]).toEqual(['none', 'none']);
    await clock.advance(15_000);
    circuits.probeStarted(['get', 'put'], 'b');
    expect(refuse('put', 'b', denied)).toMatchObject({ isClosed: true, isAlone: false });
    expect(kinds()).toEqual(['circuit.paused']);
  });

  it('is no news of one that was refused alike before others passed: it waits alone', () => {
    refuse('put', 'bad', denied);
    circuits.succeeded('put', 'good');
    for (const times of [2, 3, 4, 5])
      expect(refuse('put', 'bad', denied)).toMatchObject({
        isOwn: false,
        isClosed: false,
        isAlone: true,
        times,
      });
    expect([allowed('get', 'put'), allowed('urls')]).toEqual(['all', 'all']);
    expect(kinds()).toEqual(['circuit.paused', 'circuit.resumed']);
  });

  it('closes everything when it is withdrawn while one waits alone', () => {
    refuse('put', 'bad', denied);
    circuits.succeeded('put', 'good');
    refuse('put', 'bad', denied);
    expect(refuse('put', 'good', denied)).toMatchObject({ isClosed: true, isAlone: false });
    expect(refuse('put', 'bad', denied)).toMatchObject({ isClosed: true, isAlone: false });
    expect(allowed('urls')).toBe('none');
  });

  it('closes everything for one that had only lost its connection before others passed', () => {
    refuse('put', 'a', 'NETWORK');
    circuits.succeeded('put', 'good');
    expect(refuse('put', 'a', denied)).toMatchObject({ isClosed: true, isAlone: false });
  });

  it('is the reason to give one up only after others passed six times between its refusals', async () => {
    const verdicts: boolean[] = [];
    for (let time = 0; time < 7; time += 1) {
      verdicts.push(refuse('put', 'bad', denied).isOwn);
      refuse('put', 'bad', denied);
      circuits.succeeded('put', 'good');
      await clock.advance(30_000);
    }
    expect(verdicts).toEqual([false, false, false, false, false, false, true]);
  });

  it('gives nobody up once it was withdrawn for all', async () => {
    for (let time = 0; time < 5; time += 1) {
      refuse('put', 'bad', denied);
      circuits.succeeded('put', 'good');
      await clock.advance(60_000);
    }
    refuse('put', 'good', denied);
    for (let time = 0; time < 9; time += 1) expect(refuse('put', 'bad', denied).isOwn).toBe(false);
  });
});
