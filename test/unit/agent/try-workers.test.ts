import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tryWorkers } from '../../../electron/agent/try-workers.ts';

it('starts every worker thread that the agent has, and each answers', async () => {
  const all = globSync('electron/**/*-worker.ts')
    .filter((file) => readFileSync(file, 'utf8').includes('parentPort'))
    .map((file) => /([a-z-]+)-worker\.ts$/.exec(file)?.[1]);
  expect(all.length).toBeGreaterThan(3);
  expect((await tryWorkers()).toSorted()).toEqual(all.toSorted());
});
