import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryFacts } from '../../../../shared/domain/upload-history.ts';
import { createDice } from '../../../torture/dice.ts';
import { sequenceTroubles } from '../../../helpers/check-history.ts';
import {
  clipRow,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;

beforeEach(async () => {
  queue = await openQueue();
  queue.tables.incidents.insert(incidentRow());
  for (const id of ['clip-1', 'clip-2']) queue.tables.clips.insert(clipRow({ id, path: id }));
});
afterEach(() => queue.close());

const tried = (number: number): HistoryFacts => ({
  kind: 'tried',
  end: 'failed',
  reason: { code: 'STORAGE_FAULT', message: `try ${number}`, status: 500 },
});
const kinds = (id = 'clip-1') => queue.tables.history.ofClip(id).map(({ facts }) => facts.kind);

describe('events of a clip', () => {
  it('come back as they were noted, in their order, each clip with its own', () => {
    const { history } = queue.tables;
    history.clip('clip-1', { at: 10, facts: { kind: 'queued', settledAt: '2026-05-01T10:00:00.000Z' } });
    history.clip('clip-2', { at: 11, facts: { kind: 'cancelled' } });
    const requestIds = [{ name: 'x-request-id', value: 'r-1' }];
    history.clip('clip-1', { at: 30, startedAt: 20, facts: { kind: 'uploaded', etag: '"e"', requestIds } });
    expect(history.ofClip('clip-1')).toEqual([
      {
        sequence: 1,
        at: 10,
        startedAt: null,
        facts: { kind: 'queued', settledAt: '2026-05-01T10:00:00.000Z' },
      },
      { sequence: 2, at: 30, startedAt: 20, facts: { kind: 'uploaded', etag: '"e"', requestIds } },
    ]);
    expect(kinds('clip-2')).toEqual(['cancelled']);
  });

  it('of incidents and the desk are apart from those of clips', () => {
    const { history } = queue.tables;
    history.incident('incident-1', { at: 1, facts: { kind: 'told', version: 3 } });
    history.desk({ at: 2, facts: { kind: 'paused', by: 'desk' } });
    expect(history.ofIncident('incident-1')).toMatchObject([{ facts: { kind: 'told', version: 3 } }]);
    expect(history.ofDesk()).toMatchObject([{ sequence: 1, facts: { kind: 'paused' } }]);
    expect(kinds()).toEqual([]);
  });

  it('about parts that follow each other are one, until something else happens', () => {
    const { history } = queue.tables;
    const part = (number: number, at: number) =>
      history.part('clip-1', at, { kind: 'parts', first: number, last: number, count: 1, sizeBytes: 10 });
    part(2, 10);
    part(1, 20);
    part(4, 30);
    history.clip('clip-1', { at: 40, facts: tried(1) });
    part(3, 50);
    expect(history.ofClip('clip-1').map(({ at, startedAt, facts }) => ({ at, startedAt, facts }))).toEqual([
      { at: 30, startedAt: 10, facts: { kind: 'parts', first: 1, last: 4, count: 3, sizeBytes: 30 } },
      { at: 40, startedAt: null, facts: tried(1) },
      { at: 50, startedAt: 50, facts: { kind: 'parts', first: 3, last: 3, count: 1, sizeBytes: 10 } },
    ]);
  });
});

describe('a history that grows', () => {
  it('keeps its first event and the newest ones; the others become one that counts their tries', () => {
    const { history } = queue.tables;
    history.clip('clip-1', { at: 0, facts: { kind: 'queued' } });
    for (let number = 1; number <= 5_000; number += 1)
      history.clip('clip-1', { at: number, startedAt: number - 1, facts: tried(number) });
    const rows = history.ofClip('clip-1');
    expect(rows.length).toBeLessThanOrEqual(33);
    expect(rows[0]).toMatchObject({ sequence: 1, facts: { kind: 'queued' } });
    expect(rows.at(-1)).toMatchObject({ sequence: 5_001, facts: tried(5_000) });
    const merged = rows[1]?.facts;
    const kept = rows.filter(({ facts }) => facts.kind === 'tried').length;
    expect(merged).toEqual({ kind: 'merged', from: 2, tries: 5_000 - kept, lastCode: 'STORAGE_FAULT' });
    expect(rows[1]).toMatchObject({ startedAt: 0, at: rows[1] && rows[1].sequence - 1 });
    expect(kinds('clip-2')).toEqual([]);
  });

  it.each([1, 2, 3, 4, 5])('never has a gap, whatever happens in whatever order (seed %i)', (seed) => {
    const { history } = queue.tables;
    const dice = createDice(seed);
    const writes = [
      (at: number) => history.clip('clip-1', { at, facts: tried(at) }),
      (at: number) => history.clip('clip-1', { at, facts: { kind: 'retried' } }),
      (at: number) =>
        history.part('clip-1', at, { kind: 'parts', first: 1 + at, last: 1 + at, count: 1, sizeBytes: 1 }),
      (at: number) => history.clipsPaused({ kind: 'clips', clipIds: ['clip-1', 'clip-2'] }, at, 'clip'),
      (at: number) => history.clip('clip-2', { at, facts: tried(at) }),
    ];
    for (let at = 0; at < 400; at += 1) {
      dice.pick(writes)(at);
      for (const id of ['clip-1', 'clip-2']) {
        const rows = history.ofClip(id);
        expect(sequenceTroubles(rows)).toEqual([]);
        expect(rows.length).toBeLessThanOrEqual(33);
      }
    }
    expect(kinds()).toContain('merged');
  });
});

describe('events of many', () => {
  it('tell only the clips that an order changes', () => {
    const { history, clips } = queue.tables;
    clips.uploaded('clip-2', 'key', null, 1);
    history.clipsPaused({ kind: 'incident', incidentId: 'incident-1' }, 5, 'incident');
    clips.pause({ kind: 'incident', incidentId: 'incident-1' });
    history.clipsPaused({ kind: 'clips', clipIds: ['clip-1', 'clip-2'] }, 6, 'clip');
    history.clipsResumed({ kind: 'clips', clipIds: ['clip-1', 'clip-2'] }, 7, 'clip');
    expect(history.ofClip('clip-1').map(({ at, facts }) => [at, facts])).toEqual([
      [5, { kind: 'paused', by: 'incident' }],
      [7, { kind: 'resumed', by: 'clip' }],
    ]);
    expect(kinds('clip-2')).toEqual([]);
  });

  it('tell the tries of a process that is gone, and no other', () => {
    const { history, jobs } = queue.tables;
    for (const subject of ['clip-1', 'clip-2']) jobs.put(jobRow({ subject }));
    jobs.put(jobRow({ kind: 'put-incident', subject: 'incident-1', pool: 'record' }));
    jobs.claim('small', 1, 'gone', 100);
    jobs.claim('record', 1, 'gone', 150);
    jobs.claim('small', 1, 'me', 200);
    history.lostByOthers('me', 300);
    const lost = { kind: 'tried', end: 'lost' };
    expect(history.ofClip('clip-1')).toMatchObject([{ at: 300, startedAt: 100, facts: lost }]);
    expect(history.ofIncident('incident-1')).toMatchObject([{ at: 300, startedAt: 150, facts: lost }]);
    expect(kinds('clip-2')).toEqual([]);
  });
});
