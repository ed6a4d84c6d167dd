import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  configCandidates,
  defaultDataDir,
  locateConfig,
  type Places,
} from '../../../../electron/agent/settings/default-places.ts';

const places = (platform: NodeJS.Platform, environment: Places['environment'] = {}): Places => ({
  platform,
  environment,
  homeDir: platform === 'win32' ? 'C:\\Users\\desk' : '/home/desk',
  workingDir: platform === 'win32' ? 'D:\\work' : '/here',
});

test.each<[NodeJS.Platform, Places['environment'], string]>([
  ['linux', {}, '/home/desk/.local/share/vms-export-agent'],
  ['linux', { XDG_DATA_HOME: '/data' }, '/data/vms-export-agent'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/desk/.local/share/vms-export-agent'],
  ['linux', { XDG_DATA_HOME: '' }, '/home/desk/.local/share/vms-export-agent'],
  ['darwin', { XDG_DATA_HOME: '/data' }, '/home/desk/Library/Application Support/vms-export-agent'],
  ['win32', { LOCALAPPDATA: 'E:\\Local' }, 'E:\\Local\\vms-export-agent'],
  ['win32', {}, 'C:\\Users\\desk\\AppData\\Local\\vms-export-agent'],
])('keeps the queue on %s with %j in %s', (platform, environment, dir) => {
  expect(defaultDataDir(places(platform, environment))).toBe(dir);
});

test.each<[NodeJS.Platform, readonly string[]]>([
  ['linux', ['/here/vms-export-agent.json', '/home/desk/.config/vms-export-agent/vms-export-agent.json']],
  [
    'darwin',
    [
      '/here/vms-export-agent.json',
      '/home/desk/Library/Application Support/vms-export-agent/vms-export-agent.json',
    ],
  ],
  [
    'win32',
    [
      'D:\\work\\vms-export-agent.json',
      'C:\\Users\\desk\\AppData\\Roaming\\vms-export-agent\\vms-export-agent.json',
    ],
  ],
])('looks for a configuration on %s', (platform, files) => {
  expect(configCandidates(places(platform))).toEqual(files);
});

test('takes the named file, else that of the working folder, else that of the account, there or to be made', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'places-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const here: Places = { platform: 'linux', environment: {}, homeDir: folder, workingDir: join(folder, 'w') };
  const own = join(folder, 'w', 'vms-export-agent.json');
  const account = join(folder, '.config', 'vms-export-agent', 'vms-export-agent.json');
  expect(await locateConfig(undefined, here)).toBe(account);
  await mkdir(join(folder, '.config', 'vms-export-agent'), { recursive: true });
  await writeFile(account, '{}');
  expect(await locateConfig(undefined, here)).toBe(account);
  await mkdir(join(folder, 'w'));
  await writeFile(own, '{}');
  expect(await locateConfig(undefined, here)).toBe(own);
  expect(await locateConfig('other.json', here)).toBe('other.json');
});
