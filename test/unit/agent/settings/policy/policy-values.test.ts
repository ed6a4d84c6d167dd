import { expect, it } from 'vitest';
import { groupValues, readGroup } from '../../../../../electron/agent/settings/policy/policy-values.ts';

it.each<[string, unknown, unknown]>([
  ['upload.concurrentFiles', 4, { upload: { concurrentFiles: 4 } }],
  ['upload.concurrentFiles', '4', { upload: { concurrentFiles: 4 } }],
  ['UPLOAD.CONCURRENTFILES', '4', { upload: { concurrentFiles: 4 } }],
  ['upload.concurrentFiles', 'four', { upload: { concurrentFiles: 'four' } }],
  ['upload.maxBytesPerSecond', 'null', { upload: { maxBytesPerSecond: null } }],
  ['upload.maxBytesPerSecond', '500000', { upload: { maxBytesPerSecond: 500_000 } }],
  ['upload.onBattery', '500000', { upload: { onBattery: 500_000 } }],
  ['upload.onBattery', 'pause', { upload: { onBattery: 'pause' } }],
  ['upload.onMetered', '500000', { upload: { onMetered: 500_000 } }],
  ['upload.hosts', ['a.example'], { upload: { hosts: ['a.example'] } }],
  ['upload.hosts', '["a.example"]', { upload: { hosts: ['a.example'] } }],
  ['updates.enabled', 0, { updates: { enabled: false } }],
  ['updates.enabled', 'True', { updates: { enabled: true } }],
  ['updates.enabled', 2, { updates: { enabled: 2 } }],
  ['watch', '[{"path": "C:\\\\exports"}]', { watch: [{ path: 'C:\\exports' }] }],
  ['watch', '[{"path":', { watch: '[{"path":' }],
  ['auth', '{"scheme": "bearer"}', { auth: { scheme: 'bearer' } }],
  ['auth.scheme', 'bearer', { auth: { scheme: 'bearer' } }],
  ['baseUrl', '0', { baseUrl: '0' }],
  ['incident.publish', 'progressive', { incident: { publish: 'progressive' } }],
  ['uplaod.hosts', 'x', { uplaod: { hosts: 'x' } }],
])('%s %j becomes what stands in a configuration', (name, value, group) => {
  expect(groupValues([[name, value]])).toEqual({ ok: true, value: group });
});

it('names that share a group are put together, and one that is a value and a group is named', () => {
  expect(
    groupValues([
      ['upload.concurrentFiles', 1],
      ['upload.concurrentParts', 2],
      ['baseUrl', 'x'],
    ]),
  ).toEqual({
    ok: true,
    value: { upload: { concurrentFiles: 1, concurrentParts: 2 }, baseUrl: 'x' },
  });
  expect(
    groupValues([
      ['upload', '{}'],
      ['upload.concurrentParts', 2],
    ]),
  ).toEqual({ ok: false, error: 'upload' });
});

it('groups that came nested are read the same way as dotted names', () => {
  const nested = {
    upload: { concurrentFiles: '3', hosts: ['a'] },
    auth: { scheme: 'header', name: 'X' },
    'users.updateMethod': 'PUT',
  };
  expect(readGroup(nested)).toEqual({
    ok: true,
    value: {
      upload: { concurrentFiles: 3, hosts: ['a'] },
      auth: { scheme: 'header', name: 'X' },
      users: { updateMethod: 'PUT' },
    },
  });
});

it('a name that every object inherits is a name like any other', () => {
  const read = groupValues([
    ['__proto__.polluted', 1],
    ['constructor', 2],
  ]);
  expect(read).toMatchObject({ ok: true });
  expect(read.ok && Object.keys(read.value)).toEqual(['__proto__', 'constructor']);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
