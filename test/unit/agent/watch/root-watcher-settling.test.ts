import { rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Watcher } from '../../../../electron/agent/watch/watcher.ts';
import type { FakeClock } from '../../../helpers/fake-clock.ts';
import { fakeClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';

let desk: WatchDesk<FakeClock>;
beforeEach(async () => {
  desk = await fakeClockDesk();
});
afterEach(async () => {
  await desk.close();
  expect(desk.errors).toEqual([]);
});

async function begin(watcher: Watcher): Promise<void> {
  watcher.start();
  await desk.clock.untilAsleep();
}

async function requestRescan(watcher: Watcher): Promise<void> {
  watcher.requestRescan();
  // Hints are gathered for a moment
  await desk.clock.advance(100);
}

const heldEvents = (): readonly string[] =>
  desk.events.flatMap((event) =>
    event.event === 'file.held' ? [`${event.folder}/${event.file} ${event.code}`] : [],
  );

describe('settling in a watched root', () => {
  it('hands an export over when its files were quiet for the settling time, and not before', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/cam/b.mp4');
    const watcher = desk.watcher();
    expect(watcher.state()).toMatchObject({ firstScanDone: false, online: false, idle: false });
    await begin(watcher);
    expect(watcher.state()).toMatchObject({ settling: 2, online: true, firstScanDone: true, idle: false });
    await desk.clock.advance(29_000);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(6_000);
    expect(desk.snapshots).toHaveLength(1);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'cam/b.mp4']);
    expect(desk.last('Gate')).toMatchObject({
      unsettledCount: 0,
      heldCount: 0,
      ref: { rootId: 'root-1', exportPath: 'Gate' },
    });
    expect(watcher.state()).toMatchObject({ settling: 0, idle: true });
    expect(watcher.state().lastScanAt).toBe(desk.clock.now() - 35_000);
  });

  it('says nothing twice while nothing changes', async () => {
    await desk.write('Gate/a.mp4');
    await begin(desk.watcher());
    await desk.clock.advance(35_000);
    await desk.clock.advance(1_200_000);
    expect(desk.snapshots).toHaveLength(1);
    expect(desk.checked).toEqual(['a.mp4']);
  });

  it('waits for a file that grows, and hands the others over meanwhile', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/growing.mp4', '1');
    await begin(desk.watcher());
    for (let size = 2; size < 8; size += 1) {
      await desk.clock.advance(10_000);
      await desk.write('Gate/growing.mp4', 'x'.repeat(size));
    }
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    expect(desk.last('Gate')?.unsettledCount).toBe(1);
    await desk.clock.advance(40_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'growing.mp4']);
    expect(desk.last('Gate')?.settled.find((file) => file.path === 'growing.mp4')?.sizeBytes).toBe(7);
  });

  it('takes a settled file that grows again back, and hands the new version over later', async () => {
    await desk.write('Gate/a.mp4', '1');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(35_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    await desk.write('Gate/a.mp4', '12345');
    await requestRescan(watcher);
    await desk.clock.advance(5_000);
    expect(desk.last('Gate')).toMatchObject({ settled: [], unsettledCount: 1 });
    expect(desk.last('Gate')?.all.map((file) => file.path)).toEqual(['a.mp4']);
    await desk.clock.advance(40_000);
    expect(desk.last('Gate')?.settled).toMatchObject([{ path: 'a.mp4', sizeBytes: 5 }]);
  });

  it('finds growth in place without a hint, at the latest with the fifth scan', async () => {
    // Deeper than the folders about which the system is asked for hints
    const path = 'camera/day/a.ts';
    await desk.write(`Gate/${path}`, '1');
    await begin(desk.watcher());
    await desk.clock.advance(35_000);
    const sizeOf = (): number | undefined =>
      desk.last('Gate')?.settled.find((file) => file.path === path)?.sizeBytes;
    expect(sizeOf()).toBe(1);
    await desk.write(`Gate/${path}`, '12345');
    await desk.clock.advance(60_000);
    expect(sizeOf()).toBe(1);
    await desk.clock.advance(6 * 66_000);
    expect(sizeOf()).toBe(5);
  });

  it('adds a clip that arrives later to its export', async () => {
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(35_000);
    await desk.write('Gate/late.mp4');
    await requestRescan(watcher);
    await desk.clock.advance(100_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'late.mp4']);
  });

  it('holds empty files and containers that end early, says so once a change, and counts as idle', async () => {
    await desk.write('Gate/empty.mp4', '');
    await desk.write('Gate/cut.mp4', 'cut');
    await desk.write('Gate/fine.jpg');
    await desk.write('loose.mp4');
    desk.completeness.set('cut.mp4', { kind: 'incomplete', reason: 'the index is missing' });
    desk.completeness.set('fine.jpg', { kind: 'unknown-format' });
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(400_000);
    expect(desk.settledNames('Gate')).toEqual(['fine.jpg']);
    expect(desk.last('Gate')).toMatchObject({ unsettledCount: 0, heldCount: 2 });
    const expected = ['/loose.mp4 FILE_SKIPPED', 'Gate/cut.mp4 FILE_INCOMPLETE', 'Gate/empty.mp4 FILE_EMPTY'];
    expect(heldEvents().toSorted()).toEqual(expected);
    expect(
      watcher
        .held()
        .map((one) => `${one.folder}/${one.file} ${one.failure.code}`)
        .toSorted(),
    ).toEqual(expected);
    expect(watcher.state()).toMatchObject({ held: 3, settling: 0, idle: true });
    desk.completeness.delete('cut.mp4');
    await desk.write('Gate/cut.mp4', 'whole now');
    await desk.write('Gate/empty.mp4', 'filled');
    await desk.clock.advance(120_000);
    expect(desk.settledNames('Gate')).toEqual(['cut.mp4', 'empty.mp4', 'fine.jpg']);
    expect(watcher.state().held).toBe(1);
  });

  it('lets a container that ends early through, flagged, when nothing wrote to it for six hours', async () => {
    await desk.write('Gate/cut.mp4', 'cut');
    desk.completeness.set('cut.mp4', { kind: 'incomplete', reason: 'the index is missing' });
    await begin(desk.watcher({ rescanIntervalMs: 600_000 }));
    await desk.clock.advance(5.9 * 3_600_000);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(0.5 * 3_600_000);
    expect(desk.last('Gate')?.settled).toMatchObject([{ path: 'cut.mp4', incomplete: true }]);
    await desk.clock.advance(0.5 * 3_600_000);
    expect(desk.snapshots).toHaveLength(1);
  });

  it('holds a file that cannot be read, and checks it again until it can', async () => {
    const failure = { code: 'FILE_NO_ACCESS', message: 'no', advice: '', retryable: true } as const;
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/denied.mp4');
    await desk.write('Gate/hung.mp4');
    desk.completeness.set('denied.mp4', { kind: 'unreadable', failure });
    desk.completeness.set('hung.mp4', { kind: 'unreadable', failure: { ...failure, code: 'ROOT_HUNG' } });
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(60_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    expect(watcher.state()).toMatchObject({ settling: 1, held: 1, idle: false });
    desk.completeness.delete('hung.mp4');
    await desk.clock.advance(6_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'hung.mp4']);
    await desk.clock.advance(30 * 60_000);
    expect(watcher.state()).toMatchObject({ settling: 0, held: 1, idle: true });
    const said = desk.events.filter(({ event }) => event === 'file.held');
    expect(said).toMatchObject([{ folder: 'Gate', file: 'denied.mp4', code: 'FILE_NO_ACCESS' }]);
    desk.completeness.delete('denied.mp4');
    await desk.clock.advance(60_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'denied.mp4', 'hung.mp4']);
  });

  it('waits for a temporary file while it changes, then leaves it out', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/b.mp4.part', '1');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(20_000);
    await desk.write('Gate/b.mp4.part', '12');
    await desk.clock.advance(16_000);
    expect(desk.last('Gate')).toMatchObject({ unsettledCount: 1 });
    expect(watcher.state().idle).toBe(false);
    await desk.clock.advance(30_000);
    expect(desk.last('Gate')).toMatchObject({ unsettledCount: 0, heldCount: 1 });
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
    expect(desk.checked).toEqual(['a.mp4']);
    expect(watcher.state()).toMatchObject({ idle: true, held: 0 });
    await rename(join(desk.root, 'Gate', 'b.mp4.part'), join(desk.root, 'Gate', 'b.mp4'));
    await requestRescan(watcher);
    await desk.clock.advance(100_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'b.mp4']);
  });

  it('demands two more looks after the machine slept', async () => {
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher({ root: { id: 'root-1', path: desk.root, settings: { settleSeconds: 3 } } });
    let sleepMs = 0;
    const { clock } = desk;
    const sleepy = { ...clock, monotonic: () => clock.monotonic() + sleepMs };
    await watcher.stop();
    const slept = desk.watcher({
      clock: sleepy,
      root: { id: 'root-1', path: desk.root, settings: { settleSeconds: 3 } },
    });
    await begin(slept);
    await desk.clock.advance(1_500);
    sleepMs = 3_600_000;
    await desk.clock.advance(750);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(750);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(750);
    expect(desk.snapshots).toHaveLength(1);
  });

  it('is not misled when the wall clock is set', async () => {
    await desk.write('Gate/a.mp4');
    await begin(desk.watcher());
    await desk.clock.advance(5_000);
    desk.clock.stepWallClock(3_600_000);
    await desk.clock.advance(20_000);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(10_000);
    expect(desk.snapshots).toHaveLength(1);
  });

  it('takes files whose time is 1970 or 2099', async () => {
    await desk.write('Gate/old.mp4');
    await desk.write('Gate/ahead.mp4');
    await utimes(join(desk.root, 'Gate', 'old.mp4'), 0, 0);
    await utimes(join(desk.root, 'Gate', 'ahead.mp4'), 4_070_908_800, 4_070_908_800);
    await begin(desk.watcher());
    await desk.clock.advance(35_000);
    expect(desk.settledNames('Gate')).toEqual(['old.mp4']);
    await desk.clock.advance(35_000);
    expect(desk.settledNames('Gate')).toEqual(['ahead.mp4', 'old.mp4']);
  });

  it('takes a write that keeps the size for a change', async () => {
    await desk.write('Gate/a.mp4', 'aaaa');
    await begin(desk.watcher());
    await desk.clock.advance(25_000);
    await writeFile(join(desk.root, 'Gate', 'a.mp4'), 'bbbb');
    await desk.clock.advance(10_000);
    expect(desk.snapshots).toEqual([]);
    await desk.clock.advance(30_000);
    expect(desk.snapshots).toHaveLength(1);
  });
});
