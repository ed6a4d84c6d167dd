import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  clipQuerySchema,
  clipStates,
  incidentQuerySchema,
  type ClipQuery,
  type IncidentState,
} from '../../../../shared/domain/upload-view.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import { createUploadReads, type UploadReads } from '../../../../electron/agent/calls/upload-reads.ts';
import {
  clipRow,
  failureOf,
  incidentRow,
  jobRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
let tables: QueueFixture['tables'];
let reads: UploadReads;

beforeEach(async () => {
  queue = await openQueue();
  ({ tables } = queue);
  reads = createUploadReads(tables);
  tables.desk.identify({ deskId: 'desk-1', queueId: 'queue-1', starts: 1 });
});
afterEach(() => queue.close());

function addIncident(id: string, more: Parameters<typeof incidentRow>[0] = {}): void {
  tables.incidents.insert(incidentRow({ id, exportPath: id, ...more }));
  tables.incidents.synced(id, 1, 1, '{}');
}
function addClip(id: string, more: Parameters<typeof clipRow>[0] = {}): void {
  tables.clips.insert(clipRow({ id, path: `${id}.mp4`, ...more }));
  tables.jobs.put(jobRow({ subject: id, incidentId: more.incidentId ?? 'incident-1' }));
}
const scope = (...clipIds: readonly string[]) => ({ kind: 'clips', clipIds }) as const;
const fail = (id: string) => tables.clips.failed(id, JSON.stringify(failureOf('FILE_EMPTY')));
const lease = () => tables.jobs.claim('small', 1, 'me', 0);
const clips = (query: Partial<ClipQuery> = {}) => reads.listClips(clipQuerySchema.parse(query));
const idsOf = (query: Partial<ClipQuery> = {}) => clips(query).rows.map(({ id }) => id);
const incidents = (query: object = {}) => reads.listIncidents(incidentQuerySchema.parse(query));

/** One clip in each state. */
function addOneOfEach(): void {
  addIncident('incident-1');
  for (const id of ['running', 'waiting', 'held', 'sent', 'broken', 'out']) addClip(id);
  lease();
  tables.jobs.pauseSends(scope('held'));
  tables.clips.pause(scope('held'));
  tables.clips.uploaded('sent', 'key', null, 5_000);
  fail('broken');
  fail('out');
  tables.clips.leaveOut('out', 6_000);
}

describe('clips by state', () => {
  beforeEach(addOneOfEach);

  it.each([
    ['waiting', 'waiting'],
    ['uploading', 'running'],
    ['paused', 'held'],
    ['uploaded', 'sent'],
    ['failed', 'broken'],
    ['leftOut', 'out'],
  ] as const)('that are %s', (state, id) => {
    const page = clips({ state });
    expect(page.rows).toMatchObject([{ id, state }]);
    expect(page).toMatchObject({ total: 1, counts: Object.fromEntries(clipStates.map((one) => [one, 1])) });
  });

  it('all of them, each with its own state', () => {
    const { rows, total } = clips({ order: 'ascending' });
    expect(rows.map(({ state }) => state)).toEqual([
      'uploading',
      'waiting',
      'paused',
      'uploaded',
      'failed',
      'leftOut',
    ]);
    expect(total).toBe(6);
  });

  it('are paused when the desk is, but for what still runs', () => {
    tables.desk.setPaused(true);
    expect(clips({ state: 'paused', order: 'ascending' }).rows.map(({ id }) => id)).toEqual([
      'waiting',
      'held',
    ]);
    expect(clips({ state: 'waiting' })).toMatchObject({ total: 0, rows: [] });
    expect(clips().counts).toEqual({
      waiting: 0,
      uploading: 1,
      paused: 2,
      uploaded: 1,
      failed: 1,
      leftOut: 1,
    });
  });

  it('count one that is held and not interrupted yet as uploading, once', () => {
    tables.clips.pause(scope('running'));
    expect(clips().counts).toMatchObject({ uploading: 1, paused: 1, waiting: 1 });
    expect(idsOf({ state: 'paused' })).toEqual(['held']);
  });

  it('are those of one incident when the query names it', () => {
    addIncident('incident-2');
    addClip('other', { incidentId: 'incident-2' });
    expect(clips({ incidentId: 'incident-2' })).toMatchObject({
      total: 1,
      rows: [{ id: 'other' }],
      counts: { waiting: 1, uploading: 0, uploaded: 0 },
    });
    expect(clips({ incidentId: 'nobody' })).toMatchObject({ total: 0, rows: [], counts: { waiting: 0 } });
  });
});

describe('the order of clips', () => {
  beforeEach(() => {
    addIncident('incident-1');
    addClip('a', { path: 'b.mp4', sizeBytes: 30, startedAt: 2, createdAt: 1 });
    addClip('b', { path: 'C.mp4', sizeBytes: 10, startedAt: null, createdAt: 1 });
    addClip('c', { path: 'a.mp4', sizeBytes: 20, startedAt: 1, createdAt: 1 });
  });

  it.each([
    ['createdAt', ['a', 'b', 'c']],
    ['startedAt', ['b', 'c', 'a']],
    ['file', ['c', 'a', 'b']],
    ['sizeBytes', ['b', 'c', 'a']],
  ] as const)('is by %s, and the other way round, ties by arrival', (sort, ascending) => {
    expect(idsOf({ sort, order: 'ascending' })).toEqual(ascending);
    expect(idsOf({ sort, order: 'descending' })).toEqual(ascending.toReversed());
  });

  it.each(['createdAt', 'startedAt', 'file', 'sizeBytes'] as const)(
    'by %s gives each clip once over all pages',
    (sort) => {
      const pages = [0, 1, 2, 3].flatMap((offset) => idsOf({ sort, offset, limit: 1 }));
      expect(pages.toSorted()).toEqual(['a', 'b', 'c']);
    },
  );
});

describe('a search for clips', () => {
  beforeEach(() => {
    addIncident('incident-1');
    addClip('abc1', { path: '100%_sure.mp4', cameraName: 'Zoë Ärmel' });
    addClip('def2', { path: 'North.mp4' });
  });

  it.each([
    ['NORTH', ['def2']],
    ['%', ['abc1']],
    ['_', ['abc1']],
    ['\\', []],
    ['BC1', ['abc1']],
    ['zoË ä', ['abc1']],
    ['Ärgernis', []],
    ['', ['def2', 'abc1']],
  ])('for %j finds %j', (search, found) => {
    for (const sort of ['createdAt', 'file'] as const) {
      const page = clips({ search, sort });
      expect(page.rows.map(({ id }) => id).toSorted()).toEqual(found.toSorted());
      expect(page.total).toBe(found.length);
    }
  });

  it('leaves the counts as they are, and goes together with a state', () => {
    fail('abc1');
    expect(clips({ search: 'north', state: 'failed' })).toMatchObject({
      total: 0,
      rows: [],
      counts: { waiting: 1, failed: 1 },
    });
  });
});

describe('incidents', () => {
  const arrange: readonly (readonly [IncidentState, string, () => unknown])[] = [
    ['sent', 'with nothing left to do', () => tables.clips.uploaded('clip-1', 'k', null, 1)],
    ['waiting', 'with a clip to come', () => undefined],
    [
      'waiting',
      'of which the service was not told all',
      () => {
        tables.clips.uploaded('clip-1', 'k', null, 1);
        tables.incidents.touch('incident-1', 1);
      },
    ],
    ['uploading', 'with a clip on its way', lease],
    [
      'attention',
      'with a clip on its way and a failed one',
      () => [lease(), addClip('clip-2'), fail('clip-2')],
    ],
    ['attention', 'with a failed clip', () => fail('clip-1')],
    [
      'attention',
      'whose record was refused',
      () => tables.incidents.fail('incident-1', JSON.stringify(failureOf('VALIDATION'))),
    ],
    ['paused', 'with nothing but held clips to come', () => tables.clips.pause(scope('clip-1'))],
    [
      'waiting',
      'with a held clip and another',
      () => [tables.clips.pause(scope('clip-1')), addClip('clip-2')],
    ],
    ['paused', 'on a desk that is paused', () => tables.desk.setPaused(true)],
  ];
  it.each(arrange)('are %s %s', (state, _what, change) => {
    addIncident('incident-1');
    addClip('clip-1');
    change();
    expect(incidents()).toMatchObject({ total: 1, rows: [{ state }], counts: { [state]: 1 } });
    expect(incidents({ state }).rows).toHaveLength(1);
    const other = state === 'sent' ? 'waiting' : 'sent';
    expect(incidents({ state: other })).toMatchObject({ total: 0, rows: [] });
  });

  it('say how many of their failed clips a retry takes up, as far as they can be counted', () => {
    addIncident('incident-1');
    const add = (code: FailureCode, count: number): void => {
      for (let number = 0; number < count; number += 1) {
        addClip(`${code}-${number}`);
        tables.clips.failed(`${code}-${number}`, JSON.stringify(failureOf(code)));
      }
    };
    add('FILE_TOO_LARGE', 150);
    add('CANCELLED', 1);
    expect(incidents().rows).toMatchObject([{ failed: 151, retryable: 0 }]);
    add('FILE_NO_ACCESS', 50);
    const [row] = incidents().rows;
    expect([row?.failed, row?.retryable]).toEqual([201, undefined]);
    expect(reads.getIncident('incident-1')).toMatchObject({
      value: {
        row: { failed: 201, retryable: 50 },
        reason: { code: 'FILE_TOO_LARGE' },
        // Too many to examine each
        isOneReason: false,
      },
    });
  });

  it('are listed with folder, times, counts and bytes', () => {
    addIncident('incident-1', { exportPath: 'Gate 4', incidentAt: 0, createdAt: 1_000 });
    for (const id of ['a', 'b', 'c']) addClip(id, { sizeBytes: 10 });
    tables.clips.uploaded('a', 'k', null, 1);
    fail('b');
    expect(incidents().rows).toStrictEqual([
      {
        id: 'incident-1',
        title: 'Gate 4',
        folder: '/exports/Gate 4',
        state: 'attention',
        createdAt: '1970-01-01T00:00:01.000Z',
        incidentAt: '1970-01-01T00:00:00.000Z',
        uploaded: 1,
        failed: 1,
        retryable: 1,
        leftOut: 0,
        pending: 1,
        sizeBytes: 30,
      },
    ]);
  });

  it('come in the order that is asked for, by pages, and are found by title, folder and id', () => {
    addIncident('x1', { title: 'beta', createdAt: 1, incidentAt: 9 });
    addIncident('x2', { title: 'Alpha', createdAt: 2, incidentAt: null, exportPath: 'Ümlaut' });
    addIncident('x3', { title: 'gamma', createdAt: 3, incidentAt: 5 });
    const ids = (query: object) => incidents({ order: 'ascending', ...query }).rows.map(({ id }) => id);
    expect(ids({ sort: 'title' })).toEqual(['x2', 'x1', 'x3']);
    expect(ids({ sort: 'incidentAt' })).toEqual(['x2', 'x3', 'x1']);
    expect(ids({ sort: 'createdAt', order: 'descending', offset: 1, limit: 1 })).toEqual(['x2']);
    expect([ids({ search: 'ALPHA' }), ids({ search: 'ümLAUT' }), ids({ search: 'x3' })]).toEqual([
      ['x2'],
      ['x2'],
      ['x3'],
    ]);
    expect(incidents({ search: 'ALPHA', limit: 1 }).total).toBe(1);
  });
});
