import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { incidentOf, startFolderBench, type FolderBench } from './folder-bench.ts';
import { long } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const bytes = (fill: number, length = 4_000) => Buffer.alloc(length, fill);
/** A program, recognisable by its first bytes. */
const program = Buffer.concat([
  Buffer.from('MZ'),
  bytes(0, 58),
  Buffer.from([0x40, 0, 0, 0]),
  Buffer.from('PE\0\0'),
]);

async function rows(bench: FolderBench) {
  const { rows: found } = await bench.call('uploads.listExports', {});
  return found;
}

const standings = async (bench: FolderBench) =>
  (await rows(bench)).map(({ name, state }) => `${name} ${state}`);

async function expectStanding(bench: FolderBench, wanted: readonly string[]): Promise<void> {
  await vi.waitFor(async () => expect(await standings(bench)).toEqual(wanted), { timeout: 30_000 });
}

const sent = (bench: FolderBench) =>
  bench
    .of('clip.uploaded')
    .map(({ file }) => file)
    .toSorted();

async function clipOf(bench: FolderBench, file: string) {
  const { rows: clips } = await bench.call('uploads.listClips', {
    search: file,
    sort: 'file',
    order: 'ascending',
  });
  const [clip] = clips;
  if (clip === undefined) throw new Error(`${file} is not listed`);
  return bench.call('uploads.getClip', { clipId: clip.id });
}

test.concurrent(
  'a person sends a folder of an unknown format as evidence, and it stays sent',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, {
      files: { 'Fight/cam 1.xyz': bytes(1), 'Fight/parts.zip': bytes(2), 'Fight/run.exe': program },
    });
    await expectStanding(bench, ['Fight unrecognised']);
    await bench.call('exports.push', { folders: [`${bench.root}/Fight`], asEvidence: true });
    await bench.until(() => sent(bench).length === 1, 'the file');
    await bench.untilIdle();
    // Neither the archive nor the program
    expect(sent(bench)).toEqual(['cam 1.xyz']);
    await expectStanding(bench, []);
    const clip = await clipOf(bench, 'cam 1.xyz');
    expect(clip.flags).toContain('needs-vendor-player');
    // A restart and another file in the folder do not change its class
    await bench.stopAgent();
    await bench.startAgent();
    await bench.write('Fight/cam 2.avi', bytes(3));
    await bench.until(() => sent(bench).length === 2, 'the clip');
    await bench.untilIdle();
    expect((await clipOf(bench, 'cam 1.xyz')).flags).toContain('needs-vendor-player');
    const incident = await bench.call('uploads.getIncident', { incidentId: clip.row.incidentId });
    expect(incident.files?.counts).toMatchObject({ clip: 2, unknown: 1, program: 1 });
    // The file that was sent is watched like any clip: when it is rewritten, it is sent again
    await bench.write('Fight/cam 1.xyz', bytes(4, 5_000));
    await bench.until(() => sent(bench).length === 3, 'the file that changed');
    await bench.untilIdle();
    expect(sent(bench)).toEqual(['cam 1.xyz', 'cam 1.xyz', 'cam 2.avi']);
  },
);

test.concurrent('all parts of a project are sent where the folder says so, without its player', async (context) => {
  const project = 'Fight/Client Files';
  const bench = await startFolderBench(context, {
    watch: { alsoSend: ['projects'] },
    files: {
      'Fight/SmartClient-Player.exe': program,
      [`${project}/Project.scp`]: bytes(1),
      [`${project}/Data/Mediadata/1/Gate 4/block0.blk`]: bytes(2),
      [`${project}/Data/Mediadata/1/Gate 4/config.xml`]: bytes(3),
      [`${project}/Client/Player.config`]: bytes(4),
    },
  });
  await bench.until(() => sent(bench).length === 3, 'the parts');
  await bench.untilIdle();
  expect(sent(bench)).toEqual(
    ['Project.scp', 'Data/Mediadata/1/Gate 4/block0.blk', 'Data/Mediadata/1/Gate 4/config.xml']
      .map((path) => `Client Files/${path}`)
      .toSorted(),
  );
});

test.concurrent('reports that are sent say what they say all the same', async (context) => {
  const bench = await startFolderBench(context, {
    watch: { alsoSend: ['reports'] },
    files: {
      'Fight/incident.csv': 'key,value\ntitle,A fight at gate 4\n',
      'Fight/notes.txt': 'Two groups',
      'Fight/videos.csv': 'file,camera_name\nfilm 2.avi,Gate 2\n',
      'Fight/film 1.avi': bytes(1),
      'Fight/film 1.json': '{ "camera_name": "Gate 1", "started_at": "2026-05-01T19:30:00Z" }',
      'Fight/film 2.avi': bytes(2, 5_000),
    },
  });
  await bench.until(() => sent(bench).length === 6, 'all files');
  await bench.untilIdle();
  const { row } = await clipOf(bench, 'film 1.avi');
  expect(row).toMatchObject({ camera: 'Gate 1', startedAt: '2026-05-01T19:30:00.000Z' });
  expect((await clipOf(bench, 'film 2.avi')).row.camera).toBe('Gate 2');
  expect((await clipOf(bench, 'film 1.json')).row.camera).not.toBe('Gate 1');
  expect(await incidentOf(bench, 'Fight/film 1.avi')).toMatchObject({
    title: 'A fight at gate 4',
    description: expect.stringContaining('Two groups'),
  });
});

