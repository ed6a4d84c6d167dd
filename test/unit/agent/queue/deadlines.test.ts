import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../electron/agent/events.ts';
import { createDeadlines } from '../../../../electron/agent/queue/deadlines.ts';
import {
  clipRow,
  createKeptLog,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.UTC(2026, 5, 1, 12);
const MB = 1_000_000;

let queue: QueueFixture;
beforeEach(async () => {
  queue = await openQueue();
});
afterEach(() => queue.close());

/** An incident whose folder was created this many days ago, with a waiting clip. */
function addWaiting(id: string, days: number, sizeBytes = MB): void {
  const { tables } = queue;
  const createdAt = NOW - days * DAY_MS;
  tables.incidents.insert(incidentRow({ id, exportPath: id, title: id, birthMs: createdAt, createdAt }));
  tables.clips.insert(clipRow({ id: `${id}-1`, incidentId: id, sizeBytes, createdAt }));
  tables.jobs.put(jobRow({ subject: `${id}-1`, incidentId: id }));
}

function open(keepsDays?: number) {
  const { tables } = queue;
  const events: AgentEvent[] = [];
  const notes: [string, object][] = [];
  const changed: string[] = [];
  const meter = { sent: 0, inFlight: 1 };
  let nowMs = NOW;
  const stopping = new AbortController();
  const sleeps: (() => void)[] = [];
  const deadlines = createDeadlines({
    tables,
    clock: {
      now: () => nowMs,
      monotonic: () => nowMs,
      random: () => 0,
      after: () => () => undefined,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        await new Promise<void>((go) => void sleeps.push(go));
        nowMs += ms;
      },
    },
    logger: createKeptLog(),
    events: { emit: (event) => void events.push(event) },
    signals: { changed: (subject) => void changed.push(subject) },
    trail: { note: (action, detail) => void notes.push([action, detail]) },
    meter: { totalSentBytes: () => meter.sent, inFlightBytes: () => meter.inFlight },
    line: {
      limitNow: () => 'full',
      timeZone: 'UTC',
      upload: { schedule: [], maxBytesPerSecond: null },
    },
    roots: [{ settings: { path: '/exports', ...(keepsDays !== undefined && { keepsDays }) } }],
    rootIdFor: () => incidentRow({}).rootId,
    stopping: stopping.signal,
  });
  return {
    deadlines,
    events,
    notes,
    changed,
    meter,
    stopping,
    sleeps,
    look: () => deadlines.look(new AbortController().signal),
    later: (ms: number) => void (nowMs += ms),
  };
}

const claimed = () => queue.tables.jobs.claim('small', 1, 'me', 0).map(({ incidentId }) => incidentId);

