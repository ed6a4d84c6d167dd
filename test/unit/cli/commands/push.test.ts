import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PushCommand } from '../../../../electron/cli/command.ts';
import { pushCommand } from '../../../../electron/cli/commands/push.ts';
import { createFakeAgent, createFakeHost } from '../fake-deps.ts';

const push = (...folders: string[]): PushCommand => ({ kind: 'push', folders, json: true });

test('pushes absolute folders with their details, once each, after the start', async () => {
  const { agent, calls, pushed } = createFakeAgent();
  const { host, folder } = await createFakeHost(agent);
  await mkdir(join(folder, 'a'));
  const command = {
    ...push('a', './a/'),
    title: 'T',
    description: 'D',
    incidentAt: '2026-05-01T19:30:05.000Z',
  };
  expect(await pushCommand(command, host)).toBe(0);
  expect(calls).toEqual(['start', 'push', 'untilIdle', 'stop']);
  const details = { title: 'T', description: 'D', incidentAt: '2026-05-01T19:30:05.000Z' };
  expect(pushed).toEqual([{ folder: join(folder, 'a'), ...details }]);
});

test('leaves details out that were not given', async () => {
  const { agent, pushed } = createFakeAgent();
  const { host, folder } = await createFakeHost(agent);
  await mkdir(join(folder, 'a'));
  await mkdir(join(folder, 'b'));
  await pushCommand(push('b', join(folder, 'a')), host);
  expect(pushed).toEqual([{ folder: join(folder, 'b') }, { folder: join(folder, 'a') }]);
});

test('watches none of the roots, and keeps their settings for the folders inside', async () => {
  const { agent } = createFakeAgent();
  const watch = [{ path: 'in' }, { path: 'elsewhere' }];
  const { host, folder, made } = await createFakeHost(agent, { baseUrl: 'https://api.example.com', watch });
  await mkdir(join(folder, 'in', 'a'), { recursive: true });
  await pushCommand(push('in/a'), host);
  expect(made.configs.map(({ watchFolders }) => watchFolders)).toEqual([false]);
  expect(made.configs[0]?.settings.watch.map(({ path }) => path)).toEqual([
    join(folder, 'in'),
    join(folder, 'elsewhere'),
  ]);
});

test('names every folder that cannot be pushed, and starts nothing', async () => {
  const { agent, calls } = createFakeAgent();
  const { host, folder, jsonLines } = await createFakeHost(agent);
  await mkdir(join(folder, 'good'));
  await writeFile(join(folder, 'file.mp4'), '');
  await symlink(join(folder, 'good'), join(folder, 'link'));
  const names = ['good', 'file.mp4', 'link', 'none', 'file.mp4/inner', 'bad\u202ename'];
  expect(await pushCommand(push(...names), host)).toBe(2);
  expect(calls).toEqual([]);
  expect(jsonLines().map((line) => line['code'])).toEqual([
    'ROOT_NOT_FOLDER',
    'ROOT_LINK',
    'ROOT_MISSING',
    'ROOT_MISSING',
    'ROOT_MISSING',
  ]);
  expect(JSON.stringify(jsonLines())).toContain('bad<U+202E>name');
});

test('needs a configuration', async () => {
  const { agent, calls } = createFakeAgent();
  const { host, folder } = await createFakeHost(agent);
  await mkdir(join(folder, 'a'));
  expect(await pushCommand({ ...push('a'), config: 'none.json' }, host)).toBe(10);
  expect(calls).toEqual([]);
});
