import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { appendFile, lstat, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import { createRootGate, type RootGate } from '../../../../electron/agent/files/root-gate.ts';
import {
  createFolderWatcher,
  type RootWatcherOptions,
} from '../../../../electron/agent/watch/root-watcher.ts';
import type { Watcher } from '../../../../electron/agent/watch/watcher.ts';
import type { ExportSnapshot, KnownFile } from '../../../../electron/agent/core/settle/file-seen.ts';
import { realClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';
import { mostlyLong } from '../../../helpers/long.ts';

let desk: WatchDesk;
beforeEach(async () => {
  desk = await realClockDesk();
});
afterEach(async () => {
  await desk.close();
  expect(desk.errors).toEqual([]);
});

/** Longest wait for a fact, and the pause between looks, milliseconds: real file systems and hints need real time. */
const soon = { timeout: 8_000, interval: 20 };

describe('watcher on real time', () => {
  it('never hands over less than a slow writer writes in the end', async () => {
    const watcher = desk.watcher();
    watcher.start();
    await expect.poll(() => watcher.state().idle, soon).toBe(true);
    await mkdir(join(desk.root, 'Gate'));
    for (let piece = 0; piece < 12; piece += 1) {
      await appendFile(join(desk.root, 'Gate', 'slow.mp4'), 'x'.repeat(1_000));
      await delay(60);
    }
    await expect.poll(() => desk.settledNames('Gate'), soon).toEqual(['slow.mp4']);
    for (const snapshot of desk.snapshots)
      for (const file of snapshot.settled) expect(file.sizeBytes).toBe(12_000);
  });

  it('finds a new export, a late clip and growth in place by hints, long before the next scan', async () => {
    const watcher = desk.watcher({ rescanIntervalMs: 3_600_000 });
    watcher.start();
    await expect.poll(() => watcher.state().idle, soon).toBe(true);
    await desk.write('Gate/a.mp4', '1');
    await expect.poll(() => desk.settledNames('Gate'), soon).toEqual(['a.mp4']);
    await desk.write('Gate/late.mp4', '1');
    await expect.poll(() => desk.settledNames('Gate'), soon).toEqual(['a.mp4', 'late.mp4']);
    await desk.write('Gate/a.mp4', '12345');
    await expect
      .poll(
        () =>
          desk
            .last('Gate')
            ?.settled.map((file) => file.sizeBytes)
            .toSorted(),
        soon,
      )
      .toEqual([1, 5]);
    const { lastScanAt } = watcher.state();
    expect(lastScanAt).toBeDefined();
  });

  it('hands over a new export while the first scan of a large root still goes on', async () => {
    // As after a restart: the other exports were queued before, so only the new one settles
    const queued = new Map<string, KnownFile>();
    for (let number = 1; number <= 150; number += 1) {
      const path = `Gate ${number}/a.mp4`;
      await desk.write(path);
      const { size, mtimeNs, ino, dev } = await lstat(join(desk.root, path), { bigint: true });
      const version = { mtimeNs: `${mtimeNs}`, inode: `${ino}`, device: `${dev}` };
      queued.set(`Gate ${number}`, { sizeBytes: Number(size), ...version });
      await utimes(join(desk.root, `Gate ${number}`), 0, 0);
    }
    const known: RootWatcherOptions['known'] = ({ exportPath }) => {
      const file = queued.get(exportPath);
      return new Map(file && [['a.mp4', file]]);
    };
    const slow = { ...desk.gate };
    let operations = 0;
    slow.run = async (operation, signal, onLate) => {
      operations += 1;
      if (desk.settledNames('New').length === 0) await delay(25);
      return desk.gate.run(operation, signal, onLate);
    };
    const watcher = desk.watcher({ gate: slow, known, rescanIntervalMs: 3_600_000 });
    watcher.start();
    await expect.poll(() => operations, soon).toBeGreaterThan(10);
    await desk.write('New/b.mp4');
    await expect.poll(() => desk.settledNames('New'), soon).toEqual(['b.mp4']);
    expect(watcher.state().firstScanDone).toBe(false);
    await expect.poll(() => watcher.state().idle, soon).toBe(true);
    expect(desk.snapshots.filter(({ ref }) => ref.exportPath === 'New')).toHaveLength(1);
    expect(desk.snapshots.some((snapshot) => snapshot.removedExport === true)).toBe(false);
  });

  it('fault 37: says once that no watches are left, and finds exports by scans', async () => {
    vi.spyOn(fs, 'watch').mockImplementation((path) => {
      const text = `ENOSPC: System limit for number of file watchers reached, watch '${String(path)}'`;
      throw Object.assign(new Error(text), { errno: -28, code: 'ENOSPC', syscall: 'watch' });
    });
    syncBuiltinESMExports();
    try {
      const watcher = desk.watcher({ rescanIntervalMs: 300 });
      watcher.start();
      await desk.write('Gate/a.mp4');
      await expect.poll(() => desk.settledNames('Gate'), soon).toEqual(['a.mp4']);
      await desk.write('Ramp/b.mp4');
      // On a busy machine the pause before the next scan is long
      watcher.requestRescan();
      await expect.poll(() => desk.settledNames('Ramp'), soon).toEqual(['b.mp4']);
      const warnings = desk.events.filter(({ event }) => event === 'warning');
      expect(warnings).toMatchObject([{ code: 'WATCHES_USED_UP' }]);
      expect(JSON.stringify(warnings)).toContain(desk.root);
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
  });

  it('goes on by itself after the root vanished and came back', async () => {
    await desk.write('Gate/a.mp4');
    const watcher = desk.watcher({ rescanIntervalMs: 100 });
    watcher.start();
    await expect.poll(() => desk.settledNames('Gate'), soon).toEqual(['a.mp4']);
    await rename(desk.root, `${desk.root}-away`);
    await expect.poll(() => watcher.state().online, soon).toBe(false);
    await rename(`${desk.root}-away`, desk.root);
    await desk.write('Goal/b.mp4');
    await expect.poll(() => desk.settledNames('Goal'), soon).toEqual(['b.mp4']);
    expect(desk.snapshots.some((snapshot) => snapshot.removedExport)).toBe(false);
    await desk.write('Gate/c.mp4');
    await expect.poll(() => desk.settledNames('Gate'), soon).toEqual(['a.mp4', 'c.mp4']);
  });

  mostlyLong([20, 100], 1, (some) =>
    it.for(some)(
      'fault 36: settles 50 exports of %i files, each handed over complete',
      { timeout: 90_000 },
      async (count) => {
        for (let folder = 0; folder < 50; folder += 1) {
          await mkdir(join(desk.root, `e${folder}`));
          await Promise.all(
            Array.from({ length: count }, (_, file) =>
              writeFile(join(desk.root, `e${folder}`, `${file}.mp4`), 'x'),
            ),
          );
        }
        const watcher = desk.watcher();
        watcher.start();
        await expect.poll(() => watcher.state().idle, { timeout: 60_000, interval: 50 }).toBe(true);
        const settled = Array.from(
          { length: 50 },
          (_, folder) => desk.last(`e${folder}`)?.settled.length ?? 0,
        );
        expect(settled).toEqual(Array.from({ length: 50 }, () => count));
        expect(desk.checked).toHaveLength(50 * count);
      },
    ),
  );

  it('stops in the middle of a scan without waiting for its end', async () => {
    for (let folder = 0; folder < 50; folder += 1) await desk.write(`e${folder}/a.mp4`);
    const watcher = desk.watcher();
    watcher.start();
    await watcher.stop();
    expect(watcher.state().firstScanDone).toBe(false);
    expect(desk.snapshots).toEqual([]);
  });
});

describe('watcher of a pushed folder', () => {
  function push(name: string): {
    readonly watcher: Watcher;
    readonly snapshots: ExportSnapshot[];
    readonly gate: RootGate;
    close(): Promise<void>;
  } {
    const snapshots: ExportSnapshot[] = [];
    const gate = createRootGate({ clock: desk.clock, rootPath: desk.root });
    const silent = (): void => undefined;
    const watcher = createFolderWatcher({
      folder: { rootId: 'pushed', rootPath: desk.root, exportPath: name, settings: { settleSeconds: 0.3 } },
      clock: desk.clock,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      events: new AgentEvents(),
      gate,
      isComplete: async () => ({ kind: 'complete' }),
      onExport: async (snapshot) => void snapshots.push(snapshot),
    });
    return {
      watcher,
      snapshots,
      gate,
      async close() {
        await watcher.stop();
        gate.close();
      },
    };
  }

  it('settles one folder by the same rule and leaves its neighbours alone', async () => {
    await desk.write('Gate/a.mp4');
    await desk.write('Gate/sub/b.mp4');
    await desk.write('Goal/c.mp4');
    await desk.write('loose.mp4');
    const { watcher, snapshots, close } = push('Gate');
    watcher.start();
    await expect.poll(() => watcher.state().idle, soon).toBe(true);
    expect(snapshots).toHaveLength(1);
    expect(snapshots[0]).toMatchObject({
      ref: { rootId: 'pushed', rootPath: desk.root, exportPath: 'Gate' },
    });
    expect(snapshots[0]?.settled.map((file) => file.path).toSorted()).toEqual(['a.mp4', 'sub/b.mp4']);
    expect(watcher.held()).toEqual([]);
    await close();
  });

  it('takes a hidden folder too, when it is pushed by name', async () => {
    await desk.write('.exports/a.mp4');
    const { watcher, snapshots, close } = push('.exports');
    watcher.start();
    await expect.poll(() => watcher.state().idle, soon).toBe(true);
    expect(snapshots[0]?.settled).toHaveLength(1);
    await close();
  });

  it('is offline while the folder does not exist, which says nothing about its root, and begins when it appears', async () => {
    const { watcher, snapshots, gate, close } = push('Gate');
    watcher.start();
    await expect.poll(() => watcher.state().failure?.code, soon).toBe('ROOT_MISSING');
    expect(watcher.state()).toMatchObject({ online: false, firstScanDone: false, idle: false });
    expect(gate.problem()).toBeUndefined();
    await desk.write('Gate/a.mp4');
    await expect.poll(() => snapshots.length, soon).toBe(1);
    await rm(join(desk.root, 'Gate'), { recursive: true });
    await expect.poll(() => snapshots.at(-1)?.removedExport, soon).toBe(true);
    await close();
  });
});
