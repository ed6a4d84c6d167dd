import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { check } from '../../../../electron/cli/commands/check.ts';
import { createFakeAgent, createFakeDeps } from '../fake-deps.ts';

/** The codes or states that `check` reports for these watched folders. */
async function statesOf(...paths: string[]): Promise<readonly string[]> {
  const watch = paths.map((path) => ({ path }));
  const settings = { baseUrl: 'https://api.example.com', watch };
  const { deps, folder, written } = await createFakeDeps(createFakeAgent().agent, settings);
  await mkdir(join(folder, 'a', 'inner'), { recursive: true });
  await mkdir(join(folder, 'b'));
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'a'), join(folder, 'link'));
  const input = { config: undefined, dataDir: join('b', 'data'), json: true };
  await check.run(input, { ...deps, checkConnection: async () => [] });
  const lines: { name: string; state: string; code?: string }[] = JSON.parse(written.stdout);
  return lines.filter(({ name }) => name === 'folders').map(({ state, code }) => code ?? state);
}

test.each<[readonly string[], readonly string[]]>([
  [[], ['warning']],
  [['a'], ['ok']],
  [['none'], ['ROOT_MISSING']],
  [['file'], ['ROOT_NOT_FOLDER']],
  [['link'], ['ROOT_LINK']],
  [['/etc'], ['ROOT_FORBIDDEN']],
  [['b'], ['ROOT_FORBIDDEN']],
  [['a', 'a/inner'], ['ROOT_OVERLAP']],
  [
    ['a', 'none', 'file'],
    ['ROOT_MISSING', 'ROOT_NOT_FOLDER'],
  ],
])('finds in %j: %j', async (paths, codes) => {
  expect(await statesOf(...paths)).toEqual(codes);
});
