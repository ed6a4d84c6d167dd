import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { createAgent } from '../../../electron/agent/index.ts';
import { FailureError } from '../../../shared/domain/failure.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { heldFiles, incidentOf, startFolderBench } from './folder-bench.ts';

// Several agents run at the same time here, on machines that may be busy
vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const good = { 'Gate 4/good.avi': 4_000 };

/** How a second start ends after `change` altered the watched folder. */
async function codeOfStart(
  context: Parameters<typeof startFolderBench>[0],
  change: (root: string) => Promise<unknown>,
) {
  const bench = await startFolderBench(context, { files: good });
  await bench.untilIdle();
  await bench.stopAgent();
  await rename(bench.root, join(bench.home, 'away'));
  await change(bench.root);
  return bench.startAgent().then(
    async () => {
      await bench.until(() => bench.of('root.offline').length > 0, 'the word about the root');
      return bench.of('root.offline')[0]?.code;
    },
    (error: unknown) => (error instanceof FailureError ? error.failure.code : error),
  );
}

test.concurrent.for([
  { row: 'input B1', what: 'does not exist', code: 'ROOT_MISSING', change: async () => undefined },
  {
    row: 'input B2',
    what: 'is a file',
    code: 'ROOT_NOT_FOLDER',
    change: (root: string) => writeFile(root, 'x'),
  },
  { row: 'input B3', what: 'is a link', code: 'ROOT_LINK', change: (root: string) => symlink('away', root) },
])('$row: a watched folder that $what is refused with $code', async ({ change, code }, context) => {
  expect(await codeOfStart(context, change)).toBe(code);
});

// Reported at the start, before anything is opened
test.concurrent.for([
  { row: 'input B4', what: '/etc', code: 'ROOT_FORBIDDEN', paths: ['/etc'] },
  { row: 'input B4', what: 'a whole disk', code: 'ROOT_FORBIDDEN', paths: ['/'] },
  {
    row: 'input B5',
    what: 'two folders inside each other',
    code: 'ROOT_OVERLAP',
    paths: ['/srv/exports', '/srv/exports/today'],
  },
])('$row: watching $what is refused with $code', async ({ paths, code }, context) => {
  const settings = { watch: paths.map((path) => ({ path, settleSeconds: 0.1 })) };
  const start = startFolderBench(context, { files: good, settings });
  await expect(start).rejects.toMatchObject({ failure: { code } });
});

// The parent of the data directory
test.concurrent('input B4: watching the folder that holds the data of this program is refused', async (context) => {
  const bench = await startFolderBench(context, { files: good });
  const watch = [{ path: bench.home, settleSeconds: 0.1 }];
  const silent = (): void => undefined;
  const agent = createAgent(
    {
      settings: settingsSchema.parse({ baseUrl: bench.simulator.baseUrl, watch }),
      dataDir: join(bench.home, 'data'),
      version: '0.0.0',
    },
    {
      clock: bench.clock,
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      secrets: { apiKey: async () => undefined },
    },
  );
  await expect(agent.start()).rejects.toMatchObject({ failure: { code: 'ROOT_FORBIDDEN' } });
});

// Files that are loose in the root
test.concurrent('input B7: deep, empty and clipless folders and loose files are told apart; the rest is sent', async (context) => {
  const deep = Array.from({ length: 33 }, (_, index) => `d${index}`).join('/');
  const files = {
    ...good,
    [`Gate 4/${deep.split('/').slice(0, 32).join('/')}/in-reach.avi`]: 300,
    [`Gate 4/${deep}/too-deep.avi`]: 300,
    'Only notes/readme.txt': 'nothing to see',
    'Only notes/photo.jpg': { fixture: 'car-park.jpg' },
    'loose.avi': 300,
  };
  const bench = await startFolderBench(context, { files, prepare: (root) => mkdir(join(root, 'Empty')) });
  await bench.untilIdle();
  const held = [`Gate 4/${deep}/too-deep.avi`, 'loose.avi'];
  await bench.expectWhole(Object.fromEntries(Object.entries(files).filter(([path]) => !held.includes(path))));
  expect(heldFiles(bench)).toEqual(['/loose.avi FILE_SKIPPED', `Gate 4/${deep} FOLDER_TOO_DEEP`]);
  expect(bench.simulator.incidents().size).toBe(1);
});

// Same title, two incidents
test.concurrent('input B14: two exports of the same title stay two incidents', async (context) => {
  const files = { '2026-05-01 Gate 4/a.avi': 300, '2026-05-02 Gate 4/b.avi': 300 };
  const bench = await startFolderBench(context, { files });
  await bench.untilIdle();
  await bench.expectWhole();
  const titles = await Promise.all(
    Object.keys(files).map(async (path) => (await incidentOf(bench, path))?.title),
  );
  expect(titles).toEqual(['Gate 4', 'Gate 4']);
  expect(bench.simulator.incidents().size).toBe(2);
});
