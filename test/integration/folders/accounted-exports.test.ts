import { appendFile, readFile, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { readStatus } from '../../../electron/agent/calls/read-status.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { heldFiles, startFolderBench, type FolderBench } from './folder-bench.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const whole = fileURLToPath(new URL('../../fixtures/clips/gate-4-north.mp4', import.meta.url));
const good = { 'Gate 1/good.avi': 4_000 };

const listed = async (bench: FolderBench) => (await bench.call('uploads.listExports', {})).rows;

/** Waits until the exports that are not in the queue are these, each as `name state`. */
async function expectListed(bench: FolderBench, wanted: readonly string[]): Promise<void> {
  const now = async () => (await listed(bench)).map(({ name, state }) => `${name} ${state}`).toSorted();
  await vi.waitFor(async () => expect(await now()).toEqual(wanted.toSorted()), { timeout: 20_000 });
}

test.concurrent('an export is written, then waits to settle, and is then in the queue', async (context) => {
  const bench = await startFolderBench(context, { watch: { settleSeconds: 8 } });
  await bench.write('Gate 1/good.avi', 4_000);
  // Each of the two states lasts for four seconds
  const fourSecondsAgo = Date.now() / 1_000 - 4;
  await utimes(join(bench.root, 'Gate 1/good.avi'), fourSecondsAgo, fourSecondsAgo);
  await expectListed(bench, ['Gate 1 writing']);
  await expectListed(bench, ['Gate 1 settling']);
  const [row] = await listed(bench);
  expect(Date.parse(row?.settlesAt ?? '')).toBeGreaterThan(Date.parse(row?.since ?? ''));
  expect(row?.facts).toMatchObject({ files: 1, sizeBytes: 4_000 });
  await bench.untilIdle();
  await expectListed(bench, []);
  await bench.expectWhole();
  expect(bench.of('export.state').map(({ state }) => state)).toEqual(['writing', 'settling']);
});

test.concurrent('an export that grows stays one that is written', long(), async (context) => {
  const bench = await startFolderBench(context, { files: good, watch: { settleSeconds: 2 } });
  const path = join(bench.root, 'Gate 1/good.avi');
  for (let index = 0; index < 8; index += 1) {
    await appendFile(path, 'more');
    await bench.clock.sleep(400);
    expect((await listed(bench)).map(({ state }) => state)).not.toContain('held');
    expect(bench.of('clip.uploaded')).toEqual([]);
  }
  await bench.untilIdle();
  await expectListed(bench, []);
});

// The message contains no term of the container format
test.concurrent('a clip that ends early is held back, over a restart, until it is whole', async (context) => {
  const bench = await startFolderBench(context);
  const bytes = await readFile(whole);
  await bench.write('Gate 4/clip.mp4', bytes.subarray(0, 100_000));
  await expectListed(bench, ['Gate 4 held']);
  const [before] = await listed(bench);
  expect(before?.message).toMatch(/^Cut off before its end: clip\.mp4\./);
  expect(JSON.stringify(before)).not.toMatch(/mdat|moov|\bbox\b/i);
  expect((await bench.call('health.get', {})).exports).toMatchObject({ held: 1, unrecognised: 0 });
  await bench.stopAgent();
  const status = await readStatus(bench.dataDir);
  expect(status).toMatchObject({
    ok: true,
    value: { incidents: [{ title: 'Gate 4', state: 'held', clips: [] }] },
  });
  await bench.startAgent();
  expect(await listed(bench)).toEqual([before]);
  await bench.untilIdle();
  expect(await listed(bench)).toEqual([before]);
  await appendFile(join(bench.root, 'Gate 4/clip.mp4'), bytes.subarray(100_000));
  await bench.until(() => bench.of('clip.uploaded').length > 0, 'the clip');
  await expectListed(bench, []);
});

test.concurrent('a held file of an export that was sent names its incident', long(), async (context) => {
  const bench = await startFolderBench(context, { files: { ...good, 'Gate 1/empty.avi': 0 } });
  await bench.untilIdle();
  await expectListed(bench, ['Gate 1 held']);
  const [row] = await listed(bench);
  expect(row?.incidentId).toBe((await bench.ids('Gate 1/good.avi')).incidentId);
  const status = await readStatus(bench.dataDir);
  expect(status).toMatchObject({
    ok: true,
    value: { incidents: [{ state: 'synced', uploaded: 1, export: { state: 'held' } }] },
  });
});

mostlyLong(
  [
    { what: 'pictures', files: { 'Only/a.jpg': 9, 'Only/b.png': 9 }, says: 'Only pictures' },
    { what: 'an archive', files: { 'Only/export.zip': 9 }, says: 'an archive that may contain' },
    { what: 'a program', files: { 'Only/player.exe': 9 }, says: 'Only a program' },
    {
      what: 'an unknown format',
      files: { 'Only/cam1.xyz': 9, 'Only/cam2.xyz': 9 },
      says: 'known video format',
    },
    { what: 'a clip of a player', files: { 'Only/Client Files/x.mp4': 9 }, says: 'XProtect format' },
  ],
  1,
  (some) =>
    test.concurrent.for(some)(
      'input B12: a folder with only $what is not recognised, with its files',
      async ({ files, says }, context) => {
        const bench = await startFolderBench(context, { files: { ...good, ...files } });
        await bench.untilIdle();
        await expectListed(bench, ['Only unrecognised']);
        const [row] = await listed(bench);
        expect(row?.message).toContain(says);
        expect(row?.facts.named.map(({ path }) => `Only/${path}`)).toEqual(Object.keys(files));
        expect(bench.of('export.state').filter(({ state }) => state === 'unrecognised')).toHaveLength(1);
        // It reports this again after a restart, for listeners that have only just subscribed
        await bench.stopAgent();
        await bench.startAgent();
        await bench.untilIdle();
        expect(bench.of('export.state').filter(({ state }) => state === 'unrecognised')).toHaveLength(2);
        expect(await listed(bench)).toEqual([row]);
        await bench.write('Only/clip.avi', 3_000);
        await bench.until(() => bench.of('clip.uploaded').length === 2, 'the clip that came later');
        await expectListed(bench, []);
      },
    ),
);

test.concurrent('loose files, unfinished copies and folders that cannot be read are named', async (context) => {
  const bench = await startFolderBench(context, {
    files: { ...good, 'loose.avi': 300, 'readme.txt': 'left out', 'Ramp/clip.mp4.part': 5_000 },
  });
  await bench.untilIdle();
  await expectListed(bench, [' unrecognised', 'Ramp held']);
  const [ramp, loose] = await listed(bench);
  expect(ramp?.message).toContain('unfinished copy');
  expect(heldFiles(bench)).toContain('Ramp/clip.mp4.part FILE_INCOMPLETE');
  expect(loose?.message).toContain('"loose.avi"');
  await rename(join(bench.root, 'Ramp/clip.mp4.part'), join(bench.root, 'Ramp/clip.avi'));
  await rm(join(bench.root, 'loose.avi'));
  await bench.until(() => bench.of('clip.uploaded').length === 2, 'the clip with its own name');
  bench.skip(70_000);
  await expectListed(bench, []);
});

test.concurrent(
  'an export that is gone is listed no more, also when it went while the PC was off',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, { files: { ...good, 'A/x.xyz': 1, 'B/x.xyz': 1 } });
    await bench.untilIdle();
    await expectListed(bench, ['A unrecognised', 'B unrecognised']);
    await bench.stopAgent();
    await rm(join(bench.root, 'A'), { recursive: true });
    await bench.startAgent();
    await expectListed(bench, ['B unrecognised']);
    await bench.untilIdle();
    await rm(join(bench.root, 'B'), { recursive: true });
    bench.skip(70_000);
    await expectListed(bench, []);
  },
);

test.concurrent(
  'what is left of a folder whose clips were sent and cleared away asks for nobody',
  long(),
  async (context) => {
    const bench = await startFolderBench(context, { files: { ...good, 'Gate 1/notes.txt': 'kept' } });
    await bench.untilIdle();
    await rm(join(bench.root, 'Gate 1/good.avi'));
    bench.skip(70_000);
    await bench.untilIdle();
    await bench.stopAgent();
    await bench.startAgent();
    await bench.untilIdle();
    await bench.stopAgent();
    const status = await readStatus(bench.dataDir);
    expect(status).toMatchObject({ ok: true, value: { incidents: [{ state: 'synced' }] } });
    expect(JSON.stringify(status)).not.toContain('"export"');
  },
);

test.concurrent('a root that is away says nothing about the exports that were seen in it', async (context) => {
  const bench = await startFolderBench(context, { files: { 'A/x.xyz': 1 } });
  await expectListed(bench, ['A unrecognised']);
  await bench.stopAgent();
  await rename(bench.root, join(bench.home, 'elsewhere'));
  await bench.startAgent();
  await bench.until(() => bench.of('root.offline').length > 0, 'the root that is away');
  await expectListed(bench, ['A unrecognised']);
});