describe('an incident that its folder will not keep until its turn', () => {
  it('goes before newer ones, is said once with its figures, and is noted in the chain', async () => {
    for (const [id, days] of [
      ['old', 6.5],
      ['older', 6.9],
      ['new', 0],
    ] as const)
      addWaiting(id, days);
    const desk = open(7);
    await desk.look();
    await desk.look();
    expect([claimed(), claimed(), claimed()]).toEqual([['older'], ['old'], ['new']]);
    expect(desk.notes).toEqual([
      [
        'deadline.said',
        {
          incidents: 2,
          bytes: 2 * MB,
          firstGoneAt: '2026-06-01T14:24:00.000Z',
          firstSentInTurnAt: '',
          lateBytes: 0,
        },
      ],
    ]);
    expect(desk.events).toEqual([
      {
        event: 'warning',
        code: 'EXPORTS_LEAVING',
        message:
          '2 incidents (2.0 MB) might not be sent before they are deleted from their folders. The first, "older", is expected to be deleted at 2026-06-01 14:24 UTC. They now go first.',
      },
    ]);
    expect(desk.deadlines.leaving()).toMatchObject({
      incidents: 2,
      clips: 2,
      bytes: 2 * MB,
      firstId: 'older',
    });
    expect(desk.changed).toEqual(['uploads', 'health']);
  });

  it('goes after what a person moved', async () => {
    addWaiting('moved', 3);
    addWaiting('old', 6.5);
    queue.tables.jobs.prioritiseSends(
      { kind: 'incident', incidentId: 'moved' },
      queue.tables.jobs.frontPriority(),
    );
    await open(7).look();
    expect([claimed(), claimed()]).toEqual([['moved'], ['old']]);
  });

  it('says so of each clip that waits behind it, and of clips that come later', async () => {
    addWaiting('old', 6.5);
    addWaiting('new', 0);
    await open(7).look();
    const { deadlines, jobs, clips } = queue.tables;
    const job = (subject: string) => jobs.of('send-clip', subject) ?? expect.fail(`no job for ${subject}`);
    expect(deadlines.before(job('new-1'))).toEqual({ newer: 0, leaving: 1 });
    expect(deadlines.before(job('old-1'))).toEqual({ newer: 0, leaving: 0 });
    clips.insert(clipRow({ id: 'old-2', incidentId: 'old', path: '2.mp4' }));
    jobs.put(jobRow({ subject: 'old-2', incidentId: 'old' }));
    expect(deadlines.before(job('old-2'))).toEqual({ newer: 0, leaving: 0 });
  });

  it('is an ordinary one again once nothing of it waits, or its folder keeps it longer', async () => {
    addWaiting('old', 6.5);
    addWaiting('sent', 6.5);
    await open(7).look();
    queue.tables.clips.uploaded('sent-1', 'key', 'abc', NOW);
    await open(7).look();
    expect(queue.tables.deadlines.marked()).toEqual(['old']);
    const longer = open(30);
    await longer.look();
    expect(queue.tables.deadlines.marked()).toEqual([]);
    expect(longer.deadlines.leaving()).toBeUndefined();
    expect(longer.events).toEqual([]);
  });

  it('is found by the speed that was measured, days ahead', async () => {
    addWaiting('old', 1, 100 * MB);
    addWaiting('new', 0, 400_000 * MB);
    const desk = open(7);
    desk.deadlines.start();
    await expect.poll(() => desk.sleeps.length).toBe(1);
    expect(desk.deadlines.leaving()).toBeUndefined();
    // 0.5 MB/s: the new one takes more than nine days
    for (let minute = 1; minute <= 5; minute += 1) {
      desk.meter.sent += 30 * MB;
      desk.sleeps[minute - 1]?.();
      await expect.poll(() => desk.sleeps.length).toBe(minute + 1);
    }
    expect(desk.deadlines.leaving()).toMatchObject({
      incidents: 2,
      firstId: 'old',
      bytesPerSecond: MB / 2,
      late: { incidents: 1, bytes: 400_000 * MB },
    });
    desk.stopping.abort(new Error('over'));
  });
});

describe('how long a folder keeps its exports', () => {
  it('is told by its settings', () => {
    expect(open(7).deadlines.keeps('/exports')).toEqual({ hours: 168, isLearned: false });
    expect(open().deadlines.keeps('/exports')).toBeUndefined();
  });

  it('is learned from those that disappeared in the last three months', async () => {
    const { rootId } = incidentRow({});
    const { deadlines } = queue.tables;
    for (let day = 1; day <= 4; day += 1) deadlines.removed(rootId, NOW - day * DAY_MS, 5 * DAY_MS);
    deadlines.removed(rootId, NOW - 100 * DAY_MS, 5 * DAY_MS);
    const desk = open();
    expect(desk.deadlines.keeps('/exports')).toBeUndefined();
    deadlines.removed(rootId, NOW, 6 * DAY_MS);
    expect(desk.deadlines.keeps('/exports')).toEqual({ hours: 120, isLearned: true, seen: 5 });
    addWaiting('old', 4.5);
    await desk.look();
    expect(desk.deadlines.leaving()).toMatchObject({ firstId: 'old' });
  });

  it('forgets all but the newest fifty removals', () => {
    const { deadlines } = queue.tables;
    for (let age = 1; age <= 60; age += 1) deadlines.removed('root', NOW + age, age);
    expect(deadlines.agesOf('root', 0)).toEqual(Array.from({ length: 50 }, (_, index) => index + 11));
  });
});
