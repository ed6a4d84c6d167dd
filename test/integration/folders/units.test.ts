import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { countClasses } from '../../../shared/domain/file-account.ts';
import type { WatchUnit } from '../../../shared/domain/settings.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { sha256Of } from '../../helpers/bench-files.ts';
import { startFolderBench, type FolderBench } from './folder-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** Each incident at the service by its title: cameras and starts of its videos. */
function incidents(bench: FolderBench): Readonly<Record<string, readonly string[]>> {
  const list = [...bench.simulator.incidents().values()].map((incident): [string, readonly string[]] => {
    const videos = incident.uploaded_videos.map(
      ({ camera_name: camera = '?', started_at: start = '?' }) => `${camera} ${start.slice(0, 16)}`,
    );
    return [incident.title ?? '', videos.toSorted()];
  });
  return Object.fromEntries(list.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Checks that each of these clips is stored once, with its bytes, and nothing else is. */
async function expectSentOnce(bench: FolderBench, paths: readonly string[]): Promise<void> {
  const sums = await Promise.all(paths.map((path) => sha256Of(join(bench.root, path))));
  const listed = [...bench.simulator.incidents().values()].flatMap(({ uploaded_videos: videos }) => videos);
  const stored = await Promise.all(
    listed.map(({ storage_key: key = '' }) => bench.simulator.sha256OfObject(key)),
  );
  expect(stored.toSorted()).toEqual(sums.toSorted());
  expect(bench.logs.filter(({ level }) => level === 'error')).toEqual([]);
}

const isClip = (path: string): boolean => path.endsWith('.avi');
const utc = { timeZone: 'UTC' };

interface UnitCase {
  readonly unit: WatchUnit;
  readonly files: Readonly<Record<string, number>>;
  readonly incidents: Readonly<Record<string, readonly string[]>>;
}

const cases: readonly UnitCase[] = [
  {
    unit: 'file',
    files: {
      'Gate 4_2026_05_01_19_30_05.avi': 4_000,
      'Gate 4_2026_05_01_19_30_05.jpg': 500,
      'Yard_2026_05_01_19_31_05.avi': 4_100,
      'Fight/Gate 5_2026_05_01_19_31_05.avi': 4_200,
    },
    incidents: {
      Fight: ['Gate 5 2026-05-01T19:31'],
      'Gate 4': ['Gate 4 2026-05-01T19:30'],
      Yard: ['Yard 2026-05-01T19:31'],
    },
  },
  {
    unit: 'leaf',
    files: {
      'Job/Gate 4/20260501_193005.avi': 4_000,
      'Job/Gate 5/20260501_193105.avi': 4_100,
      'Job/report.pdf': 90,
    },
    incidents: { 'Gate 4': ['Gate 4 2026-05-01T19:30'], 'Gate 5': ['Gate 5 2026-05-01T19:31'] },
  },
  {
    unit: 'dateFolders',
    files: {
      '2026/05/01/Fight/Gate 4/a.avi': 4_000,
      '2026/05/01/Fight/b.avi': 4_100,
      '2026/05/02/Fall/c.avi': 4_200,
    },
    incidents: { Fall: ['? ?'], Fight: ['? ?', 'Gate 4 ?'] },
  },
  {
    unit: 'run',
    files: {
      'Job/Left 01.05.2026_1930/Gate 4/a.avi': 4_000,
      'Job/Left 01.05.2026_1930/Yard/b.avi': 4_050,
      'Job/Right 02.05.2026_1930/Gate 4/a.avi': 4_100,
    },
    incidents: { Left: ['Gate 4 ?', 'Yard ?'], Right: ['Gate 4 ?'] },
  },
  {
    unit: 'window',
    files: {
      'Gate 4/Gate 4_2026_05_01_19_30_05.avi': 4_000,
      'Yard/Yard_2026_05_01_19_35_05.avi': 4_100,
      'Yard_2026_05_01_21_00_00.avi': 4_200,
    },
    incidents: {
      'Incident 2026-05-01 19:30': ['Gate 4 2026-05-01T19:30', 'Yard 2026-05-01T19:35'],
      'Incident 2026-05-01 21:00': ['Yard 2026-05-01T21:00'],
    },
  },
];

mostlyLong(cases, 3, (some) => {
  for (const { unit, files, incidents: wanted } of some) {
    test.concurrent(`${unit}: each clip is sent once, in its incident, and nothing again after a restart`, async (context) => {
      const bench = await startFolderBench(context, { files, watch: { unit, ...utc } });
      const clips = Object.keys(files).filter(isClip);
      await bench.until(() => bench.of('clip.uploaded').length === clips.length, 'all clips');
      await bench.untilIdle();
      expect(incidents(bench)).toEqual(wanted);
      await expectSentOnce(bench, clips);
      await bench.stopAgent();
      await bench.startAgent();
      await bench.untilIdle();
      expect(incidents(bench)).toEqual(wanted);
      await expectSentOnce(bench, clips);
      expect(bench.of('clip.uploaded')).toHaveLength(clips.length);
    });
  }
});

const files = {
  'Job/Gate 4/Gate 4_2026_05_01_19_30_05.avi': 4_000,
  'Job/Gate 5/Gate 5_2026_05_01_19_31_05.avi': 4_100,
  'Loose_2026_05_01_19_32_05.avi': 4_200,
};
const changes: readonly (readonly [WatchUnit, WatchUnit])[] = [
  ['folder', 'leaf'],
  ['leaf', 'folder'],
  ['folder', 'window'],
  ['window', 'file'],
  ['file', 'run'],
];

mostlyLong(changes, 2, (some) => {
  for (const [before, after] of some) {
    test.concurrent(`a change from ${before} to ${after} sends nothing twice and leaves what was sent in its incident`, async (context) => {
      const bench = await startFolderBench(context, { files, watch: { unit: before, ...utc } });
      const takesLoose = (unit: WatchUnit): boolean => unit === 'file' || unit === 'window';
      const sent = Object.keys(files).filter((path) => path.includes('/') || takesLoose(before));
      await bench.until(() => bench.of('clip.uploaded').length === sent.length, 'the clips');
      await bench.untilIdle();
      const first = incidents(bench);
      await bench.stopAgent();
      await bench.write('Job/Gate 6/Gate 6_2026_05_01_23_00_00.avi', 5_000);
      await bench.startAgent({ watch: { unit: after } });
      const all = [...sent, 'Job/Gate 6/Gate 6_2026_05_01_23_00_00.avi'];
      if (takesLoose(after) && !takesLoose(before)) all.push('Loose_2026_05_01_19_32_05.avi');
      await bench.until(() => bench.of('clip.uploaded').length === all.length, 'what is new');
      await bench.untilIdle();
      await expectSentOnce(bench, all);
      expect(incidents(bench)).toMatchObject(first);
    });
  }
});

test.concurrent('window: a clip that comes later joins the window that was begun, after a restart too', async (context) => {
  const begun = { 'Gate 4/Gate 4_2026_05_01_19_30_05.avi': 4_000 };
  const bench = await startFolderBench(context, { files: begun, watch: { unit: 'window', ...utc } });
  await bench.until(() => bench.of('clip.uploaded').length === 1, 'the first clip');
  await bench.write('Yard/Yard_2026_05_01_19_25_00.avi', 4_100);
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'an earlier one');
  await bench.untilIdle();
  await bench.stopAgent();
  await bench.write('Yard/Yard_2026_05_01_19_20_00.avi', 4_200);
  await bench.startAgent();
  await bench.until(() => bench.of('clip.uploaded').length === 3, 'one after the restart');
  await bench.untilIdle();
  expect(new Set(bench.of('clip.uploaded').map(({ incidentId }) => incidentId)).size).toBe(1);
});

test.concurrent('window: a clip joins no other only because that was written then', async (context) => {
  const bench = await startFolderBench(context, {
    files: { 'Bar/clip.avi': 4_000 },
    watch: { unit: 'window', ...utc },
    settings: { incident: { unknownTimes: 'fileTime' } },
  });
  await bench.until(() => bench.of('clip.uploaded').length === 1, 'the clip of unknown time');
  await bench.untilIdle();
  await bench.stopAgent();
  const now = new Date(Date.now() - 60_000).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '_');
  await bench.write(`Yard/Yard_${now}.avi`, 4_100);
  await bench.startAgent();
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the one that says when it was');
  await bench.untilIdle();
  expect(new Set(bench.of('clip.uploaded').map(({ incidentId }) => incidentId)).size).toBe(2);
});

