import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import { createIncidentQueue, createThumbnailJobs } from '../../../../electron/agent/queue/incident-jobs.ts';
import {
  CLIPS_AT_ONCE,
  sliceTarget,
  createUploadCommands,
  type UploadCommands,
} from '../../../../electron/agent/queue/upload-commands.ts';
import { RETRY_AT_ONCE } from '../../../../electron/agent/queue/retry-clips.ts';
import { parseFailure } from '../../../../electron/agent/store/json-columns.ts';
import { createClipResults } from '../../../../electron/agent/queue/clip-results.ts';
import { createTransferMeter } from '../../../../electron/agent/upload/transfer-meter.ts';
import { clipRow, failureOf, incidentRow, jobRow, multipartRow } from '../../../helpers/queue-fixture.ts';
import { testWorker, until, useRunnerDesk, type TestWorker } from '../../../helpers/runner-desk.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const desk = useRunnerDesk();
const told: AgentEvent[] = [];
const byName = (...clipIds: string[]) => ({ kind: 'clips', clipIds }) as const;
const incident = { kind: 'incident', incidentId: 'incident-1' } as const;

/** A worker whose jobs run until they are stopped. */
const runs = (): TestWorker =>
  testWorker(
    (_row, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'interrupted' }))),
    { slots: 1, batchSize: 1 },
  );

const removePicture = async (): Promise<void> => undefined;

function startWith(clipIds: readonly string[], worker = runs()): UploadCommands {
  const { tables } = desk().queue;
  const { clock } = desk();
  tables.desk.identify({ deskId: 'desk-1', queueId: 'queue-1', starts: 1 });
  tables.incidents.insert(incidentRow());
  tables.incidents.checked('incident-1', 1, null, null);
  for (const id of clipIds) {
    tables.clips.insert(clipRow({ id, path: id }));
    tables.jobs.put(jobRow({ subject: id }));
  }
  told.length = 0;
  const events = new AgentEvents();
  events.on((event) => void told.push(event));
  const queue = createIncidentQueue(tables, clock, 'progressive');
  const facts = createClipResults({
    tables,
    queue,
    events,
    meter: createTransferMeter(createFakeClock()),
    thumbnailJobs: createThumbnailJobs(tables, clock, false),
    clock,
  });
  return createUploadCommands({
    tables,
    runner: desk().start(worker),
    results: facts,
    clock,
    removeThumbnail: removePicture,
  });
}
const running = (count: number) => until(() => expect(desk().runner?.active()).toBe(count));
const clip = (id: string) => desk().queue.tables.clips.byId(id);
const codeOf = (id: string) => parseFailure(clip(id)?.failure ?? null)?.code;

describe('pause and resume', () => {
  it('count the clips that they change, and stop what runs', async () => {
    const orders = startWith(['a', 'b', 'c']);
    await running(1);
    desk().queue.tables.clips.uploaded('c', 'key', null, 1);
    expect(await orders.pause(incident)).toEqual({ ok: true, value: { changed: 2 } });
    expect(desk().runner?.active()).toBe(0);
    expect(await orders.pause(byName('a'))).toEqual({ ok: true, value: { changed: 0 } });
    expect(await orders.resume(byName('b'))).toEqual({ ok: true, value: { changed: 1 } });
    await running(1);
    expect(desk().job('b')?.state).toBe('leased');
    expect(await orders.resume(incident)).toEqual({ ok: true, value: { changed: 1 } });
  });

  it('of all keep apart what was paused by its own name', async () => {
    const orders = startWith(['a', 'b']);
    await orders.pause(byName('a'));
    expect(await orders.pause({ kind: 'all' })).toEqual({ ok: true, value: { changed: 1 } });
    expect(await orders.pause({ kind: 'all' })).toEqual({ ok: true, value: { changed: 0 } });
    expect([desk().runner?.active(), desk().queue.another().tables.desk.isPaused()]).toEqual([0, true]);
    expect(await orders.resume({ kind: 'all' })).toEqual({ ok: true, value: { changed: 1 } });
    await running(1);
    expect([desk().job('a')?.state, desk().job('b')?.state]).toEqual(['ready', 'leased']);
  });
});

