import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ExportStanding, StandingListener } from '../../../../electron/agent/watch/export-standing.ts';
import type { WatchUnit } from '../../../../shared/domain/settings.ts';
import { realClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';

/** Longer than any test: nothing settles automatically. */
const NEVER_SECONDS = 3_600;

let desk: WatchDesk;
const standings = new Map<string, ExportStanding | undefined>();

beforeEach(async () => {
  standings.clear();
  desk = await realClockDesk();
});

afterEach(() => desk.close());

const listener: StandingListener = {
  stands: ({ exportPath }, standing) => void standings.set(exportPath, standing),
  scanned: () => undefined,
};

function watch(settleSeconds = 0.1, unit: WatchUnit = 'folder') {
  const root = { id: 'root-1', path: desk.root, settings: { settleSeconds, unit } };
  const watcher = desk.watcher({ root, standings: listener, rescanIntervalMs: 200 });
  watcher.start();
  return watcher;
}

const stateOf = (exportPath: string) => standings.get(exportPath)?.state;
const soon = (fact: () => void) => vi.waitFor(fact, { timeout: 30_000, interval: 20 });

it('.hold keeps a folder back, says so, and lets it go once it is removed', async () => {
  await desk.write('Fight/a.avi');
  await desk.write('Fight/.hold', '');
  const watcher = watch();
  await soon(() => expect(stateOf('Fight')).toBe('onHold'));
  await soon(() => expect(watcher.state()).toMatchObject({ settling: 0, held: 1 }));
  expect(desk.snapshots).toEqual([]);
  await rm(join(desk.root, 'Fight/.hold'));
  await soon(() => expect(desk.settledNames('Fight')).toEqual(['a.avi']));
  await soon(() => expect(stateOf('Fight')).toBeUndefined());
});

it('.hold in a folder below holds the whole export', async () => {
  await desk.write('Fight/a.avi');
  await desk.write('Fight/cam 2/.hold', '');
  watch();
  await soon(() => expect(stateOf('Fight')).toBe('onHold'));
});

it('.ignore leaves a folder out and says so; others are taken', async () => {
  await desk.write('Fight/a.avi');
  await desk.write('Fight/.ignore', '');
  await desk.write('Fall/b.avi');
  const watcher = watch();
  await soon(() => expect(desk.settledNames('Fall')).toEqual(['b.avi']));
  await soon(() => expect(stateOf('Fight')).toBe('ignored'));
  expect(desk.last('Fight')).toBeUndefined();
  expect(watcher.state().held).toBe(0);
});

it('.ready ends the wait of what was written before it, once its container is whole', async () => {
  await desk.write('Fight/a.avi');
  await desk.write('Fight/cut.mp4');
  desk.completeness.set('cut.mp4', { kind: 'incomplete', reason: 'ends early' });
  await desk.write('Fight/.ready', '');
  watch(NEVER_SECONDS);
  await soon(() => expect(desk.settledNames('Fight')).toEqual(['a.avi']));
  expect(stateOf('Fight')).toBe('held');
});

it('.ready says nothing of what is written after it', async () => {
  await desk.write('Fight/.ready', '');
  await utimes(join(desk.root, 'Fight/.ready'), new Date(0), new Date(0));
  await desk.write('Fight/a.avi');
  watch(NEVER_SECONDS);
  await soon(() => expect(['writing', 'settling']).toContain(stateOf('Fight')));
  expect(desk.snapshots).toEqual([]);
});

it('markers speak of one loose clip by its name, of one folder of clips, and of all below theirs', async () => {
  await desk.write('a.avi');
  await desk.write('a.avi.hold', '');
  await desk.write('b.avi');
  watch(0.1, 'file');
  await soon(() => expect(desk.settledNames('b.avi')).toEqual(['b.avi']));
  await soon(() => expect(stateOf('a.avi')).toBe('onHold'));
  expect(desk.last('a.avi')).toBeUndefined();
  expect(standings.get('')).toBeUndefined();
});

it('holds only those folders of clips that lie below the marker', async () => {
  await desk.write('J/1/a.avi');
  await desk.write('J/2/b.avi');
  await desk.write('J/2/.hold', '');
  watch(0.1, 'leaf');
  await soon(() => expect(desk.settledNames('J/1')).toEqual(['a.avi']));
  await soon(() => expect(stateOf('J/2')).toBe('onHold'));
  await rm(join(desk.root, 'J/2/.hold'));
  await soon(() => expect(desk.settledNames('J/2')).toEqual(['b.avi']));
});
