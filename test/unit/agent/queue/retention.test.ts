import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHealthReads, createSummaryReads } from '../../../../electron/agent/store/status-reads.ts';
import { createRetention } from '../../../../electron/agent/queue/retention.ts';
import { createServiceClock } from '../../../../electron/agent/service/service-clock.ts';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import type { Clock } from '../../../../electron/agent/ports.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import {
  clipRow,
  createKeptLog,
  failureOf,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 5, 1);
const OLD = NOW - 91 * DAY_MS;

let queue: QueueFixture;
beforeEach(async () => {
  queue = await openQueue();
});
afterEach(() => queue.close());

/** An incident that was created, sent and recorded at that time. */
function addFinished(id: string, at: number, clips = 2): void {
  const { tables } = queue;
  tables.incidents.insert(incidentRow({ id, exportPath: id, createdAt: at, birthMs: at }));
  tables.incidents.checked(id, at, null, null);
  tables.history.incident(id, { at, facts: { kind: 'queued' } });
  for (let number = 1; number <= clips; number += 1) {
    const clip = `${id}-${number}`;
    tables.clips.insert(clipRow({ id: clip, incidentId: id, path: `${number}.mp4`, createdAt: at }));
    tables.history.clip(clip, { at, facts: { kind: 'queued' } });
    tables.clips.uploaded(clip, `key-${clip}`, 'abc', at);
  }
  tables.incidents.synced(id, at, 1, '{}');
}

function fail(clip: string, code: FailureCode): void {
  queue.tables.clips.failed(clip, JSON.stringify(failureOf(code)));
  queue.tables.jobs.put(jobRow({ subject: clip, incidentId: clip.slice(0, -2) }));
  queue.tables.jobs.fail(queue.tables.jobs.of('send-clip', clip)?.id ?? 0, '{}');
}

function open(
  more: {
    readonly incidentsDays?: number;
    readonly auditMonths?: number;
    readonly date?: string;
    readonly onRest?: (rests: number) => unknown;
  } = {},
) {
  const waits: number[] = [];
  const removed: string[] = [];
  const notes: string[] = [];
  const { tables } = queue;
  const clock: Clock = {
    now: () => NOW,
    monotonic: () => 0,
    random: () => 0,
    after: () => () => undefined,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      const rests = waits.push(ms);
      more.onRest?.(rests);
    },
  };
  const serviceClock = createServiceClock(clock, new AgentEvents());
  serviceClock.observe(more.date ?? new Date(NOW).toUTCString());
  const retention = createRetention({
    tables,
    clock,
    logger: createKeptLog(),
    periods: { incidentsDays: more.incidentsDays ?? 90, auditMonths: more.auditMonths ?? 24 },
    serviceClock,
    trail: {
      note(action, detail) {
        notes.push(action);
        tables.audit.add({ at: NOW, account: '', action, detail: JSON.stringify(detail) });
      },
    },
    removeThumbnail: async (clipId) => void removed.push(clipId),
  });
  return { retention, waits, removed, notes, pass: () => retention.pass(new AbortController().signal) };
}

const incidents = () => queue.db.prepare<[], string>('SELECT id FROM incidents ORDER BY id').pluck().all();
const count = (table: string) => queue.db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();

