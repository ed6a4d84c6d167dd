import { expect, it } from 'vitest';
import { homedir } from 'node:os';
import { secretForms } from '../../../../electron/agent/core/text/redact.ts';
import { makeBundle } from '../../../../electron/agent/calls/make-bundle.ts';
import type { Health } from '../../../../shared/domain/health.ts';

const KEY = 'canary/8f3e+1d=0815';
const health: Health = {
  versions: { agent: '0.1.0', node: '24', sqlite: '3' },
  startedAt: '2026-05-01T18:00:00.000Z',
  isPaused: false,
  pausedCircuits: [],
  clockSkewMs: 0,
  roots: [{ path: `${homedir()}/exports`, isOnline: true, settling: 0 }],
  queue: {
    incidents: 1,
    unsynced: 0,
    waiting: 0,
    uploaded: 2,
    failed: 0,
    waitingBytes: 0,
    databaseBytes: 4096,
  },
};
const bundleWith = (text: string) =>
  makeBundle(
    {
      health,
      settings: { baseUrl: 'https://api.example.com/v1', note: text },
      key: { isSet: true, fingerprint: '0badf00d', keptIn: 'file' },
      checks: [{ name: 'service', state: 'failed', text }],
      uploads: [`failed: 1`, `clip clip-1, incident incident-1, ${text}`],
      audit: ['1 rows, whole', `1 2026-05-01T18:00:00.000Z users.remove {"userId":"${text}"} 5eed`],
      log: [
        {
          number: 1,
          at: '2026-05-01T18:00:00.000Z',
          level: 'warn',
          message: text,
          fields: `{"a":"${text}"}`,
        },
      ],
    },
    { apiKey: () => Promise.resolve(KEY) },
  );

it('the key is nowhere in a bundle, in none of its forms', async () => {
  for (const form of [KEY, ...secretForms(KEY)]) {
    const all = (await bundleWith(`seen ${form} there`)).map(({ text }) => text).join('');
    expect(all).toContain('seen');
    for (const each of secretForms(KEY)) expect(all).not.toContain(each);
  }
});

it('signed addresses lose their query, people their numbers and mail, the home folder its name', async () => {
  const files = await bundleWith(
    'https://s3.example/x?X-Amz-Signature=abc for +14155550123 and ada@example.com',
  );
  const all = files.map(({ text }) => text).join('');
  expect(all).not.toMatch(/X-Amz-Signature=abc|4155550123|ada@|0badf00d/);
  expect(all).not.toContain(homedir());
  expect(all).toContain('~/exports');
});

it('each file is named and says what it is for', async () => {
  const files = await bundleWith('x');
  expect(files.map(({ name }) => name)).toEqual([
    'about.json',
    'settings.json',
    'key.json',
    'checks.txt',
    'health.json',
    'uploads.txt',
    'audit.txt',
    'log.txt',
  ]);
  expect(files.at(-1)?.text).toBe('2026-05-01T18:00:00.000Z WARN  x {"a":"x"}\n');
});
