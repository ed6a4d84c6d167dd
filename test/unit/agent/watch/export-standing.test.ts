import { afterEach, beforeEach, expect, it } from 'vitest';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExportStanding } from '../../../../electron/agent/watch/export-standing.ts';
import type { FakeClock } from '../../../helpers/fake-clock.ts';
import { fakeClockDesk, type WatchDesk } from '../../../helpers/watch-desk.ts';

let desk: WatchDesk<FakeClock>;
/** The current state of each export, except those that were taken in. */
let standings: Map<string, ExportStanding>;
let states: string[];

beforeEach(async () => {
  desk = await fakeClockDesk();
  standings = new Map();
  states = [];
});
afterEach(async () => {
  await desk.close();
  expect(desk.errors).toEqual([]);
});

/** Starts a watcher and waits for its first look. */
async function begin(overrides: Parameters<typeof desk.watcher>[0] = {}) {
  const watcher = desk.watcher({
    standings: {
      stands({ exportPath }, standing) {
        const before = standings.get(exportPath)?.state;
        if (standing === undefined) standings.delete(exportPath);
        else standings.set(exportPath, standing);
        if (before !== standing?.state) states.push(`${exportPath} ${standing?.state ?? 'taken'}`);
      },
      scanned(_rootId, isThere) {
        for (const name of standings.keys()) if (name !== '' && !isThere(name)) standings.delete(name);
      },
    },
    ...overrides,
  });
  watcher.start();
  await desk.clock.untilAsleep();
  return watcher;
}

it('is written, then settles with a time that does not move, and is then taken', async () => {
  await desk.write('Gate/a.mp4');
  await begin();
  expect(standings.get('Gate')).toMatchObject({ state: 'writing', facts: { files: 1, sizeBytes: 7 } });
  await desk.clock.advance(6_000);
  const settling = standings.get('Gate');
  expect(settling?.state).toBe('settling');
  await desk.clock.advance(10_000);
  expect(standings.get('Gate')?.settlesAtMs).toBe(settling?.settlesAtMs);
  expect(standings.get('Gate')?.print).toBe(settling?.print);
  await desk.clock.advance(20_000);
  expect(states).toEqual(['Gate writing', 'Gate settling', 'Gate taken']);
});

it('is written again when a file grows while it settles', async () => {
  await desk.write('Gate/a.mp4');
  await begin();
  await desk.clock.advance(11_000);
  await appendFile(join(desk.root, 'Gate/a.mp4'), 'more');
  await desk.clock.advance(5_000);
  expect(states.slice(0, 3)).toEqual(['Gate writing', 'Gate settling', 'Gate writing']);
});

it('is taken only once the hand-over succeeded', async () => {
  await desk.write('Gate/a.mp4');
  let isBroken = true;
  await begin({
    onExport: async () => {
      if (isBroken) throw new Error('disk full');
      return undefined;
    },
  });
  await desk.clock.advance(36_000);
  expect(standings.get('Gate')?.state).toBe('settling');
  isBroken = false;
  await desk.clock.advance(10_000);
  expect(standings.size).toBe(0);
  desk.errors.length = 0;
});

it('is left after five faults of the program in a row, with a word, until something changes in it', async () => {
  await desk.write('Gate/a.mp4');
  let tries = 0;
  const watcher = await begin({
    onExport: async () => {
      tries += 1;
      throw new TypeError('a bug');
    },
  });
  await desk.clock.advance(36_000);
  expect(tries).toBeGreaterThan(0);
  expect(watcher.state().idle).toBe(false);
  await desk.clock.advance(180_000);
  expect(tries).toBe(5);
  expect(desk.events.filter(({ event }) => event === 'file.held')).toMatchObject([
    { folder: 'Gate', file: '', code: 'CALL_FAULT' },
  ]);
  expect(watcher.state().idle).toBe(true);
  await appendFile(join(desk.root, 'Gate/a.mp4'), 'more');
  watcher.requestRescan();
  await desk.clock.advance(120_000);
  expect(tries).toBeGreaterThan(5);
  desk.errors.length = 0;
});

it('is handed over again at once when it was taken in part, and the others meanwhile', async () => {
  await desk.write('Gate/a.mp4');
  await desk.write('Ramp/a.mp4');
  const taken: string[] = [];
  await begin({
    onExport: async ({ ref }) => {
      taken.push(ref.exportPath);
      return ref.exportPath === 'Gate' && taken.length < 5 ? 'more' : undefined;
    },
  });
  await desk.clock.advance(36_000);
  expect(taken.filter((name) => name === 'Gate').length).toBeGreaterThan(1);
  expect(taken).toContain('Ramp');
  expect(standings.size).toBe(0);
});

it('held, not recognised, loose: each is named, and leaves the list when it is gone', async () => {
  desk.completeness.set('cut.mp4', { kind: 'incomplete', reason: 'box "moov" is missing' });
  await desk.write('Cut/cut.mp4');
  await desk.write('Cut/good.avi');
  await desk.write('Ramp/clip.mp4.part');
  await desk.write('Office/~$notes.docx');
  await desk.write('Pictures/a.jpg');
  await mkdir(join(desk.root, 'Empty'));
  await desk.write('loose.mp4');
  await desk.write('readme.txt');
  const watcher = await begin();
  await desk.clock.advance(40_000);
  expect([...standings].map(([name, { state }]) => `${name} ${state}`).toSorted()).toEqual([
    ' unrecognised',
    'Cut held',
    'Office unrecognised',
    'Pictures unrecognised',
    'Ramp held',
  ]);
  expect(standings.get('')?.facts.named).toEqual([{ path: 'loose.mp4' }]);
  expect(standings.get('Cut')?.facts).toMatchObject({ files: 2, concerned: 1 });
  await rm(join(desk.root, 'Pictures'), { recursive: true });
  await rm(join(desk.root, 'loose.mp4'));
  watcher.requestRescan();
  await desk.clock.untilAsleep();
  await desk.clock.advance(5_000);
  expect([...standings.keys()].toSorted()).toEqual(['Cut', 'Office', 'Ramp']);
});

it('counts every loose file, also those that no problem names', async () => {
  for (let index = 0; index < 130; index += 1) await desk.write(`cam${index}.avi`);
  await begin();
  await desk.clock.advance(1_000);
  const facts = standings.get('')?.facts;
  expect([facts?.files, facts?.named.length]).toEqual([130, 20]);
});

it('keeps 20 names of an export of any size', async () => {
  for (let index = 0; index < 60; index += 1) await desk.write(`Gate/cam${index}.xyz`);
  await begin();
  await desk.clock.advance(40_000);
  expect(standings.get('Gate')?.facts).toMatchObject({ files: 60, concerned: 60 });
  expect(standings.get('Gate')?.facts.named).toHaveLength(20);
});
