import { EventEmitter } from 'node:events';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fs } from '../../../../electron/agent/files/plain-fs.ts';
import { createRootGate } from '../../../../electron/agent/files/root-gate.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createChangeHints } from '../../../../electron/agent/watch/change-hints.ts';

/** As many as are watched closely at once, each with the folder in it. */
const FOLLOWED = 128;
/** Longest wait for hints, which need real time, milliseconds. */
const soon = { timeout: 20_000, interval: 20 };
/** Without a hint for this long, nothing that was written earlier gives one any more, milliseconds. */
const QUIET_MS = 300;

async function startHints({
  onlyExport,
  platform = 'linux',
}: { onlyExport?: string; platform?: string } = {}) {
  const rootPath = await mkdtemp(join(tmpdir(), 'vms-hints-'));
  const clock = createSystemClock();
  const records = new Map<string, unknown>();
  const hinted: string[] = [];
  const errors: unknown[] = [];
  let overflows = 0;
  const hints = createChangeHints({
    options: {
      rootPath,
      onlyExport,
      settings: {},
      clock,
      gate: createRootGate({ clock, rootPath }),
      logger: { warn: (text: string) => errors.push(text) },
    },
    tracker: { records },
    schedule: { scanAfterOverflow: () => (overflows += 1), scanAfterHintError: () => undefined },
    onHint: (exportPath: string) => hinted.push(exportPath),
    wake: () => undefined,
    platform,
  } as never);
  onTestFinished(async () => {
    hints.close();
    await rm(rootPath, { recursive: true, force: true });
  });
  hints.open([]);
  const birthOf = (path: string): number => statSync(path).birthtimeMs;
  return {
    hints,
    hinted,
    errors,
    overflows: () => overflows,
    pathOf: (...names: readonly string[]) => join(rootPath, ...names),
    /** Makes the folders of an export, and notes them like an inspection. */
    see(exportPath: string, mtimeMs: number, inside: readonly string[] = []): void {
      for (const folder of ['', ...inside])
        mkdirSync(join(rootPath, exportPath, folder), { recursive: true });
      const folders = ['', ...inside].map(
        (folder) => [folder, { birthMs: birthOf(join(rootPath, exportPath, folder)) }] as const,
      );
      records.set(exportPath, { folders: new Map(folders), ref: { exportPath, mtimeMs } });
    },
    async quiet(): Promise<void> {
      do {
        hinted.length = 0;
        await clock.sleep(QUIET_MS);
      } while (hinted.length > 0);
    },
  };
}