test.concurrent(
  'file: a loose clip that is renamed after it was sent stays its incident',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      files: { 'one.avi': 4_000, 'two.avi': 4_100 },
      watch: { unit: 'file', ...utc },
    });
    await bench.until(() => bench.of('clip.uploaded').length === 2, 'both clips');
    await bench.untilIdle();
    await rename(join(bench.root, 'one.avi'), join(bench.root, 'other.avi'));
    await bench.until(() => bench.logs.some(({ message }) => message.includes('was renamed')), 'the rename');
    await bench.write('three.avi', 4_200);
    await bench.until(() => bench.of('clip.uploaded').length === 3, 'the third');
    await bench.untilIdle();
    await expectSentOnce(bench, ['other.avi', 'two.avi', 'three.avi']);
    // Either may have been sent first
    const sent = bench.of('clip.uploaded').find(({ file }) => file === 'one.avi');
    const incidentId = sent?.incidentId ?? '';
    const told = await bench.call('exports.explain', { incidentId });
    expect(told.clips.map(({ file }) => file)).toEqual(['other.avi']);
    expect(told.counts).toMatchObject({ clip: 1 });
    expect(told.knownAs?.incidentId).toBe(incidentId);
    expect(told.clips[0]?.names.verdict).toContain('matches no known system');
  },
);

