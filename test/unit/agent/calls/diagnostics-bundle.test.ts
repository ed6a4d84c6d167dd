import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homedir } from 'node:os';
import { secretForms } from '../../../../electron/agent/core/text/redact.ts';
import { makeBundle, maskPersonal, problemLines } from '../../../../electron/agent/calls/health-reads.ts';
import type { Health } from '../../../../shared/domain/health.ts';
import { createUploadReads } from '../../../../electron/agent/calls/upload-reads.ts';
import {
  clipRow,
  failureOf,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

const KEY = 'canary/8f3e+1d=0815';
const health: Health = {
  versions: { agent: '0.1.0', node: '24', sqlite: '3' },
  startedAt: '2026-05-01T18:00:00.000Z',
  isPaused: false,
  pausedCircuits: [],
  proof: { problems: [] },
  findings: [],
  clockSkewMs: 0,
  answers: {},
  roots: [{ path: `${homedir()}/exports`, isOnline: true, settling: 0 }],
  exports: {
    held: 0,
    missing: 0,
    onHold: 0,
    ignored: 0,
    unrecognised: 0,
    reading: 0,
    writing: 0,
    settling: 0,
    copy: 0,
  },
  queue: {
    incidents: 1,
    unsynced: 0,
    refused: 0,
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
      audit: ['1 row, intact', `1 2026-05-01T18:00:00.000Z users.remove {"userId":"${text}"} 5eed`],
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

it('checklist 23: the key is nowhere in a bundle, in none of its forms', async () => {
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

describe('the lines about clips with problems', () => {
  let queue: QueueFixture;

  beforeEach(async () => {
    queue = await openQueue();
    queue.tables.incidents.insert(incidentRow());
  });
  afterEach(() => queue.close());

  function add(id: string, path: string): void {
    queue.tables.clips.insert(clipRow({ id, path }));
    queue.tables.jobs.put(jobRow({ subject: id }));
    queue.tables.history.clip(id, { at: 0, facts: { kind: 'queued' } });
  }
  const linesNow = () => problemLines(createUploadReads(queue.tables));

  it('names what failed and what waits, with codes, ids and the last events, and no messages', () => {
    add('clip-1', 'Gate 4/a\u202Eb.mp4');
    add('clip-2', 'waits.mp4');
    add('clip-3', 'sent.mp4');
    const failure = failureOf('STORAGE_DENIED', { message: 'Ada Lovelace is in a.mp4.' });
    const requestIds = [{ name: 'x-amz-request-id', value: 'R1' }];
    const reason = { code: 'STORAGE_DENIED', message: failure.message, status: 403, requestIds } as const;
    queue.tables.history.clip('clip-1', { at: 1_000, facts: { kind: 'tried', end: 'given-up', reason } });
    queue.tables.clips.failed('clip-1', JSON.stringify(failure));
    queue.tables.clips.uploaded('clip-3', 'key', null, 1);
    expect(linesNow()).toEqual([
      'failed: 1',
      'clip clip-1, incident incident-1, a<U+202E>b.mp4, 100 B, attempts: 0, STORAGE_DENIED',
      '  1970-01-01T00:00:00.000Z queued',
      '  1970-01-01T00:00:01.000Z try given-up, STORAGE_DENIED, HTTP 403, x-amz-request-id=R1',
      'uploading: 0',
      'waiting: 1',
      'clip clip-2, incident incident-1, waits.mp4, 100 B, attempts: 0',
      '  1970-01-01T00:00:00.000Z queued',
      'paused: 0',
    ]);
  });

  it('stays small, however much waits and however long the names are', () => {
    queue.tables.write(() => {
      for (let number = 0; number < 500; number += 1) {
        const id = `clip-${number}`;
        add(id, `${String(number).padStart(200, 'x')}.mp4`);
        for (let at = 0; at < 10; at += 1) queue.tables.history.clip(id, { at, facts: { kind: 'retried' } });
      }
    });
    const lines = linesNow();
    expect(lines).toContain('waiting: 500');
    expect(lines.length).toBeLessThan(40 * 14 + 10);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(200);
  });
});

describe('personal data', () => {
  it.each([
    ['{"phone":"+14155550123"}', '{"phone":"[phone]"}'],
    ['call +44 7700 900-123 now', 'call [phone] now'],
    ['from ada.lovelace+x@mail.example.co.uk.', 'from [mail].'],
    ['2026-05-01T19:30:05+0100 20260501', '2026-05-01T19:30:05+0100 20260501'],
    ['sha 9f2c41aa0815 size 12345678', 'sha 9f2c41aa0815 size 12345678'],
  ])('%s becomes %s', (text, masked) => {
    expect(maskPersonal(text)).toBe(masked);
  });
});
