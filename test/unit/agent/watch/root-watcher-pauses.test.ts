import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RootGate } from '../../../../electron/agent/files/root-gate.ts';
import type { Clock } from '../../../../electron/agent/ports.ts';
import type { Watcher } from '../../../../electron/agent/watch/watcher.ts';
import type { FakeClock } from '../../../helpers/fake-clock.ts';
import { fakeClockDesk, realClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';

const HALF_AN_HOUR_MS = 30 * 60_000;

/** A clock, and a gate whose next file operation takes as long as `hang` says: a hanging share, a sleeping PC. */
function withHangs(desk: WatchDesk): { clock: Clock; gate: RootGate; hang(delayMs: number): void } {
  const { clock, gate } = desk;
  let hungMs = 0;
  let nextHangMs = 0;
  return {
    clock: { ...clock, monotonic: () => clock.monotonic() + hungMs, now: () => clock.now() + hungMs },
    gate: {
      ...gate,
      run: (operation, signal, onLate) =>
        gate.run(
          () => {
            hungMs += nextHangMs;
            nextHangMs = 0;
            return operation();
          },
          signal,
          onLate,
        ),
    },
    hang: (delayMs) => void (nextHangMs = delayMs),
  };
}

describe('pauses after a share hung or the PC slept', () => {
  let desk: WatchDesk<FakeClock>;
  beforeEach(async () => {
    desk = await fakeClockDesk(3);
  });
  afterEach(async () => {
    await desk.close();
    expect(desk.errors).toEqual([]);
  });

  async function begin(watcher: Watcher): Promise<void> {
    watcher.start();
    await desk.clock.untilAsleep();
  }

  it('settles a file in seconds although the share hung for half an hour while it was inspected', async () => {
    const { clock, gate, hang } = withHangs(desk);
    await desk.write('Gate/a.mp4');
    await begin(desk.watcher({ clock, gate }));
    await desk.clock.advance(750);
    hang(HALF_AN_HOUR_MS);
    await desk.clock.advance(750);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(4_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
  });

  it('settles a file that comes later in its usual time after such a hang', async () => {
    const { clock, gate, hang } = withHangs(desk);
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher({ clock, gate });
    await begin(watcher);
    hang(HALF_AN_HOUR_MS);
    await desk.clock.advance(10_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    await desk.write('Gate/b.mp4');
    watcher.requestRescan();
    await desk.clock.untilAsleep();
    await desk.clock.advance(5_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'b.mp4']);
  });

  it('scans again after a minute although the share hung for half an hour during the scan', async () => {
    const { clock, gate, hang } = withHangs(desk);
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher({ clock, gate });
    hang(HALF_AN_HOUR_MS);
    await begin(watcher);
    const firstScanAt = watcher.state().lastScanAt;
    expect(firstScanAt).toBe(clock.now());
    await desk.clock.advance(75_000);
    expect(watcher.state().lastScanAt).toBeGreaterThan(firstScanAt ?? Infinity);
  });

  it('finds a root that was away for half an hour within half a minute of its return', async () => {
    const { gate } = desk;
    let isAway = true;
    let attempts = 0;
    const away = async (): Promise<never> => {
      attempts += 1;
      throw Object.assign(new Error('stale'), { code: 'ESTALE' });
    };
    const share: RootGate = {
      ...gate,
      run: (operation, signal, onLate) => gate.run(isAway ? away : operation, signal, onLate),
    };
    const watcher = desk.watcher({ gate: share });
    await begin(watcher);
    await desk.clock.advance(HALF_AN_HOUR_MS);
    // The worst moment: the root comes back just after an attempt failed
    const before = attempts;
    while (attempts === before) await desk.clock.advance(1_000);
    expect(watcher.state().online).toBe(false);
    isAway = false;
    await desk.clock.advance(31_000);
    expect(watcher.state().online).toBe(true);
  });
});

describe('hints after the PC slept', () => {
  it('finds late clips by hints although the PC slept while their export was inspected', async () => {
    const desk = await realClockDesk();
    const { clock, gate, hang } = withHangs(desk);
    const watcher = desk.watcher({ clock, gate, rescanIntervalMs: 86_400_000 });
    const untilSettled = async (...names: readonly string[]): Promise<void> => {
      await expect.poll(() => desk.settledNames('Gate'), { timeout: 8_000 }).toEqual(names);
    };
    try {
      watcher.start();
      await expect.poll(() => watcher.state().idle, { timeout: 8_000 }).toBe(true);
      await desk.write('Gate/a.mp4');
      await untilSettled('a.mp4');
      hang(HALF_AN_HOUR_MS);
      await desk.write('Gate/b.mp4');
      await untilSettled('a.mp4', 'b.mp4');
      await desk.write('Gate/c.mp4');
      await untilSettled('a.mp4', 'b.mp4', 'c.mp4');
    } finally {
      await desk.close();
    }
    expect(desk.errors).toEqual([]);
  }, 40_000);
});
