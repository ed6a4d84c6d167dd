import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUploadReads } from '../../../../electron/agent/calls/upload-reads.ts';
import { problemLines } from '../../../../electron/agent/calls/diagnostics-bundle.ts';
import {
  clipRow,
  failureOf,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

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
    'clip clip-1, incident incident-1, a<U+202E>b.mp4, 100 B, 0 tries counted, STORAGE_DENIED',
    '  1970-01-01T00:00:00.000Z queued',
    '  1970-01-01T00:00:01.000Z try given-up, STORAGE_DENIED, HTTP 403, x-amz-request-id=R1',
    'uploading: 0',
    'waiting: 1',
    'clip clip-2, incident incident-1, waits.mp4, 100 B, 0 tries counted',
    '  1970-01-01T00:00:00.000Z queued',
    'paused: 0',
  ]);
});

it('stays small, however much waits and however long the names are', () => {
  for (let number = 0; number < 500; number += 1) {
    const id = `clip-${number}`;
    add(id, `${String(number).padStart(200, 'x')}.mp4`);
    for (let at = 0; at < 40; at += 1) queue.tables.history.clip(id, { at, facts: { kind: 'retried' } });
  }
  const lines = linesNow();
  expect(lines).toContain('waiting: 500');
  expect(lines.length).toBeLessThan(40 * 14 + 10);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(200);
});