test.concurrent(
  'file: its own files, and no others, are accounted for with a loose clip: by them clean-up knows what leaves with it',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      files: { 'one.avi': 4_000, 'one.avi.md5': 60, 'one.pic': 90, 'two.avi': 4_100, 'Thumbs.db': 60 },
      watch: { unit: 'file', ...utc },
    });
    await bench.until(() => bench.of('clip.uploaded').length === 2, 'both clips');
    await bench.untilIdle();
    const db = new Database(join(bench.dataDir, 'queue.db'), { readonly: true });
    const rows = db
      .prepare<[], { files: string }>("SELECT files FROM incidents WHERE folder = '' ORDER BY export_path")
      .all();
    db.close();
    const none = countClasses([]);
    expect(rows.map(({ files }) => JSON.parse(files).counts)).toEqual([
      { ...none, clip: 1, companion: 1, sidecar: 1 },
      { ...none, clip: 1 },
    ]);
  },
);

test.concurrent(
  'file: a clip that replaces one of the same name that was seen gone is an incident of its own',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      files: { 'one.avi': 4_000, 'two.avi': 4_100 },
      watch: { unit: 'file', ...utc },
    });
    await bench.until(() => bench.of('clip.uploaded').length === 2, 'both clips');
    await bench.untilIdle();
    await rm(join(bench.root, 'one.avi'));
    // Each new clip causes another look at the loose files
    await bench.write('three.avi', 4_200);
    await bench.until(() => bench.of('clip.uploaded').length === 3, 'the third');
    await bench.untilIdle();
    await bench.write('one.avi', 5_000);
    await bench.until(() => bench.of('clip.uploaded').length === 4, 'the new one');
    await bench.untilIdle();
    const ids = bench.of('clip.uploaded').map(({ incidentId }) => incidentId);
    expect(new Set(ids).size).toBe(4);
  },
);
