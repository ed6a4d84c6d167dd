import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  outlineQuerySchema,
  outlineSorts,
  type OutlineQuery,
  type OutlineRow,
} from '../../../../shared/domain/upload-outline.ts';
import { seenStates, type SeenState } from '../../../../shared/domain/seen-export.ts';
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
  tables.incidents.insert(incidentRow({ id, exportPath: id, title: id, ...more }));
  tables.incidents.synced(id, 1, 1, '{}');
}
function addClip(id: string, incidentId: string, more: Parameters<typeof clipRow>[0] = {}): void {
  tables.clips.insert(clipRow({ id, incidentId, path: `${id}.mp4`, ...more }));
  tables.jobs.put(jobRow({ subject: id, incidentId }));
}
function addExport(exportPath: string, state: SeenState): void {
  const facts = JSON.stringify({ files: 1, sizeBytes: 1, concerned: 0, named: [] });
  tables.seenExports.put({
    rootId: 'root-1',
    exportPath,
    rootPath: '/exports',
    state,
    since: 5,
    settlesAt: null,
    print: '',
    facts,
    pushed: 0,
  });
}

const nameOf = (row: OutlineRow): string => {
  if (row.kind === 'export') return `!${row.seen.name}`;
  if (row.kind === 'incident') return `${row.isOpen ? '-' : '+'}${row.incident.id}`;
  return `  ${row.clip.id}`;
};
type Asked = Partial<OutlineQuery>;
const list = (query: Asked = {}) => reads.list(outlineQuerySchema.parse(query));
const names = (query: Asked = {}): readonly string[] => list(query).rows.map(nameOf);

/** Three incidents, the newest with three clips, and two exports that are not in the queue. */
function fill(): void {
  addIncident('old', { createdAt: 1, incidentAt: 30, title: 'Crowding' });
  addIncident('mid', { createdAt: 2, incidentAt: null, title: 'assault' });
  addIncident('new', { createdAt: 3, incidentAt: 10, title: 'Flare' });
  addClip('o1', 'old', { sizeBytes: 90, cameraName: 'Ramp' });
  addClip('m1', 'mid', { sizeBytes: 5 });
  for (const [id, startedAt] of [
    ['n1', 30],
    ['n2', 10],
    ['n3', 20],
  ] as const)
    addClip(id, 'new', { startedAt, sizeBytes: startedAt, cameraName: `Gate ${id}` });
}

