import { describe, expect, it } from 'vitest';
import { isManaged, settingPath } from '../../../../../shared/ipc/calls/settings.ts';

describe('the place of a setting', () => {
  it.each([
    ['change.watch.0.path', 'watch[0].path'],
    ['watch[12].timeZone', 'watch[12].timeZone'],
    ['change.upload.hosts.3', 'upload.hosts[3]'],
    ['baseUrl', 'baseUrl'],
  ])('%s is %s', (name, path) => {
    expect(settingPath(name)).toBe(path);
  });
});

describe('a managed setting', () => {
  it('is locked by itself and with its group, but not by a name that only begins like it', () => {
    expect(isManaged(['upload'], 'upload.hosts')).toBe(true);
    expect(isManaged(['watch'], 'watch[0].path')).toBe(true);
    expect(isManaged(['users.updateMethod'], 'users.updateMethod')).toBe(true);
    expect(isManaged(['upload.hosts'], 'upload.concurrentFiles')).toBe(false);
    expect(isManaged(['base'], 'baseUrl')).toBe(false);
  });
});