describe('retention', () => {
  it('leaves an incident alone whose export is still to be taken out of its folder', async () => {
    addFinished('moved', OLD);
    addFinished('due', OLD);
    const row = { lookedAt: OLD, provedAt: OLD, nextAt: NOW, print: '', plan: null, reason: null };
    queue.tables.cleanUps.put({ incidentId: 'moved', state: 'done', ...row });
    queue.tables.cleanUps.put({ incidentId: 'due', state: 'proved', ...row });
    expect(await open().pass()).toBe(1);
    expect(incidents()).toEqual(['due']);
    expect(queue.tables.cleanUps.byId('moved')).toBeUndefined();
  });

  it('removes what was finished 90 days ago with all its rows, and keeps what is younger', async () => {
    addFinished('old', OLD);
    addFinished('young', NOW - 89 * DAY_MS);
    expect(await open().pass()).toBe(1);
    expect(incidents()).toEqual(['young']);
    expect([count('clips'), count('history'), count('incident_tallies')]).toEqual([2, 3, 1]);
    expect(queue.tables.clips.totals()).toMatchObject([{ state: 'uploaded', clips: 2 }]);
    expect(queue.db.pragma('foreign_key_check')).toEqual([]);
  });

  it('keeps when a clip was last sent, for the pages that say so', async () => {
    queue.tables.desk.identify({ deskId: 'desk', queueId: 'queue', starts: 1 });
    addFinished('older', OLD - DAY_MS);
    addFinished('old', OLD);
    expect(await open().pass()).toBe(2);
    expect(createHealthReads(queue.db).lastUploadedAt()).toBe(OLD);
    expect(createSummaryReads(queue.db)().lastSentAt).toBe(OLD);
    addFinished('older', OLD - DAY_MS);
    await open().pass();
    expect(createHealthReads(queue.db).lastUploadedAt()).toBe(OLD);
  });

  it('keeps what tells the files again: folder, birth, id and versions', async () => {
    addFinished('old', OLD);
    await open().pass();
    const { kept } = queue.tables;
    expect(kept.byExport('root-1', 'old', OLD)).toMatchObject({ incidentId: 'old', goneAt: null });
    expect(kept.clipsOf('old')).toEqual(
      ['1.mp4', '2.mp4'].map((path) => ({
        path,
        generation: 1,
        sizeBytes: 100,
        mtimeNs: '1700000000123456789',
        inode: '11',
        device: '22',
        ctimeNs: null,
      })),
    );
  });

  it.each<[string, () => unknown]>([
    ['a clip that waits', () => queue.tables.clips.requeue('old-1')],
    ['a record that is not sent', () => queue.tables.incidents.touch('old', OLD)],
    [
      'an upload that is to be aborted',
      () =>
        queue.tables.jobs.put(
          jobRow({ kind: 'abort-upload', subject: '1', pool: 'record', incidentId: 'old' }),
        ),
    ],
    ['a change since', () => queue.tables.incidents.synced('old', NOW - DAY_MS, 1, '{}')],
    ['a person who paused it', () => queue.tables.incidents.setPaused('old', true)],
    ['a clip that failed and waits for a person', () => fail('old-1', 'FILE_READ')],
  ])('keeps an incident with %s', async (_what, change) => {
    addFinished('old', OLD);
    change();
    expect([await open().pass(), incidents()]).toEqual([0, ['old']]);
  });

  it.each<FailureCode>(['CANCELLED', 'FILE_GONE'])(
    'removes an incident whose last clip ended as %s',
    async (code) => {
      addFinished('old', OLD);
      fail('old-1', code);
      expect([await open().pass(), incidents(), count('jobs')]).toEqual([1, [], 0]);
    },
  );

  it('never removes anything with 0 days, or while the time is not certain', async () => {
    addFinished('old', OLD);
    expect(await open({ incidentsDays: 0 }).pass()).toBe(0);
    expect(await open({ date: 'never' }).pass()).toBe(0);
    expect(incidents()).toEqual(['old']);
  });

  it('removes nothing that is old only by the clock of the service, or only by that of this PC', async () => {
    addFinished('young', NOW - DAY_MS);
    addFinished('old', OLD);
    for (let row = 0; row < 200; row += 1) queue.tables.audit.note(NOW, 'users.update', {});
    const yearsAhead = new Date(NOW + 3650 * DAY_MS).toUTCString();
    const yearsBehind = new Date(NOW - 3650 * DAY_MS).toUTCString();
    expect([await open({ date: yearsBehind }).pass(), incidents()]).toEqual([0, ['old', 'young']]);
    expect([await open({ date: yearsAhead }).pass(), incidents()]).toEqual([1, ['young']]);
    expect(queue.tables.audit.newest(1)).toMatchObject([{ action: 'users.update' }]);
  });

  it('takes a large incident a few clips at a time, and goes on after a stop in the middle', async () => {
    addFinished('old', OLD, 120);
    const stop = new AbortController();
    const desk = open();
    await expect(desk.retention.pass(AbortSignal.abort())).rejects.toThrow();
    expect([count('clips'), count('kept_clips'), incidents()]).toEqual([70, 50, ['old']]);
    expect(await desk.retention.pass(stop.signal)).toBe(1);
    expect([count('clips'), count('kept_clips'), incidents()]).toEqual([0, 120, []]);
    // Two more transactions, each with a pause
    expect(desk.waits).toEqual([50, 50]);
  });

  it.each<[string, number, () => unknown]>([
    [
      'gets a new clip',
      2,
      () => queue.tables.clips.insert(clipRow({ id: 'late', incidentId: 'next', path: 'late.mp4' })),
    ],
    ['is retried', 2, () => (fail('next-1', 'CANCELLED'), queue.tables.clips.requeue('next-1'))],
    ['is paused after some clips left', 120, () => queue.tables.incidents.setPaused('next', true)],
  ])('leaves an incident alone that %s in the middle of a pass', async (_what, clips, change) => {
    addFinished('first', OLD);
    addFinished('next', OLD + 1, clips);
    const restUntil = clips > 50 ? 2 : 1;
    const desk = open({ onRest: (rests) => rests === restUntil && change() });
    expect([await desk.pass(), incidents()]).toEqual([1, ['next']]);
    expect(count('clips')).toBeGreaterThanOrEqual(clips > 50 ? 70 : 2);
  });

  it('removes the files of thumbnails that were made here', async () => {
    addFinished('old', OLD);
    const image = { clipId: 'old-1', path: 'old-1.jpg', sizeBytes: 1, mtimeNs: '1', inode: '1', device: '1' };
    queue.tables.thumbnails.putMade({ ...image, serviceName: 'a.jpg', made: '{}', sha256: 'a' });
    const desk = open();
    await desk.pass();
    expect([desk.removed, count('thumbnails')]).toEqual([['old-1'], 0]);
  });

  it('forgets aborted uploads, and folders that have been gone for as long', async () => {
    const { tables } = queue;
    const orphan = {
      incidentId: 'i',
      clipId: 'c',
      storageKey: 'k',
      uploadId: 'u',
      reason: 'r',
      createdAt: OLD,
    };
    const ended = tables.orphans.insert(orphan);
    tables.orphans.end(ended, 'aborted', OLD);
    tables.orphans.insert(orphan);
    for (const id of ['gone', 'there']) addFinished(id, OLD);
    tables.incidents.setFolderGone('gone', true);
    await open().pass();
    expect([count('orphans'), count('kept_exports')]).toEqual([1, 2]);
    tables.kept.setGone(tables.kept.byIncident('gone')?.number ?? 0, OLD);
    await open().pass();
    expect([tables.kept.byIncident('gone'), count('kept_clips')]).toEqual([undefined, 2]);
    expect(tables.kept.byIncident('there')).toBeDefined();
  });

  it('removes audit rows after 24 months, and notes that in the trail', async () => {
    const add = (at: number) =>
      queue.tables.audit.add({ at, account: '', action: 'users.remove', detail: '{}' });
    for (let number = 0; number < 450; number += 1) add(NOW - 731 * DAY_MS);
    add(NOW);
    const desk = open();
    await desk.pass();
    // 450 old rows in steps of 200; the last 50 are too few for a note of their own
    expect([desk.notes, count('audit')]).toEqual([['audit.trimmed', 'audit.trimmed'], 53]);
    await open({ auditMonths: 0 }).pass();
    expect(count('audit')).toBe(53);
  });
});
