import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSettings } from '../../../../electron/agent/settings/load-settings.ts';

test('the folders that patterns and cameras are for are paths like those of the watched folders', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rule-folders-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'config.json');
  const pattern = {
    name: 'ours',
    template: '{camera}_{date:YYYYMMDD}_{time:HHmmss}',
    samples: ['Gate_20260501_193005.mp4'],
  };
  const settings = {
    baseUrl: 'https://api.example.com/v1',
    watch: [{ path: 'exports' }],
    cameras: [{ match: 'Gate 4', folder: 'exports/' }, { match: 'Gate 5' }],
    patterns: [
      { ...pattern, folder: 'exports' },
      { ...pattern, name: 'theirs' },
    ],
  };
  await writeFile(file, JSON.stringify(settings));
  const loaded = await loadSettings(file);
  if (!loaded.ok) throw new Error(loaded.error[0]?.message);
  const { watch, cameras, patterns } = loaded.value.settings;
  const path = join(folder, 'exports');
  expect(watch.map((root) => root.path)).toEqual([path]);
  expect(cameras.map((camera) => camera.folder)).toEqual([path, undefined]);
  expect(patterns.map((each) => each.folder)).toEqual([path, undefined]);
});