describe('the outline', () => {
  it('has exports that need a person first, then the newest incidents, each closed', () => {
    fill();
    addExport('Pitch', 'settling');
    addExport('Cut off', 'held');
    expect(names()).toEqual(['!Cut off', '!Pitch', '+new', '+mid', '+old']);
    expect(list()).toMatchObject({ total: 5, counts: { waiting: 5, held: 1, arriving: 1, failed: 0 } });
    expect(names({ state: 'held' })).toEqual(['!Cut off']);
    expect(names({ search: 'pitc' })).toEqual(['!Pitch']);
  });

  it.each(seenStates.map((state) => ({ state })))(
    'counts an export that is $state where the list shows it, and once',
    ({ state }) => {
      addExport('Gate 4', state);
      const { counts } = list();
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(1);
      expect(names({ state: 'held' })).toHaveLength(counts.held);
      expect(names({ state: 'waiting' })).toHaveLength(counts.arriving);
      expect(names()).toHaveLength(1);
    },
  );

  it('counts a clip that was left out apart from failed ones, and its incident needs nobody', () => {
    addIncident('new');
    for (const id of ['a', 'b']) {
      addClip(id, 'new');
      tables.clips.failed(id, JSON.stringify(failureOf('FILE_TOO_LARGE')));
    }
    tables.clips.leaveOut('a', 7);
    expect(list().counts).toMatchObject({ failed: 1, leftOut: 1 });
    expect(names({ state: 'failed', isOpen: true })).toEqual(['-new', '  b']);
    expect(names({ state: 'leftOut', isOpen: true })).toEqual(['-new', '  a']);
    const [row] = list().rows;
    expect(row).toMatchObject({ incident: { state: 'attention', failed: 1, leftOut: 1 } });
    tables.clips.leaveOut('b', 8);
    expect(list().rows).toMatchObject([{ incident: { state: 'sent', failed: 0, leftOut: 2 } }]);
    expect(names({ state: 'failed' })).toEqual([]);
  });

  it("opens an incident to its clips in the order of their recording, and to nobody else's", () => {
    fill();
    expect(names({ except: ['new'] })).toEqual(['-new', '  n2', '  n3', '  n1', '+mid', '+old']);
    expect(names({ except: ['mid', 'old'] })).toEqual(['+new', '-mid', '  m1', '-old', '  o1']);
    expect(names({ isOpen: true, except: ['new'] })).toEqual(['+new', '-mid', '  m1', '-old', '  o1']);
  });

  it.each(
    outlineSorts.flatMap((sort) => (['ascending', 'descending'] as const).map((order) => ({ sort, order }))),
  )(
    'is the same by pages of any size as it is whole, by $sort $order, and each row is where it is said to be',
    ({ sort, order }) => {
      fill();
      addExport('Cut off', 'held');
      for (let number = 0; number < 12; number += 1) {
        const id = `x${number}`;
        addIncident(id, {
          createdAt: 10 + (number % 3),
          incidentAt: number % 4 === 0 ? null : number % 5,
          title: number % 2 ? 'Same' : `T${number}`,
        });
        for (let clip = 0; clip < number % 4; clip += 1) addClip(`${id}c${clip}`, id, { sizeBytes: number });
      }
      for (const more of [
        { isOpen: true },
        { except: ['x3', 'new', 'x7', 'x10'] },
        { search: 'x' },
        { state: 'waiting', isOpen: true },
      ] as const) {
        const query = { sort, order, ...more };
        const whole = list({ ...query, limit: 200 });
        expect(whole.rows).toHaveLength(whole.total);
        expect(list({ ...query, offset: whole.total + 5 })).toMatchObject({ total: whole.total, rows: [] });
        for (const size of [1, 4]) {
          const pages = Array.from(
            { length: Math.ceil(whole.total / size) },
            (_, index) => list({ ...query, offset: index * size, limit: size }).rows,
          );
          expect(pages.flat()).toEqual(whole.rows);
        }
        for (const [index, row] of whole.rows.entries())
          if (row.kind !== 'export') {
            const { offset: _offset, limit: _limit, ...listed } = outlineQuerySchema.parse(query);
            const wanted =
              row.kind === 'incident'
                ? { incidentId: row.incident.id }
                : { incidentId: row.clip.incidentId, clipId: row.clip.id };
            expect(reads.placeOf({ ...listed, ...wanted })).toEqual({ index });
          }
      }
    },
  );

  it('says of a clip that is not listed where its incident stands', () => {
    fill();
    const place = (query: Asked, clipId: string) => {
      const { offset: _offset, limit: _limit, ...listed } = outlineQuerySchema.parse(query);
      return reads.placeOf({ ...listed, incidentId: 'mid', clipId });
    };
    expect(place({}, 'm1')).toEqual({ index: 1 });
    expect(place({ except: ['new'] }, 'm1')).toEqual({ index: 4 });
    expect(place({ except: ['mid'] }, 'm1')).toEqual({ index: 2 });
    expect(place({ except: ['mid'] }, 'gone')).toEqual({ index: 1 });
    expect(place({ search: 'flare', isOpen: true }, 'm1')).toEqual({});
  });

  it('says of which reason all failed clips of an incident are, where they are of one', () => {
    fill();
    const fail = (clip: string, code: 'FILE_EMPTY' | 'FILE_TOO_LARGE'): void =>
      void tables.clips.failed(clip, JSON.stringify(failureOf(code)));
    const [line] = list({}).rows;
    expect(line).not.toHaveProperty('isOneReason');
    fail('n1', 'FILE_EMPTY');
    fail('n2', 'FILE_EMPTY');
    expect(list({}).rows[0]).toMatchObject({ reason: { code: 'FILE_EMPTY' }, isOneReason: true });
    fail('n3', 'FILE_TOO_LARGE');
    expect(list({}).rows[0]).toMatchObject({ incident: { failed: 3 }, reason: { code: 'FILE_EMPTY' } });
    expect(list({}).rows[0]).not.toHaveProperty('isOneReason');
  });

  it('narrows to the clips that are in a state, below their incident, and to records that were refused', () => {
    fill();
    tables.clips.failed('n2', JSON.stringify(failureOf('FILE_EMPTY')));
    tables.clips.uploaded('o1', 'key', null, 1);
    expect(names({ state: 'failed', isOpen: true })).toEqual(['-new', '  n2']);
    expect(list({ state: 'failed' }).rows).toMatchObject([
      { shown: 1, reason: { code: 'FILE_EMPTY' }, isOneReason: true },
    ]);
    expect(names({ state: 'uploaded', isOpen: true })).toEqual(['-old', '  o1']);
    expect(names({ state: 'waiting', isOpen: true })).toEqual(['-new', '  n3', '  n1', '-mid', '  m1']);
    expect(list({ state: 'paused' })).toMatchObject({ total: 0, rows: [] });
    tables.desk.setPaused(true);
    expect(names({ state: 'paused', isOpen: true })).toEqual(['-new', '  n3', '  n1', '-mid', '  m1']);
    expect(reads.placeOf({ ...outlineQuerySchema.parse({ state: 'failed' }), incidentId: 'old' })).toEqual(
      {},
    );
  });

  it('finds an incident with all its clips, and a clip with its incident, whose title it says', () => {
    fill();
    expect(names({ search: 'FLARE', isOpen: true })).toEqual(['-new', '  n2', '  n3', '  n1']);
    expect(names({ search: 'gate n3', isOpen: true })).toEqual(['-new', '  n3']);
    expect(list({ search: 'gate n3', isOpen: true }).rows[1]).toMatchObject({
      kind: 'clip',
      incidentTitle: 'Flare',
      position: 1,
      shown: 1,
      clip: { camera: 'Gate n3' },
    });
    expect(names({ search: 'gate n3', state: 'failed' })).toEqual([]);
  });

  it('says of an incident its cameras, a clip with a picture, and when it was recorded', () => {
    fill();
    tables.incidents.insert(incidentRow({ id: 'many', exportPath: 'many', createdAt: 9 }));
    for (const number of [1, 2, 3, 4, 5, 6])
      addClip(`c${number}`, 'many', { cameraName: `Cam ${number}`, startedAt: number });
    const [many, flare] = list().rows;
    expect(many).toMatchObject({ cameras: ['Cam 1', 'Cam 2', 'Cam 3', 'Cam 4'], hasMoreCameras: true });
    expect(many).toMatchObject({ recordedAt: '1970-01-01T00:00:00.001Z' });
    expect(flare).toMatchObject({ recordedAt: '1970-01-01T00:00:00.010Z', hasMoreCameras: false });
  });

  it('asks the database once for each incident of a page, however many clips it has', () => {
    for (let number = 1; number <= 30; number += 1) {
      tables.incidents.insert(incidentRow({ id: `i${number}`, exportPath: `i${number}`, createdAt: number }));
      for (let clip = 1; clip <= 20; clip += 1) addClip(`i${number} c${clip}`, `i${number}`);
    }
    const runs = countRuns(queue.db);
    expect(list().rows).toHaveLength(30);
    // Plus a few for the page as a whole
    expect(runs()).toBeGreaterThan(30);
    expect(runs()).toBeLessThan(50);
  });
});

/** Returns a counter of how often statements that are prepared from now on were run. */
function countRuns({ prepare }: QueueFixture['db']): () => number {
  let runs = 0;
  vi.spyOn(queue.db, 'prepare').mockImplementation((sql) => {
    const statement = prepare.call(queue.db, sql);
    for (const name of ['get', 'all'] as const) {
      const run: unknown = statement[name];
      if (typeof run !== 'function') throw new Error(`A statement has no ${name}`);
      const counted = (...args: unknown[]): unknown => {
        runs += 1;
        return Reflect.apply(run, statement, args);
      };
      Object.defineProperty(statement, name, { value: counted });
    }
    return statement;
  });
  return () => runs;
}
