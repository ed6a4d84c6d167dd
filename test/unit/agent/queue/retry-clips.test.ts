import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RETRY_AT_ONCE, retryClips, retryTarget } from '../../../../electron/agent/queue/retry-clips.ts';
import { clipRow, jobRow, type QueueFixture } from '../../../helpers/queue-fixture.ts';
import { failedClips, openTwoIncidents } from '../../../helpers/failed-clips.ts';

let queue: QueueFixture;
const { addFailed, stateOf, clock, all, one } = failedClips(() => queue);

beforeEach(async () => {
  queue = await openTwoIncidents();
});
afterEach(() => queue.close());

describe('what is tried again', () => {
  it.each([
    ['BYTES_DAMAGED', true, ['queued', 'ready']],
    ['FILE_NO_ACCESS', true, ['queued', 'ready']],
    ['FILE_EMPTY', false, ['queued', 'ready']],
    ['FILE_TOO_LARGE', false, ['failed', 'failed']],
    ['STORAGE_DENIED', false, ['queued', 'ready']],
    ['NOT_FOUND', false, ['queued', 'ready']],
    ['FILE_GONE', false, ['failed', 'failed']],
    ['CANCELLED', false, ['failed', 'failed']],
  ] as const)(
    'for all, a clip that failed with %s (retryable: %s) is %o',
    async (code, retryable, states) => {
      addFailed('clip', code, retryable);
      const retried = states[0] === 'queued' ? 1 : 0;
      expect(await all()).toEqual({ ok: true, value: { retried, skipped: 1 - retried, incidents: 0 } });
      expect(stateOf('clip')).toEqual(states);
    },
  );

  it('tries a clip named by its own id whatever its reason', async () => {
    addFailed('clip', 'FILE_TOO_LARGE', false);
    expect(await one('clip')).toEqual({ ok: true, value: { retried: 1, skipped: 0, incidents: 0 } });
    expect(stateOf('clip')).toEqual(['queued', 'ready']);
  });

  it('tries the clips of one incident, and no others', async () => {
    addFailed('mine', 'BYTES_DAMAGED', true);
    addFailed('hopeless', 'CANCELLED', false);
    addFailed('other', 'BYTES_DAMAGED', true, 'incident-2');
    expect(await one('incident-1')).toEqual({ ok: true, value: { retried: 1, skipped: 1, incidents: 0 } });
    expect(['mine', 'hopeless', 'other'].map((id) => stateOf(id)[0])).toEqual(['queued', 'failed', 'failed']);
  });

  it('leaves clips alone that are uploaded or on their way', async () => {
    queue.tables.clips.insert(clipRow({ id: 'done', path: 'done' }));
    queue.tables.clips.uploaded('done', 'key', null, 1);
    queue.tables.clips.insert(clipRow({ id: 'queued', path: 'queued' }));
    for (const id of ['done', 'queued', 'incident-1'])
      expect(await one(id)).toEqual({ ok: true, value: { retried: 0, skipped: 0, incidents: 0 } });
    expect(queue.tables.clips.byId('done')?.state).toBe('uploaded');
  });

  it('takes the failed thumbnail of a clip along', async () => {
    addFailed('clip', 'BYTES_DAMAGED', true);
    const { thumbnails, jobs } = queue.tables;
    thumbnails.put({
      clipId: 'clip',
      path: 'a.jpg',
      serviceName: 'a.jpg',
      sizeBytes: 1,
      mtimeNs: '1',
      inode: '1',
      device: '1',
    });
    thumbnails.failed('clip', '{}');
    jobs.put(jobRow({ kind: 'send-thumbnail', subject: 'clip' }));
    jobs.fail(jobs.of('send-thumbnail', 'clip')?.id ?? 0, '{}');
    await all();
    expect(thumbnails.byClip('clip')?.state).toBe('queued');
    expect(jobs.of('send-thumbnail', 'clip')?.state).toBe('ready');
  });

  it.each([
    ['all', all],
    ['its incident', () => one('incident-1')],
  ])('tells a record again that the service had refused, with %s', async (_what, retry) => {
    const { jobs } = queue.tables;
    for (const kind of ['put-incident', 'check-incident'] as const) {
      jobs.put(jobRow({ kind, subject: 'incident-1', pool: 'record' }));
      jobs.fail(jobs.of(kind, 'incident-1')?.id ?? 0, '{}');
    }
    expect(await retry()).toEqual({ ok: true, value: { retried: 0, skipped: 0, incidents: 1 } });
    for (const kind of ['put-incident', 'check-incident'] as const)
      expect(jobs.of(kind, 'incident-1')?.state).toBe('ready');
  });

  it('says that an id is unknown', async () => {
    expect(await one('nothing')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });
});

describe('trying an incident again that is large', () => {
  const ids = Array.from({ length: 2 * RETRY_AT_ONCE + 50 }, (_, at) => `clip-${at}`);
  const target = { kind: 'incident', incidentId: 'incident-1' } as const;
  const queued = () => ids.filter((id) => queue.tables.clips.byId(id)?.state === 'queued').length;
  const addAll = () => queue.tables.write(() => ids.forEach((id) => addFailed(id, 'BYTES_DAMAGED', true)));

  it.each([
    ['all', { kind: 'all' }],
    ['the incident', { kind: 'id', id: 'incident-1' }],
  ] as const)('goes in slices between which a running agent writes, with %s', async (_what, request) => {
    addAll();
    const seen: number[] = [];
    const sleep = async (): Promise<void> => {
      queue.tables.write(() => queue.tables.clips.setFailure('clip-0', '{}'));
      seen.push(queued());
    };
    expect(await retryClips(queue.dir, request, { ...clock, sleep })).toEqual({
      ok: true,
      value: { retried: ids.length, skipped: 0, incidents: 0 },
    });
    expect(seen).toEqual([RETRY_AT_ONCE, 2 * RETRY_AT_ONCE]);
    expect(queued()).toBe(ids.length);
  });

  it('is finished by the same order after a kill in the middle', async () => {
    addAll();
    const { another } = queue;
    const killed = retryTarget(another().tables, target, {
      nowMs: 5_000,
      rest: () => Promise.reject(new Error('killed')),
    });
    await expect(killed).rejects.toThrow('killed');
    expect(queued()).toBe(RETRY_AT_ONCE);
    expect(await one('incident-1')).toMatchObject({ value: { retried: ids.length - RETRY_AT_ONCE } });
    expect(ids.map((id) => stateOf(id).join(' ')).filter((state) => state !== 'queued ready')).toEqual([]);
    const retries = ids.map((id) => queue.tables.history.ofClip(id).length);
    expect(new Set(retries)).toEqual(new Set([1]));
  });

  it('leaves a clip alone that the agent has sent meanwhile', async () => {
    addAll();
    const last = ids.at(-1) ?? '';
    const sleep = async (): Promise<void> => void queue.tables.clips.uploaded(last, 'key', null, 1);
    await retryClips(queue.dir, { kind: 'id', id: 'incident-1' }, { ...clock, sleep });
    expect([queued(), queue.tables.clips.byId(last)?.state]).toEqual([ids.length - 1, 'uploaded']);
  });

  it('asks what the service has before the last clip is back', async () => {
    addAll();
    const { jobs } = queue.tables;
    jobs.put(jobRow({ kind: 'check-incident', subject: 'incident-1', pool: 'record' }));
    jobs.fail(jobs.of('check-incident', 'incident-1')?.id ?? 0, '{}');
    const states = new Set<string | undefined>();
    const sleep = async (): Promise<void> => void states.add(jobs.of('check-incident', 'incident-1')?.state);
    await retryClips(queue.dir, { kind: 'id', id: 'incident-1' }, { ...clock, sleep });
    expect([...states]).toEqual(['ready']);
  });
});

describe('retryClips', () => {
  it('works beside the agent, which sees the change', async () => {
    addFailed('clip', 'BYTES_DAMAGED', true);
    const before = queue.tables.dataVersion();
    expect(await retryClips(queue.dir, { kind: 'all' }, clock)).toEqual({
      ok: true,
      value: { retried: 1, skipped: 0, incidents: 0 },
    });
    expect(stateOf('clip')).toEqual(['queued', 'ready']);
    expect(queue.tables.dataVersion()).not.toBe(before);
  });

  it('makes no database where there is none', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'retry-'));
    try {
      expect(await retryClips(dir, { kind: 'all' }, clock)).toEqual({
        ok: true,
        value: { retried: 0, skipped: 0, incidents: 0 },
      });
      expect(await retryClips(dir, { kind: 'id', id: 'a' }, clock)).toMatchObject({
        error: { code: 'NOT_FOUND' },
      });
      expect(await readdir(dir)).toEqual([]);
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('says that a database is damaged', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'retry-'));
    try {
      await writeFile(join(dir, 'queue.db'), 'no database '.repeat(100));
      expect(await retryClips(dir, { kind: 'all' }, clock)).toMatchObject({
        ok: false,
        error: { code: 'DB_BROKEN' },
      });
    } finally {
      await rm(dir, { recursive: true });
    }
  });
});
