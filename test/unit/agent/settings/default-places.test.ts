import { expect, test } from 'vitest';
import {
  defaultConfigFile,
  defaultDataDir,
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

test.each<[NodeJS.Platform, string]>([
  ['linux', '/home/desk/.config/vms-export-agent/vms-export-agent.json'],
  ['darwin', '/home/desk/Library/Application Support/vms-export-agent/vms-export-agent.json'],
  ['win32', 'C:\\Users\\desk\\AppData\\Roaming\\vms-export-agent\\vms-export-agent.json'],
])('on %s takes a configuration from the folder of the account alone', (platform, file) => {
  expect(defaultConfigFile(places(platform))).toBe(file);
});