describe('an order about a large incident', () => {
  const ids = Array.from({ length: 2 * CLIPS_AT_ONCE + 1 }, (_, index) => `clip-${index}`);
  const read = (sql: string) => desk().queue.another().db.prepare(sql).pluck().get();
  const heldCount = () => read('SELECT count(*) FROM clips WHERE held = 1');

  it('lets other work in between, and has changed all of it in the end', async () => {
    const orders = startWith(ids);
    const paused = orders.pause(incident);
    await nextTurn();
    expect(heldCount()).toBe(CLIPS_AT_ONCE);
    expect(read('SELECT paused FROM incidents')).toBe(1);
    expect(await paused).toEqual({ ok: true, value: { changed: ids.length } });
    expect(heldCount()).toBe(ids.length);
    expect(desk().queue.tables.history.ofClip('clip-7').at(-1)?.facts).toEqual({
      kind: 'paused',
      by: 'incident',
    });
    expect(await orders.resume(incident)).toEqual({ ok: true, value: { changed: ids.length } });
    expect(heldCount()).toBe(0);
  });

  it('goes on where a kill in the middle left it when it is given again', async () => {
    const { tables } = desk().queue;
    const orders = startWith(ids);
    const [first] = sliceTarget(tables, incident);
    if (first === undefined) throw new Error('There is no first piece');
    // State stored by the first transaction of the killed command
    tables.incidents.setPaused('incident-1', true);
    tables.jobs.pauseSends(first);
    tables.clips.pause(first);
    expect(await orders.pause(incident)).toEqual({ ok: true, value: { changed: CLIPS_AT_ONCE + 1 } });
    expect(heldCount()).toBe(ids.length);
  });

  it('tries it again slice by slice', async () => {
    const orders = startWith(ids);
    const { tables } = desk().queue;
    await orders.cancel(incident);
    tables.write(() => ids.forEach((id) => tables.clips.failed(id, JSON.stringify(failureOf('FILE_READ')))));
    const failedCount = () => Number(read("SELECT count(*) FROM clips WHERE state = 'failed'"));
    const retried = orders.retry(incident);
    await nextTurn();
    expect(failedCount()).toBeGreaterThan(ids.length - 3 * RETRY_AT_ONCE);
    expect(failedCount()).toBeLessThan(ids.length);
    expect(await retried).toEqual({ ok: true, value: { retried: ids.length, skipped: 0, incidents: 0 } });
    expect(failedCount()).toBe(0);
  });

  it('moves all of it before the rest, in the order in which it waited', async () => {
    const orders = startWith(ids);
    const { tables } = desk().queue;
    tables.incidents.insert(incidentRow({ id: 'incident-2', exportPath: 'x' }));
    tables.clips.insert(clipRow({ id: 'other', incidentId: 'incident-2', path: 'other' }));
    tables.jobs.put(jobRow({ subject: 'other', incidentId: 'incident-2' }));
    await orders.moveToFront(byName('other'));
    expect(await orders.moveToFront(incident)).toMatchObject({ ok: true });
    const places = new Set(ids.map((id) => desk().job(id)?.priority));
    expect(places.size).toBe(1);
    expect([...places][0]).toBeLessThan(desk().job('other')?.priority ?? 0);
  });

  it.each([0, 1, 5, CLIPS_AT_ONCE - 1, CLIPS_AT_ONCE, CLIPS_AT_ONCE + 1, 2 * CLIPS_AT_ONCE])(
    'is about each of %d clips once',
    (count) => {
      startWith(ids.slice(0, count));
      const pieces = [...sliceTarget(desk().queue.tables, incident)];
      const found = pieces.flatMap((scope) => (scope.kind === 'clips' ? scope.clipIds : ids.slice(0, count)));
      expect(found.toSorted()).toEqual(ids.slice(0, count).toSorted());
    },
  );
});

