import { describe, expect, it } from 'vitest';
import {
  layerSettings,
  leavesOf,
  withValue,
  type SettingsLayers,
} from '../../../../../electron/agent/core/settings/layer-settings.ts';

describe('a setting', () => {
  it.each<[string, SettingsLayers, unknown, string | undefined]>([
    [
      'what is managed wins over all',
      { managed: { a: 1 }, commandLine: { a: 2 }, user: { a: 3 }, recommended: { a: 4 } },
      1,
      'managed',
    ],
    [
      'the command line wins over the file',
      { commandLine: { a: 2 }, user: { a: 3 }, recommended: { a: 4 } },
      2,
      'commandLine',
    ],
    ['the file wins over a recommendation', { user: { a: 3 }, recommended: { a: 4 } }, 3, 'user'],
    ['a recommendation counts when nothing else is said', { recommended: { a: 4 } }, 4, 'recommended'],
    ['nothing is said', {}, undefined, undefined],
    ['null is a value', { managed: { a: null }, user: { a: 3 } }, null, 'managed'],
    ['an empty list is a value', { managed: { a: [] }, user: { a: [3] } }, [], 'managed'],
    [
      'a list is replaced as a whole',
      { managed: { a: [{ path: '/m' }] }, user: { a: [{ path: '/u' }, 2] } },
      [{ path: '/m' }],
      'managed',
    ],
  ])('%s', (_, layers, value, origin) => {
    const { values, origins } = layerSettings(layers);
    expect(values['a']).toEqual(value);
    expect(origins.get('a')).toBe(origin);
  });

  it('of a group is decided by itself', () => {
    const layers: SettingsLayers = {
      managed: { upload: { concurrentFiles: 1 } },
      user: { upload: { concurrentFiles: 8, concurrentParts: 8 }, users: { updateMethod: 'PUT' } },
      recommended: { upload: { concurrentParts: 2, maxBytesPerSecond: 5000 } },
    };
    const { values, origins } = layerSettings(layers);
    expect(values).toEqual({
      upload: { concurrentFiles: 1, concurrentParts: 8, maxBytesPerSecond: 5000 },
      users: { updateMethod: 'PUT' },
    });
    expect([...origins]).toEqual([
      ['upload.concurrentFiles', 'managed'],
      ['upload.concurrentParts', 'user'],
      ['users.updateMethod', 'user'],
      ['upload.maxBytesPerSecond', 'recommended'],
    ]);
  });

  it('is the way of presenting the key as a whole: two schemes are never mixed', () => {
    const managed = { auth: { scheme: 'query', name: 'key' } };
    const user = { auth: { scheme: 'header', name: 'X-Key', prefix: 'Key ' } };
    expect(layerSettings({ managed, user }).values).toEqual(managed);
  });

  it('that an object inherits is none', () => {
    expect(withValue({}, ['constructor', 'a'], 1)).toEqual({ constructor: { a: 1 } });
    expect(leavesOf(JSON.parse('{"__proto__": {"a": 1}}'))).toEqual([{ path: ['__proto__', 'a'], value: 1 }]);
  });
});
