import { describe, expect, it } from 'vitest';
import type { RootGate } from '../../../../electron/agent/files/root-gate.ts';
import {
  createScanSchedule,
  hintRestMs,
  measureWork,
  passPauseMs,
} from '../../../../electron/agent/watch/schedule.ts';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

/** A gate on a clock that the test controls, and an operation that takes a given time on it. */
function setUp() {
  const real = createFakeClock();
  let passedMs = 0;
  let drawn = 0.5;
  const clock = { ...real, monotonic: () => passedMs, random: () => drawn };
  const gate: RootGate = {
    ...createRootGate({ clock, rootPath: '/exports' }),
    run: (operation) => operation(),
  };
  const measured = measureWork(gate, clock);
  const operation = (delayMs: number) => measured.run(async () => void (passedMs += delayMs));
  const settings = { settleSeconds: 30 };
  const schedule = createScanSchedule({ clock, settings }, measured);
  const leftMs = (): number => Math.round(schedule.dueMs() - passedMs);
  const spread = (draw: number) => void (drawn = draw);
  return { measured, operation, schedule, leftMs, spread };
}

describe('pauses', () => {
  it.each([
    [0, 5_000],
    [10, 5_000],
    [8_000, 8_000],
    [15_000, 15_000],
    [1_800_000, 30_000],
  ])('after a pass of %s ms of work the next one comes %s ms later', (workMs, pauseMs) => {
    expect(passPauseMs(5_000, workMs)).toBe(pauseMs);
  });

  it.each([
    [0, 0],
    [100, 2_000],
    [3_000, 60_000],
    [1_800_000, 60_000],
  ])('after a hinted inspection of %s ms of work hints rest %s ms', (workMs, restMs) => {
    expect(hintRestMs(workMs)).toBe(restMs);
  });

  it('count work, not waiting', async () => {
    const { measured, operation } = setUp();
    await operation(5);
    await operation(1_800_000);
    expect(measured.workMs()).toBe(105);
  });

  it('count operations side by side once, and those that fail too', async () => {
    const { measured, operation } = setUp();
    await Promise.all([operation(30), operation(20)]);
    await measured.run(() => Promise.reject(new Error('ENOENT'))).catch(() => undefined);
    expect(measured.workMs()).toBe(50);
  });
});

describe('scan schedule', () => {
  it('rests a hundred times the work of a large scan', async () => {
    const { operation, schedule, leftMs } = setUp();
    schedule.begin();
    for (let count = 0; count < 20; count += 1) await operation(100);
    schedule.succeeded();
    expect(leftMs()).toBe(210_000);
  });

  it('ends a scan every five minutes, however large or slow the root is', async () => {
    const { operation, schedule, leftMs, spread } = setUp();
    spread(1);
    for (const seconds of [20, 100, 180]) {
      schedule.begin();
      for (let count = 0; count < seconds; count += 1) await operation(1_000);
      schedule.succeeded();
      // The next one takes equally long
      expect(leftMs() + seconds * 1_000).toBeLessThan(5 * 60_000);
      expect(leftMs()).toBeGreaterThan(60_000);
    }
  });

  it('inspects settled files at the first scan, at every fifth, and after the root was away', () => {
    const { schedule } = setUp();
    const deep: boolean[] = [];
    for (let count = 0; count < 6; count += 1) {
      deep.push(schedule.begin().isDeep);
      schedule.succeeded();
    }
    expect(deep).toEqual([true, false, false, false, false, true]);
    schedule.begin();
    schedule.failed();
    expect(schedule.begin().isDeep).toBe(true);
  });

  it('keeps a rescan that is asked for while a scan runs for the next scan', () => {
    const { schedule, leftMs } = setUp();
    schedule.begin();
    schedule.requestDeep();
    schedule.succeeded();
    expect(leftMs()).toBe(0);
    expect(schedule.begin().isDeep).toBe(true);
    schedule.succeeded();
    expect(schedule.begin().isDeep).toBe(false);
  });

  it('tries a root that is away later and later, every 30 s at least', () => {
    const { schedule, leftMs } = setUp();
    const pausesMs = Array.from({ length: 8 }, () => {
      schedule.begin();
      schedule.failed();
      return leftMs();
    });
    expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });
});
