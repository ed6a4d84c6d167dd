import { mkdir, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileVersion, ExportSnapshot } from '../../../../electron/agent/core/settle/file-seen.ts';
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

const eventNames = (): readonly string[] => desk.events.map((event) => event.event);

describe('root watcher', () => {
  it('shows that a settled file is gone from a folder that is there', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/b.mp4');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(35_000);
    await unlink(join(desk.root, 'Gate', 'a.mp4'));
    await requestRescan(watcher);
    await desk.clock.advance(5_000);
    expect(desk.settledNames('Gate')).toEqual(['b.mp4']);
    expect(desk.last('Gate')?.removedExport).toBeUndefined();
  });

  it('reports a removed folder only after two scans of a root that is there', async () => {
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(35_000);
    await rm(join(desk.root, 'Gate'), { recursive: true });
    watcher.requestRescan();
    await expect.poll(() => watcher.state().lastScanAt).toBe(desk.clock.now());
    await desk.clock.untilAsleep();
    expect(desk.last('Gate')?.removedExport).toBeUndefined();
    await desk.clock.advance(3_000);
    expect(desk.last('Gate')).toMatchObject({ removedExport: true, settled: [], all: [] });
    expect(desk.snapshots).toHaveLength(2);
    await desk.clock.advance(200_000);
    expect(desk.snapshots).toHaveLength(2);
  });

  it('takes a folder recreated under an old name for another export', async () => {
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(35_000);
    const before = desk.last('Gate')?.ref.birthMs;
    await rm(join(desk.root, 'Gate'), { recursive: true });
    await desk.write('Gate/a.mp4');
    await requestRescan(watcher);
    await desk.clock.advance(40_000);
    expect(desk.snapshots.map((one) => [one.removedExport === true, one.settled.length])).toEqual([
      [false, 1],
      [true, 0],
      [false, 1],
    ]);
    expect(desk.snapshots[1]?.ref.birthMs).toBe(before);
    expect(desk.last('Gate')?.ref.birthMs).toBeGreaterThan(before ?? Infinity);
  });

  it('concludes nothing from a root that vanished, and goes on when it returns', async () => {
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(35_000);
    await rename(desk.root, `${desk.root}-away`);
    watcher.requestRescan();
    await expect.poll(() => watcher.state().online).toBe(false);
    await desk.clock.advance(180_000);
    expect(desk.snapshots).toHaveLength(1);
    expect(watcher.state()).toMatchObject({ online: false, idle: false, firstScanDone: true });
    await rename(`${desk.root}-away`, desk.root);
    await desk.write('Gate/b.mp4');
    await desk.clock.advance(61_000);
    expect(watcher.state().online).toBe(true);
    await desk.clock.advance(40_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'b.mp4']);
    expect(eventNames().filter((name) => name.startsWith('root'))).toEqual(['root.offline', 'root.online']);
  });

  it('tells that a root is back once, and again when that could not be taken in', async () => {
    let told = 0;
    const watcher = desk.watcher({
      onOnline: async () => {
        told += 1;
        if (told === 1) throw new Error('the disk is full');
      },
    });
    await begin(watcher);
    expect(told).toBe(0);
    await rename(desk.root, `${desk.root}-away`);
    await requestRescan(watcher);
    await rename(`${desk.root}-away`, desk.root);
    await requestRescan(watcher);
    expect([told, watcher.state().online]).toEqual([1, false]);
    expect(desk.errors.splice(0)).toEqual([
      'Watching a folder failed; it will be retried Error: the disk is full',
    ]);
    await desk.clock.advance(10_000);
    await expect.poll(() => watcher.state().online).toBe(true);
    await requestRescan(watcher);
    expect(told).toBe(2);
    expect(eventNames()).toEqual(['root.offline', 'root.online']);
  });

  it('forgets quietly what was in a root that was deleted and recreated', async () => {
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(35_000);
    await rename(desk.root, `${desk.root}-old`);
    await mkdir(desk.root);
    await desk.write('Goal/b.mp4');
    await requestRescan(watcher);
    await desk.clock.advance(100_000);
    expect(desk.settledNames('Goal')).toEqual(['b.mp4']);
    expect(desk.snapshots.some((snapshot) => snapshot.removedExport)).toBe(false);
  });

  it('waits for a root that does not exist yet, longer and longer, and says so once', async () => {
    await rm(desk.root, { recursive: true });
    const watcher = desk.watcher();
    await begin(watcher);
    await desk.clock.advance(120_000);
    expect(desk.events).toMatchObject([{ event: 'root.offline', root: desk.root, code: 'ROOT_MISSING' }]);
    expect(watcher.state()).toMatchObject({ online: false, firstScanDone: false, idle: false });
    await desk.write('Gate/a.mp4');
    watcher.requestRescan();
    await expect.poll(() => watcher.state().online).toBe(true);
    await desk.clock.untilAsleep();
    await desk.clock.advance(35_000);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4']);
  });

  it('hands an unchanged file over once more that was away just when it was to be sent', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/b.mp4');
    let gone: readonly string[] = [];
    const watcher = desk.watcher({ gonePaths: () => gone });
    await begin(watcher);
    await desk.clock.advance(35_000);
    expect(desk.snapshots).toHaveLength(1);
    gone = ['a.mp4', 'never-there.mp4'];
    await rename(join(desk.root, 'Gate/a.mp4'), join(desk.base, 'a.mp4'));
    await rename(join(desk.base, 'a.mp4'), join(desk.root, 'Gate/a.mp4'));
    await requestRescan(watcher);
    expect(desk.snapshots).toHaveLength(2);
    expect(desk.settledNames('Gate')).toEqual(['a.mp4', 'b.mp4']);
    gone = ['never-there.mp4'];
    await requestRescan(watcher);
    expect(desk.snapshots).toHaveLength(2);
  });

  it('takes what was taken before a restart for settled at once, without a word or a check', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/b.mp4');
    const first = desk.watcher();
    await begin(first);
    await desk.clock.advance(35_000);
    await first.stop();
    const taken = versionsOf(desk.last('Gate'));
    desk.snapshots.length = 0;
    desk.checked.length = 0;
    const known = (): ReadonlyMap<string, FileVersion> => taken;
    const second = desk.watcher({ known });
    await begin(second);
    expect(second.state()).toMatchObject({ settling: 0, idle: true });
    expect(desk.snapshots).toEqual([]);
    expect(desk.checked).toEqual([]);
    await second.stop();
    await unlink(join(desk.root, 'Gate', 'a.mp4'));
    await desk.write('Gate/b.mp4', 'another length');
    await begin(desk.watcher({ known }));
    expect(desk.last('Gate')).toMatchObject({ settled: [], unsettledCount: 1 });
    await desk.clock.advance(35_000);
    expect(desk.settledNames('Gate')).toEqual(['b.mp4']);
  });

  it('hands an export over again when taking it failed', async () => {
    await desk.write('Gate/a.mp4');
    let failures = 2;
    const taken: ExportSnapshot[] = [];
    const watcher = desk.watcher({
      onExport: async (snapshot) => {
        failures -= 1;
        if (failures >= 0) throw new Error('disk full');
        taken.push(snapshot);
      },
    });
    await begin(watcher);
    await desk.clock.advance(31_000);
    expect(watcher.state().idle).toBe(false);
    await desk.clock.advance(30_000);
    expect(taken).toHaveLength(1);
    expect(watcher.state().idle).toBe(true);
    expect(desk.errors.splice(0)).toHaveLength(1);
  });

  it.each([
    [
      'is left after a fault that repeats itself, so that a run can end',
      new TypeError('no such thing'),
      true,
    ],
    [
      'waits for a disk that is full, however long',
      Object.assign(new Error(), { code: 'SQLITE_FULL' }),
      false,
    ],
  ])('an export %s', async (_, error, isLeft) => {
    await desk.write('Gate/a.mp4');
    let tries = 0;
    const watcher = desk.watcher({
      onExport: async () => {
        tries += 1;
        throw error;
      },
    });
    await begin(watcher);
    await desk.clock.advance(300_000);
    expect(watcher.state().idle).toBe(isLeft);
    expect(tries === 5).toBe(isLeft);
    desk.errors.splice(0);
  });
});

function versionsOf(snapshot: ExportSnapshot | undefined): Map<string, FileVersion> {
  return new Map((snapshot?.settled ?? []).map(({ path, ...version }) => [path, version]));
}
