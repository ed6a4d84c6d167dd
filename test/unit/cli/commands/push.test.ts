import { spawnSync } from 'node:child_process';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { push } from '../../../../electron/cli/commands/push.ts';
import { underPermissions } from '../../../helpers/under-permissions.ts';
import { parseLine } from '../parse-line.ts';
import { createFakeAgent, createFakeDeps } from '../fake-deps.ts';

const details = { title: undefined, description: undefined, incidentAt: undefined };
const input = (...folders: string[]) => ({ folders, json: true, ...details });

/** Creates a folder that holds a clip. */
async function makeExport(...names: readonly string[]): Promise<void> {
  await mkdir(join(...names), { recursive: true });
  await writeFile(join(...names, 'cam1.mp4'), 'clip');
}

test('pushes absolute folders with their details, once each, after the start', async () => {
  const { agent, calls, pushed } = createFakeAgent();
  const { deps, folder } = await createFakeDeps(agent);
  await makeExport(folder, 'a');
  const command = {
    ...input('a', './a/'),
    title: 'T',
    description: 'D',
    incidentAt: '2026-05-01T19:30:05.000Z',
  };
  expect(await push.run(command, deps)).toBe(0);
  expect(calls).toEqual(['start', 'push', 'untilIdle', 'stop']);
  const details = { title: 'T', description: 'D', incidentAt: '2026-05-01T19:30:05.000Z' };
  expect(pushed).toEqual([{ folder: join(folder, 'a'), ...details }]);
});

test('leaves details out that were not given', async () => {
  const { agent, pushed } = createFakeAgent();
  const { deps, folder } = await createFakeDeps(agent);
  await makeExport(folder, 'a');
  await makeExport(folder, 'b');
  await push.run(input('b', join(folder, 'a')), deps);
  expect(pushed).toEqual([{ folder: join(folder, 'b') }, { folder: join(folder, 'a') }]);
});

test('watches none of the roots, and keeps their settings for the folders inside', async () => {
  const { agent } = createFakeAgent();
  const watch = [{ path: 'in' }, { path: 'elsewhere' }];
  const { deps, folder, made } = await createFakeDeps(agent, { baseUrl: 'https://api.example.com', watch });
  await makeExport(folder, 'in', 'a');
  await push.run(input('in/a'), deps);
  expect(made.configs.map(({ watchFolders }) => watchFolders)).toEqual([false]);
  expect(made.configs[0]?.settings.watch.map(({ path }) => path)).toEqual([
    join(folder, 'in'),
    join(folder, 'elsewhere'),
  ]);
});

test('says at once which folders hold no clip and why, and pushes the others', async () => {
  const { agent, pushed } = createFakeAgent();
  const { deps, folder, jsonLines, written } = await createFakeDeps(agent);
  await makeExport(folder, 'good');
  await writeFile(join(folder, 'good', 'player.exe'), 'x');
  await mkdir(join(folder, 'zipped', 'inner'), { recursive: true });
  await writeFile(join(folder, 'zipped', 'inner', 'export.zip'), 'x');
  await mkdir(join(folder, 'empty'));
  expect(await push.run(input('zipped', 'good', 'empty'), deps)).toBe(14);
  expect(pushed).toEqual([{ folder: join(folder, 'good') }]);
  const refused = jsonLines().filter(({ code }) => code === 'EXPORT_NOT_RECOGNISED');
  expect(refused.map(({ message }) => message)).toEqual([
    `The folder ${folder}/zipped was not sent. No video, but an archive that may contain one: "export.zip". The agent does not open archives.`,
    `The folder ${folder}/empty was not sent. It contains no clips.`,
  ]);
  expect(written.stderr).toContain('"player.exe" is a program');
});

test('starts nothing when no folder holds a clip', async () => {
  const { agent, calls } = createFakeAgent();
  const { deps, folder } = await createFakeDeps(agent);
  await mkdir(join(folder, 'empty'));
  expect(await push.run(input('empty'), deps)).toBe(14);
  expect(calls).toEqual([]);
});

test('pushes a folder in which a clip is still copied', async () => {
  const { agent, pushed } = createFakeAgent();
  const { deps, folder } = await createFakeDeps(agent);
  await mkdir(join(folder, 'a'));
  await writeFile(join(folder, 'a', 'cam1.mp4.part'), 'x');
  await push.run(input('a'), deps);
  expect(pushed).toHaveLength(1);
});

