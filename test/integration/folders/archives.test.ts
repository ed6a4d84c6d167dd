import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { archiveOf } from '../../electron-double/foreign-archives.ts';
import { BENCH_TIMEOUT_MS } from '../../helpers/agent-bench.ts';
import { runUnder } from '../../helpers/agent-under.ts';
import { noise } from '../../helpers/bench-files.ts';
import { startFolderBench } from './folder-bench.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

/** Puts Electron's file functions, which look into files named *.asar, in front of Node's. */
const register = fileURLToPath(new URL('../../electron-double/register.ts', import.meta.url));
const asInElectron = ['env', `NODE_OPTIONS=--import=${register}`];

test('a player that brings archives of Electron is read as files, and so is a folder of that name', async (context) => {
  const bench = await startFolderBench(context);
  await bench.stopAgent();
  const clips = { 'Shop/cam 1.avi': 4_000, 'Yard/cam 2.avi': 5_000, 'gate.asar/cam 3.avi': 6_000 };
  const archives = {
    'Shop/resources/app.asar': archiveOf({ 'inside.avi': noise(3_000) }),
    'Yard/broken.asar': 'no archive at all',
  };
  for (const [path, spec] of Object.entries({ ...clips, ...archives })) await bench.write(path, spec);
  const lines = await runUnder(bench, asInElectron);
  expect(lines.filter(({ event }) => /failed|missing/.test(event))).toEqual([]);
  expect(lines.at(-1)).toEqual({ event: 'idle' });
  await bench.expectWhole(clips);
});