it('follows the newest exports with the folders in them, and leaves older ones', async () => {
  const { hints, hinted, errors, see, quiet, pathOf } = await startHints();
  const follow = (generation: number): void => {
    for (let number = 0; number < FOLLOWED; number += 1)
      see(`${generation}-${number}`, generation, ['clips', 'clips/deeper']);
    hints.followNewest();
  };
  follow(1);
  await quiet();
  writeFileSync(pathOf(`1-${FOLLOWED - 1}`, 'clips', 'a.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set([`1-${FOLLOWED - 1}`]));
  follow(2);
  await quiet();
  await writeFile(pathOf('1-0', 'clips', 'late.mp4'), '');
  await writeFile(pathOf('2-0', 'clips', 'deeper', 'late.mp4'), '');
  await writeFile(pathOf('2-1', 'late.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set(['2-1']));
  expect(errors).toEqual([]);
});

it('gives hints of a clip while it is being written, but few', async () => {
  const { hints, hinted, overflows, see, quiet, pathOf } = await startHints();
  see('Gate 4', 1);
  hints.followNewest();
  await quiet();
  const path = pathOf('Gate 4', 'a.mp4');
  const startedMs = performance.now();
  for (let write = 0; write < 5_000; write += 1) await appendFile(path, 'a few bytes');
  expect(hinted.length).toBeGreaterThan(1);
  const seconds = (performance.now() - startedMs) / 1_000;
  expect(hinted.length).toBeLessThanOrEqual(2 + 25 * seconds);
  expect(overflows()).toBe(0);
});

it('scans again after more new files than the system may have told of', async () => {
  const { hints, overflows, see, quiet, pathOf } = await startHints();
  see('Gate 4', 1);
  hints.followNewest();
  await quiet();
  for (let file = 0; file < 4_200; file += 1) await writeFile(pathOf('Gate 4', `${file}.mp4`), '');
  await expect.poll(overflows, soon).toBeGreaterThan(0);
});

it('follows a folder that appears in an export, and one that was recreated', async () => {
  const { hints, hinted, errors, see, quiet, pathOf } = await startHints();
  see('Gate 4', 1);
  hints.followNewest();
  await quiet();
  await mkdir(pathOf('Gate 4', 'late'));
  await expect.poll(() => hinted, soon).toContain('Gate 4');
  see('Gate 4', 1, ['late']);
  hints.followNewest();
  await quiet();
  await writeFile(pathOf('Gate 4', 'late', 'a.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set(['Gate 4']));
  rmSync(pathOf('Gate 4'), { recursive: true });
  see('Gate 4', 2, ['late']);
  hints.followNewest();
  await quiet();
  await writeFile(pathOf('Gate 4', 'late', 'b.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set(['Gate 4']));
  expect(errors).toEqual([]);
});

it('watches only the folder that was pushed', async () => {
  const { hints, hinted, see, quiet, pathOf } = await startHints({ onlyExport: 'Ramp' });
  see('Ramp', 1, ['clips']);
  hints.followNewest();
  await quiet();
  await mkdir(pathOf('Gate 4'));
  await writeFile(pathOf('Ramp', 'clips', 'a.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set(['Ramp']));
});

it('ignores a folder that is gone by the time it is to be followed', async () => {
  const { hints, hinted, errors, see, quiet, pathOf } = await startHints();
  see('Gate 4', 1);
  see('Gate 5', 1);
  rmSync(pathOf('Gate 4'), { recursive: true });
  hints.followNewest();
  await quiet();
  await writeFile(pathOf('Gate 5', 'a.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set(['Gate 5']));
  expect(errors).toEqual([]);
});

it('watches the whole tree at once on Windows, where a watch inside a folder would keep it from being renamed', async () => {
  const { hints, hinted, errors, see, quiet, pathOf } = await startHints({ platform: 'win32' });
  see('Gate 4', 1, ['clips', 'clips/deeper']);
  hints.followNewest();
  see('Gate 5', 2, ['clips']);
  hints.followNewest();
  await quiet();
  await writeFile(pathOf('Gate 4', 'clips', 'deeper', 'a.mp4'), '');
  await writeFile(pathOf('Gate 5', 'clips', 'a.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set(['Gate 4', 'Gate 5']));
  expect(errors).toEqual([]);
});

it('scans again when the system dropped changes, and opens a watch that broke again with the next scan', async () => {
  const opened: { readonly watcher: EventEmitter; readonly changed: (event: string, name: null) => void }[] =
    [];
  const watchOf = (_path: string, _rules: object, changed: (event: string, name: null) => void) => {
    const watcher = Object.assign(new EventEmitter(), { close: () => undefined });
    opened.push({ watcher, changed });
    return watcher;
  };
  const spied = vi.spyOn(fs, 'watch').mockImplementation(watchOf as never);
  onTestFinished(() => void spied.mockRestore());
  const { hints, hinted, errors, overflows, see, quiet, pathOf } = await startHints({
    platform: 'win32',
    onlyExport: 'Ramp',
  });
  see('Ramp', 1, ['clips']);
  hints.followNewest();
  expect(spied.mock.calls.map(([path, rules]) => [path, rules])).toEqual([
    [pathOf('Ramp'), { recursive: true }],
  ]);
  opened[0]?.changed('rename', null);
  expect(overflows()).toBe(1);
  opened[0]?.watcher.emit('error', Object.assign(new Error('The network name is gone'), { code: 'EIO' }));
  expect(errors).toHaveLength(1);
  hints.followNewest();
  expect(opened).toHaveLength(2);
  await quiet();
  opened[1]?.watcher.emit('error', Object.assign(new Error('The folder was deleted'), { code: 'EPERM' }));
  await expect.poll(() => hinted, soon).toEqual(['Ramp']);
  expect(errors).toHaveLength(1);
});

it('watches a tree on Windows once it is there again', async () => {
  const { hints, hinted, errors, see, quiet, pathOf } = await startHints({
    platform: 'win32',
    onlyExport: 'Ramp',
  });
  // As Windows does; elsewhere, a tree that is missing is no error
  const spied = vi.spyOn(fs, 'watch').mockImplementationOnce(() => {
    throw Object.assign(new Error('The folder is missing'), { code: 'ENOENT' });
  });
  onTestFinished(() => void spied.mockRestore());
  hints.followNewest();
  see('Ramp', 1);
  hints.followNewest();
  await quiet();
  await writeFile(pathOf('Ramp', 'a.mp4'), '');
  await expect.poll(() => new Set(hinted), soon).toEqual(new Set(['Ramp']));
  expect(errors).toEqual([]);
});