describe('cancel', () => {
  it('fails what waits and what runs, in one transaction with jobs, orphan, thumbnail and record', async () => {
    const orders = startWith(['a', 'b']);
    const { tables } = desk().queue;
    await running(1);
    tables.multiparts.insert(multipartRow({ clipId: 'a' }));
    const image = { sizeBytes: 5, mtimeNs: '1', inode: '1', device: '1', serviceName: 's' };
    tables.thumbnails.put({ clipId: 'b', path: 'b.jpg', ...image });
    tables.jobs.put(jobRow({ kind: 'send-thumbnail', subject: 'b' }));
    expect(await orders.cancel(incident)).toEqual({ ok: true, value: { changed: 2 } });
    expect([codeOf('a'), codeOf('b')]).toEqual(['CANCELLED', 'CANCELLED']);
    expect([desk().job('a')?.state, desk().job('b')?.state]).toEqual(['failed', 'failed']);
    expect(tables.multiparts.byClip('a')).toBeUndefined();
    expect(tables.orphans.byId(1)).toMatchObject({ uploadId: 'upload-1', reason: 'CANCELLED' });
    expect(tables.jobs.of('abort-upload', '1')?.state).toBe('ready');
    expect(tables.thumbnails.byClip('b')?.state).toBe('failed');
    expect(tables.jobs.of('put-incident', 'incident-1')?.state).toBe('ready');
    expect(told.map(({ event }) => event)).toEqual(['clip.failed', 'clip.failed']);
  });

  it('leaves what is uploaded or has failed for a reason of its own', async () => {
    const orders = startWith(['a', 'b', 'c']);
    const { tables } = desk().queue;
    await orders.pause({ kind: 'all' });
    tables.clips.uploaded('a', 'key', null, 1);
    tables.clips.failed('b', JSON.stringify(failureOf('FILE_EMPTY')));
    expect(await orders.cancel(byName('a', 'b', 'c'))).toEqual({ ok: true, value: { changed: 1 } });
    expect(['a', 'b', 'c'].map((id) => [clip(id)?.state, codeOf(id)])).toEqual([
      ['uploaded', undefined],
      ['failed', 'FILE_EMPTY'],
      ['failed', 'CANCELLED'],
    ]);
  });

  it('gives up more clips than one transaction takes', async () => {
    const ids = Array.from({ length: 450 }, (_, index) => `clip-${index}`);
    const orders = startWith(ids);
    expect(await orders.cancel(incident)).toEqual({ ok: true, value: { changed: 450 } });
    expect(desk().queue.tables.clips.pending('incident-1')).toBe(0);
  });

  it('holds what runs before it waits for it, so that a kill leaves it paused and nothing is lost', async () => {
    const stuck = Promise.withResolvers<void>();
    const worker = testWorker(() => stuck.promise.then(() => ({ kind: 'interrupted' })));
    const orders = startWith(['a'], worker);
    await running(1);
    const cancelled = orders.cancel(incident);
    await until(() => expect(desk().job('a')?.pool).toBe('held-small'));
    // What a start does after the kill
    const { tables } = desk().queue.another();
    expect(tables.clips.byId('a')?.state).toBe('queued');
    expect(tables.jobs.freeLeasesOfOthers('next life')).toBe(1);
    expect(tables.jobs.claim('small', 1, 'next life', 0)).toEqual([]);
    stuck.resolve();
    expect(await cancelled).toEqual({ ok: true, value: { changed: 1 } });
  });

  it('is finished before the next order begins', async () => {
    const orders = startWith(['a']);
    await running(1);
    const [cancelled, resumed] = await Promise.all([orders.cancel(incident), orders.resume(incident)]);
    expect([cancelled, resumed]).toMatchObject([{ value: { changed: 1 } }, { value: { changed: 0 } }]);
    expect(clip('a')?.state).toBe('failed');
  });

  it('is undone by trying the clip again by its own id only', async () => {
    const orders = startWith(['a']);
    await orders.cancel(incident);
    for (const target of [{ kind: 'all' }, incident] as const)
      expect(await orders.retry(target)).toEqual({
        ok: true,
        value: { retried: 0, skipped: 1, incidents: 0 },
      });
    expect(await orders.retry(byName('a'))).toEqual({
      ok: true,
      value: { retried: 1, skipped: 0, incidents: 0 },
    });
    await running(1);
    expect(desk().job('a')).toMatchObject({ state: 'leased', pool: 'small' });
  });
});

describe('an order about an unknown id', () => {
  it.each(['pause', 'resume', 'cancel', 'moveToFront', 'retry'] as const)(
    'input G6: %s says which, and changes nothing',
    async (order) => {
      const orders = startWith(['a']);
      const answer = await orders[order](byName('a', 'nobody'));
      expect(answer).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
      expect(answer.ok ? '' : answer.error.message).toContain('nobody');
      expect(clip('a')?.state).toBe('queued');
      expect(desk().job('a')).toMatchObject({ pool: 'small', priority: 50 });
      expect(await orders[order]({ kind: 'incident', incidentId: 'a' })).toMatchObject({ ok: false });
    },
  );
});

it('moving to the front counts what waits', async () => {
  const orders = startWith(['a', 'b']);
  desk().queue.tables.clips.uploaded('a', 'key', null, 1);
  expect(await orders.moveToFront(byName('a', 'b'))).toEqual({ ok: true, value: { changed: 1 } });
  expect(desk().job('b')?.priority).toBe(-1);
});
