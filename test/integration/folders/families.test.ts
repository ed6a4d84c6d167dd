import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readStatus } from '../../../electron/agent/calls/read-status.ts';
import { explainForDesk } from '../../../electron/agent/index.ts';
import { countClasses, type FileClass } from '../../../shared/domain/file-account.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { noise, type FileSpec } from '../../helpers/bench-files.ts';
import { startFolderBench } from './folder-bench.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** A file of an export: its content, and the class that it must be recognised as. */
type Files = Readonly<Record<string, readonly [spec: FileSpec, taken: FileClass]>>;

const program = Buffer.concat([Buffer.from('MZ'), noise(300)]);
const archive = Buffer.concat([Buffer.from('PK\u0003\u0004'), noise(300)]);
const g64 = Buffer.concat([Buffer.from('Genetec Omnicast Archive v5.31\0'), noise(400)]);
const avigilon = Buffer.concat([Buffer.from('\0\0\0\u0014avfs', 'latin1'), noise(400)]);
const packageXml = `<incident><file name="clip 1.avi"/><file>Snapshots\\gate.jpg</file></incident>`;

/** Exports of many files that belong together, as their systems write them, and which of them are sent. */
const sent: Readonly<Record<string, Files>> = {
  'Mission Control': {
    'Fight 4711.xml': [packageXml, 'companion'],
    'Fight 4711.pdf': [90, 'companion'],
    'Videos/clip 1.avi': [400, 'clip'],
    'Videos/archive.g64x': [g64, 'clip'],
    'Images/plan.png': [80, 'picture'],
    'Snapshots/gate.jpg': [81, 'picture'],
  },
  exacqVision: {
    '2026/01/05/18/0530-0A000100.ps': [400, 'clip'],
    '2026/01/05/18/0530-0A000100.psi': [50, 'companion'],
    'ePlayer.exe': [program, 'program'],
  },
  DIGIOP: {
    '20260105/09244102D.DSF': [401, 'clip'],
    '20260105/09244102D.INX': [50, 'companion'],
    'Thumbs.db': [60, 'system'],
  },
  Canon: {
    'NVR_MEDIA_00008514ac6f0101_20080131_235955_20080201_000955.mov': [402, 'clip'],
    'NVR_INDEX_00008514ac6f0101_20080131_235955_20080201_000955.mov': [50, 'companion'],
  },
  'Several in one': {
    'export.nov': [403, 'clip'],
    'export.ave': [avigilon, 'clip'],
    'readme.txt': ['text', 'companion'],
    'all.zip': [archive, 'unknown'],
    'letter.docx': [archive, 'unknown'],
  },
};

/** Exports that only play as a whole: nothing is sent without a person. */
const kept: Readonly<Record<string, Files>> = {
  'XProtect older': {
    'SmartClient-Player.exe': [program, 'program'],
    'autorun.inf': ['[autorun]', 'program'],
    'XProtect Files/Exported Project.scp': [90, 'companion'],
    'XProtect Files/Data/Mediadata/4f0d/Gate 4/block0.blk': [500, 'companion'],
    'XProtect Files/Data/Mediadata/4f0d/Gate 4/pindex.idx': [50, 'companion'],
    'XProtect Files/Data/Mediadata/4f0d/Gate 4/config.xml': ['<config/>', 'companion'],
  },
  'XProtect newer': {
    'SmartClient-Player.exe': [program, 'program'],
    'Client Files/Project.scp': [90, 'companion'],
    'Client Files/Data/Mediadata/4f0d/Gate 4/block0.blk': [500, 'companion'],
    'Client Files/Client/VideoOS.dll': [program, 'program'],
  },
  'XProtect by service': { 'Project.scp': [90, 'companion'], 'Data/4f0d/block0.blk': [500, 'companion'] },
};

const specsOf = (families: typeof sent): Record<string, FileSpec> =>
  Object.fromEntries(
    Object.entries(families).flatMap(([name, files]) =>
      Object.entries(files).map(([path, [spec]]) => [`${name}/${path}`, spec] as const),
    ),
  );
const classesOf = (files: Files): Record<string, FileClass> =>
  Object.fromEntries(Object.entries(files).map(([path, [, taken]]) => [path, taken]));
const countsOf = (files: Files) => countClasses(Object.values(files).map(([, taken]) => ({ class: taken })));

test('every file of every family is in one place: in the app, in status and in explain, and the counts add up', async (context) => {
  const bench = await startFolderBench(context, { files: specsOf({ ...sent, ...kept }) });
  const clips = Object.entries(sent).flatMap(([name, files]) =>
    Object.entries(files).flatMap(([path, [, taken]]) => (taken === 'clip' ? [`${name}/${path}`] : [])),
  );
  await bench.until(() => bench.of('clip.uploaded').length >= clips.length, 'the clips');
  await bench.untilIdle();
  // Exactly these, each once: no companion, program or picture is sent as a clip
  await bench.expectExactly(await Promise.all(clips.map((path) => bench.note(path))));
  const cameras = [...bench.simulator.incidents().values()].flatMap(({ uploaded_videos: videos }) =>
    videos.map(({ camera_name: camera }) => camera),
  );
  expect(cameras.filter((camera) => /videos|images|snapshots|data/i.test(camera ?? ''))).toEqual([]);

  const status = await readStatus(bench.dataDir);
  if (!status.ok) throw new Error(status.error.message);
  const { incidents } = status.value;
  const settings = settingsSchema.parse({ watch: [{ path: bench.root }] });
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  for (const [name, files] of Object.entries({ ...sent, ...kept })) {
    const told = await explainForDesk(
      { settings, dataDir: bench.dataDir },
      { clock: bench.clock, logger: log },
      await realpath(join(bench.root, name)),
      new AbortController().signal,
    );
    if (!told.ok) throw new Error(told.error.message);
    expect(Object.fromEntries(told.value.files.map((file) => [file.path, file.class])), name).toEqual(
      classesOf(files),
    );
    expect(told.value.counts, name).toEqual(countsOf(files));
    expect(told.value.files.filter(({ why }) => why === '')).toEqual([]);
  }
  for (const [name, files] of Object.entries(sent)) {
    const shown = incidents.find(({ folder }) => folder === join(bench.root, name));
    const detail = await bench.call('uploads.getIncident', { incidentId: shown?.id ?? '' });
    expect([shown?.files?.counts, detail.files?.counts], name).toEqual([countsOf(files), countsOf(files)]);
  }
  const { rows } = await bench.call('uploads.listExports', {});
  expect(rows.map(({ name, state, facts }) => [name, state, facts.files, facts.named.length])).toEqual(
    Object.entries(kept).map(([name, files]) => {
      const count = Object.keys(files).length;
      return [name, 'unrecognised', count, count];
    }),
  );
  const waiting = incidents.filter(({ state }) => state === 'unrecognised');
  expect(waiting.map(({ folder }) => folder)).toEqual(
    Object.keys(kept).map((name) => join(bench.root, name)),
  );
});

const ignore = (): void => undefined;