test('names every folder that cannot be pushed, and starts nothing', async () => {
  const { agent, calls } = createFakeAgent();
  const { deps, folder, jsonLines } = await createFakeDeps(agent);
  await mkdir(join(folder, 'good'));
  await writeFile(join(folder, 'file.mp4'), '');
  await symlink(join(folder, 'good'), join(folder, 'link'));
  const names = ['good', 'file.mp4', 'link', 'none', 'file.mp4/inner', 'bad\u202ename'];
  expect(await push.run(input(...names), deps)).toBe(2);
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

test.each([
  ['box', 'ROOT_OVERLAP'],
  ['box/in', 'ROOT_OVERLAP'],
  ['.', 'ROOT_FORBIDDEN'],
  ['data', 'ROOT_FORBIDDEN'],
  ['data/inner', 'ROOT_FORBIDDEN'],
  ['/', 'ROOT_FORBIDDEN'],
  ['/etc', 'ROOT_FORBIDDEN'],
])('refuses %s with %s, as the app does, also as evidence', async (name, code) => {
  const { agent, calls } = createFakeAgent();
  const watch = [{ path: 'box/in' }];
  const settings = { baseUrl: 'https://api.example.com', watch };
  const { deps, folder, jsonLines } = await createFakeDeps(agent, settings);
  await makeExport(folder, 'box', 'in', 'a');
  await makeExport(folder, 'data', 'inner');
  const command = { ...input('box/in/a', name), asEvidence: true, dataDir: join(folder, 'data') };
  expect(await push.run(command, deps)).toBe(2);
  expect(calls).toEqual([]);
  expect(jsonLines().map((line) => line['code'])).toEqual([code]);
  expect(String(jsonLines()[0]?.['message'])).not.toContain('cannot be watched');
});

test('refuses two folders of which one holds the other', async () => {
  const { agent, calls } = createFakeAgent();
  const { deps, folder, jsonLines } = await createFakeDeps(agent);
  await makeExport(folder, 'a', 'b');
  expect(await push.run(input('a', 'a/b'), deps)).toBe(2);
  expect(calls).toEqual([]);
  const message = `The folders ${join(folder, 'a')} and ${join(folder, 'a', 'b')} overlap: one is inside the other.`;
  expect(jsonLines()).toMatchObject([
    { code: 'ROOT_OVERLAP', message, advice: expect.stringMatching(/^Send/) },
  ]);
});

test('says which folder cannot be listed, and does not call it empty', async () => {
  const { folder } = await createFakeDeps(createFakeAgent().agent);
  await makeExport(folder, 'export', 'closed');
  await chmod(join(folder, 'export', 'closed'), 0);
  await writeFile(join(folder, 'settings.json'), '{"baseUrl": "https://api.example.com"}', { mode: 0o600 });
  const [command, args] = underPermissions(resolve('electron/headless.ts'), 'push');
  const options = ['--config', join(folder, 'settings.json'), '--data-dir', join(folder, 'queue')];
  const ended = spawnSync(command, [...args, join(folder, 'export'), ...options], { encoding: 'utf8' });
  expect(ended.stderr).toContain(`FOLDER_NO_ACCESS: The folder ${folder}/export was not sent. `);
  expect(ended.stderr).toContain('The folder closed cannot be read (EACCES).');
  expect(ended.status).toBe(14);
});

test('needs a configuration', async () => {
  const { agent, calls } = createFakeAgent();
  const { deps, folder } = await createFakeDeps(agent);
  await mkdir(join(folder, 'a'));
  expect(await push.run({ ...input('a'), config: 'none.json' }, deps)).toBe(10);
  expect(calls).toEqual([]);
});

test.each([
  ['--title', '  Gate 4  ', 'Gate 4'],
  ['--title', 'a'.repeat(200), 'a'.repeat(200)],
  ['--description', 'two\nlines\tand a tab', 'two\nlines\tand a tab'],
] as const)('takes %s %j', (option, typed, text) => {
  const { value } = parseLine(['push', 'a', option, typed]);
  expect(value).toMatchObject({ [option.slice(2)]: text });
});

test.each([
  ['--title', ' ', 'blank'],
  ['--title', 'a'.repeat(201), 'at most 200'],
  ['--title', 'two\nlines', 'control characters'],
  ['--title', 'bell\u0007', 'control characters'],
  ['--description', 'escape\u001b[2J', 'control characters'],
  ['--description', 'a'.repeat(10_001), 'at most 10000'],
] as const)('refuses %s %j', (option, typed, reason) => {
  expect(parseLine(['push', 'a', option, typed])).toMatchObject({
    ok: false,
    error: { message: expect.stringContaining(reason) },
  });
});