test.concurrent(
  'a pattern of the desk makes recordings of files with the ending of its samples',
  long(),
  async (context) => {
    const pattern = {
      name: 'Tower',
      template: '{camera}_{date:YYYYMMDD}_{time:HHmmss}',
      samples: ['Gate 4_20260501_193005.xyz'],
    };
    const bench = await startFolderBench(context, {
      settings: { patterns: [pattern] },
      files: {
        'Fight/Gate 9_20260501_193005.xyz': bytes(1),
        'Fight/Gate 9_20260501_193005.qqq': bytes(2),
        'Fight/readme.xyz': bytes(3),
      },
    });
    await bench.until(() => sent(bench).length === 1, 'the recording');
    await bench.untilIdle();
    expect(sent(bench)).toEqual(['Gate 9_20260501_193005.xyz']);
    expect((await clipOf(bench, 'Gate 9')).row.camera).toBe('Gate 9');
  },
);

test.concurrent('a program is sent only where the folder allows it and a person confirmed that file', async (context) => {
  const files = { 'Fight/film.exe': program, 'Fight/other.exe': program, 'Fight/one.avi': bytes(1) };
  const folderOf = (bench: FolderBench) => [`${bench.root}/Fight`];
  const closed = await startFolderBench(context, { files });
  await closed.until(() => sent(closed).length === 1, 'the clip');
  await expect(
    closed.call('exports.push', { folders: folderOf(closed), programs: ['film.exe'] }),
  ).rejects.toThrow(/do not allow programs/);
  const open = await startFolderBench(context, { files, watch: { alsoSend: ['selfPlaying', 'unknown'] } });
  await open.until(() => sent(open).length === 1, 'the clip');
  await open.untilIdle();
  expect(sent(open)).toEqual(['one.avi']);
  await open.call('exports.push', { folders: folderOf(open), programs: ['film.exe'] });
  await open.until(() => sent(open).length === 2, 'the film');
  await open.untilIdle();
  expect(sent(open)).toEqual(['film.exe', 'one.avi']);
});

test.concurrent(
  'a folder that a person ignores stays ignored until its files change',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, { files: { 'Notes/list.xyz': bytes(1) } });
    await expectStanding(bench, ['Notes unrecognised']);
    const [row] = await rows(bench);
    await bench.call('uploads.ignoreExport', { exportId: row?.id ?? '' });
    await expectStanding(bench, ['Notes ignored']);
    await bench.stopAgent();
    await bench.startAgent();
    await bench.untilIdle();
    await expectStanding(bench, ['Notes ignored']);
    await bench.write('Notes/more.xyz', bytes(2));
    await expectStanding(bench, ['Notes unrecognised']);
    expect(sent(bench)).toEqual([]);
  },
);

for (const unit of ['folder', 'file'] as const)
  test.concurrent(`loose files of an unknown kind are sent as evidence, each as an incident, where a ${unit} is one`, async (context) => {
    const files = {
      'Gate 4.xyz': bytes(1),
      'Yard.xyz': bytes(2),
      'parts.zip': bytes(3),
      'run.exe': program,
    };
    const bench = await startFolderBench(context, { files, watch: { unit } });
    await expectStanding(bench, [' unrecognised']);
    await expect(bench.call('exports.push', { folders: [bench.home], loose: true })).rejects.toThrow(
      /is not watched/,
    );
    await bench.call('exports.push', { folders: [bench.root], asEvidence: true, loose: true });
    await bench.until(() => sent(bench).length === 2, 'the files');
    const named = async () => (await rows(bench)).map(({ facts }) => facts.named.map(({ path }) => path));
    // Neither the archive nor the program; nothing sent is asked about again, not even after a restart
    const left = unit === 'folder' ? [['parts.zip']] : [['parts.zip', 'run.exe']];
    await vi.waitFor(async () => expect(await named()).toEqual(left), { timeout: 30_000 });
    await bench.stopAgent();
    await bench.startAgent();
    await bench.untilIdle();
    expect(await named()).toEqual(left);
    expect(sent(bench)).toEqual(['Gate 4.xyz', 'Yard.xyz']);
    const titles = [...bench.simulator.incidents().values()].map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['Gate 4', 'Yard']);
  });
