import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { createSystemClock } from '../../../electron/agent/system-clock.ts';
import { checkFolders } from '../../../electron/cli/check-folders.ts';

let folder = '';
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'folders-')));
  await mkdir(join(folder, 'a', 'inner'), { recursive: true });
  await mkdir(join(folder, 'b'));
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'a'), join(folder, 'link'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function look(...paths: string[]): Promise<readonly string[]> {
  const watch = paths.map((path) => ({ path: path.startsWith('/') ? path : join(folder, path) }));
  const settings = settingsSchema.parse({ baseUrl: 'https://api.example.com', watch });
  const config = { settings, dataDir: join(folder, 'b', 'data'), version: '1' };
  const lines = await checkFolders(config, createSystemClock(), { platform: 'linux', homeDir: '/home/desk' });
  return lines.map(({ state, failure }) => failure?.code ?? state);
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
  expect(await look(...paths)).toEqual(codes);
});
