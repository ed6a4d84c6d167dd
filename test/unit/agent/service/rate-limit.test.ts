import { describe, expect, it } from 'vitest';
import { createRateLimit, type RateLimit } from '../../../../electron/agent/service/rate-limit.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import type { Clock } from '../../../../electron/agent/ports.ts';
import { createManualClock, settle } from '../upload/manual-clock.ts';

/** Takes without end, as a sender would; returns the bytes taken so far and a function that stops it. */
function greedy(limit: RateLimit, takers: number): { bytes: () => number; stop: () => Promise<unknown> } {
  const stopping = new AbortController();
  let bytes = 0;
  async function take(): Promise<void> {
    while (!stopping.signal.aborted) {
      const chunk = limit.chunkBytes;
      await limit.take(chunk, stopping.signal);
      bytes += chunk;
    }
  }
  const all = Promise.allSettled(Array.from({ length: takers }, take));
  return {
    bytes: () => bytes,
    stop: () => {
      stopping.abort(new Error('stopped'));
      return all;
    },
  };
}

/** A clock whose timers are late, like real ones. */
function late(clock: Clock, byMs: number): Clock {
  return { ...clock, sleep: (delayMs, signal) => clock.sleep(delayMs + byMs, signal) };
}

/** How late a timer may be without any loss, milliseconds: as long as a limit saves up. */
const BRIDGED_MS = 50;

/** A clock, and how much of its time was lost because timers were later than a limit bridges. */
function watched(clock: Clock): { readonly clock: Clock; lostMs(): number } {
  let lostMs = 0;
  return {
    clock: {
      ...clock,
      async sleep(delayMs, signal) {
        const dueAt = clock.monotonic() + delayMs;
        await clock.sleep(delayMs, signal);
        lostMs += Math.max(0, clock.monotonic() - dueAt - BRIDGED_MS);
      },
    },
    lostMs: () => lostMs,
  };
}

describe('createRateLimit', () => {
  it.each([
    [1_024, 1],
    [65_536, 8],
    [1_000_000, 1],
    [1_000_000, 8],
    [12_500_000, 32],
    [100_000_000, 8],
  ])('keeps %i bytes a second for %i senders, within 5 percent over 10 s', async (rate, takers) => {
    const clock = createManualClock();
    const limit = createRateLimit(late(clock, 2), rate);
    const sender = greedy(limit, takers);
    await clock.advance(1_000);
    const before = sender.bytes();
    await clock.advance(10_000);
    const perSecond = (sender.bytes() - before) / 10;
    expect(perSecond).toBeGreaterThan(rate * 0.95);
    expect(perSecond).toBeLessThan(rate * 1.05);
    await sender.stop();
  });

  it('holds the limit in real time', async () => {
    const rate = 4_000_000;
    const clock = createSystemClock();
    const timers = watched(clock);
    const limit = createRateLimit(timers.clock, rate);
    const startedAt = clock.monotonic();
    const sender = greedy(limit, 8);
    await clock.sleep(3_000);
    const tookMs = clock.monotonic() - startedAt;
    const bytes = sender.bytes();
    await sender.stop();
    // What a busy machine's timers lost is nobody's fault: the rest of the time has to be used
    expect((bytes * 1000) / (tookMs - timers.lostMs())).toBeGreaterThan(rate * 0.7);
    expect((bytes * 1000) / tookMs).toBeLessThan(rate * 1.05);
  });

  it('lets everything through at once when there is no limit', async () => {
    const clock = createManualClock();
    const limit = createRateLimit(clock, null);
    await limit.take(10 ** 12);
    expect(clock.sleepers).toBe(0);
    expect(limit.chunkBytes).toBe(1024 * 1024);
  });

  it.each([
    [1_024, 1_024],
    [65_536, 4_096],
    [1_000_000, 62_464],
    [1_000_000_000, 1_048_576],
  ])('under %i bytes a second asks for %i bytes at a time', (rate, chunk) => {
    expect(createRateLimit(createManualClock(), rate).chunkBytes).toBe(chunk);
  });

  it('saves up no more than a moment while nobody sends', async () => {
    const clock = createManualClock();
    const limit = createRateLimit(clock, 1_000_000);
    await clock.advance(3_600_000);
    const sender = greedy(limit, 4);
    await clock.advance(1);
    expect(sender.bytes()).toBeLessThan(200_000);
    await sender.stop();
  });

  it('changes for those who wait already', async () => {
    const clock = createManualClock();
    const limit = createRateLimit(clock, 1_024);
    await clock.advance(10);
    const first = limit.take(1_024);
    await clock.advance(10);
    const second = limit.take(1_024 * 1_024);
    const third = limit.take(1);
    await clock.advance(10);
    limit.setLimit(null);
    await Promise.all([first, second, third]);
    expect(clock.sleepers).toBe(0);
  });

  it('keeps a lowered limit too, once the large pieces that were asked for before have gone', async () => {
    const clock = createManualClock();
    const limit = createRateLimit(clock, 100_000_000);
    const sender = greedy(limit, 4);
    await clock.advance(1_000);
    const before = sender.bytes();
    limit.setLimit(100_000);
    await clock.advance(60_000);
    const after = sender.bytes();
    expect(after - before).toBeLessThan(60 * 100_000 + 1024 * 1024);
    await clock.advance(10_000);
    expect(sender.bytes() - after).toBeGreaterThan(950_000);
    expect(sender.bytes() - after).toBeLessThan(1_050_000);
    await sender.stop();
  });

  it('lets an aborted sender go and serves the next', async () => {
    const clock = createManualClock();
    const limit = createRateLimit(clock, 1_024);
    await clock.advance(1_000);
    await limit.take(2_048);
    const stopping = new AbortController();
    const aborted = limit.take(1_024, stopping.signal);
    const next = limit.take(1_024);
    stopping.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    await clock.advance(2_000);
    await next;
    expect(clock.sleepers).toBe(0);
  });

  it('leaves no timer behind when all who waited are gone', async () => {
    const clock = createManualClock();
    const limit = createRateLimit(clock, 1_024);
    const stopping = new AbortController();
    await Promise.allSettled([
      limit.take(1_024, stopping.signal),
      limit.take(1_024, stopping.signal),
      Promise.resolve().then(() => stopping.abort(new Error('stopped'))),
    ]);
    await settle();
    expect(clock.sleepers).toBe(0);
    await expect(limit.take(1, stopping.signal)).rejects.toThrow('stopped');
  });
});
