import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentEvents, type AgentEvent } from '../../../../electron/agent/events.ts';
import { createClipResults, type ClipResults } from '../../../../electron/agent/queue/clip-results.ts';
import { createIncidentQueue, createThumbnailJobs } from '../../../../electron/agent/queue/incident-jobs.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { findBreak } from '../../../../electron/agent/store/audit-rows.ts';
import { createTables, type Tables } from '../../../../electron/agent/store/tables.ts';
import { createGroupCommit } from '../../../../electron/agent/queue/group-commit.ts';
import {
  failureOf,
  clipRow,
  incidentRow,
  jobRow,
  multipartRow,
  openQueue,
  type QueueFixture,
} from '../../../helpers/queue-fixture.ts';

const clock = createSystemClock();
const IDS = ['clip-1', 'clip-2', 'clip-3'];
const MORE = Array.from({ length: 50 }, (_, index) => `more-${index}`);
const version = { sizeBytes: clipRow().sizeBytes, mtimeNs: clipRow().mtimeNs };

let queue: QueueFixture;
let tables: Tables;
let results: ClipResults;
let said: AgentEvent[];
let statements = 0;

/** Counts how often each statement is used that is prepared on this connection from now on. */
function countStatements({ db }: QueueFixture): void {
  const prepare = db.prepare.bind(db);
  const counted = (statement: ReturnType<typeof prepare>) => {
    for (const use of ['run', 'get', 'all'] as const) {
      const original = statement[use];
      Object.assign(statement, {
        [use]: (...args: unknown[]): unknown => {
          statements += 1;
          return Reflect.apply(original, statement, args);
        },
      });
    }
    return statement;
  };
  Object.assign(db, { prepare: (source: string) => counted(prepare(source)) });
}

beforeEach(async () => {
  queue = await openQueue();
  countStatements(queue);
  tables = createTables(queue.db);
  said = [];
  const events = new AgentEvents();
  events.on((event) => void said.push(event));
  tables.incidents.insert(incidentRow());
  for (const id of [...IDS, ...MORE]) tables.clips.insert(clipRow({ id, path: `${id}.avi` }));
  results = createClipResults({
    tables,
    queue: createIncidentQueue(tables, clock, 'progressive'),
    events,
    meter: { ended: () => undefined },
    thumbnailJobs: createThumbnailJobs(tables, clock, false),
    clock,
  });
});
afterEach(() => queue.close());

const stored = (id: string) =>
  results.clipUploaded(id, `key-${id}`, `sum-${id}`, version, { startedAt: 5, etag: `"${id}"` });

describe('a thumbnail', () => {
  const image = { sizeBytes: 5, mtimeNs: '1', inode: '1', device: '1', serviceName: 's.jpg' };

  it('that another image replaced while it was on the line is not taken for the new one, which is sent', () => {
    tables.thumbnails.put({ clipId: 'clip-1', path: 'new.jpg', ...image });
    const upload = (path: string) =>
      tables.write(() => results.thumbnailUploaded('clip-1', 'key', 'sum', { ...image, path }));
    upload('old.jpg');
    expect(tables.thumbnails.byClip('clip-1')).toMatchObject({ state: 'queued', storageKey: null });
    expect(tables.jobs.of('send-thumbnail', 'clip-1')).toMatchObject({ state: 'ready', pool: 'small' });
    upload('new.jpg');
    expect(tables.thumbnails.byClip('clip-1')).toMatchObject({ state: 'uploaded', storageKey: 'key' });
  });

  it.each([
    ['goes on when its clip arrives although it was paused', false, 'small'],
    ['stays paused with its incident when its clip arrives', true, 'held-small'],
  ])('%s', (_title, isPaused, pool) => {
    const scope = { kind: 'clips', clipIds: ['clip-1'] } as const;
    tables.jobs.put(jobRow({ kind: 'send-thumbnail', subject: 'clip-1', incidentId: 'incident-1' }));
    tables.clips.pause(scope);
    tables.jobs.pauseSends(scope);
    tables.incidents.setPaused('incident-1', isPaused);
    tables.write(() => stored('clip-1'));
    expect(tables.jobs.of('send-thumbnail', 'clip-1')?.pool).toBe(pool);
  });

  it('is given up with its incident, like open uploads, and a retry can take it up', () => {
    tables.thumbnails.put({ clipId: 'clip-1', path: 'a.jpg', ...image });
    tables.multiparts.insert(multipartRow({ clipId: 'clip-1' }));
    tables.write(() => results.incidentGivenUp('incident-1', failureOf('PERMISSION_MISSING')));
    expect(tables.thumbnails.byClip('clip-1')?.state).toBe('failed');
    expect(tables.multiparts.byClip('clip-1')).toBeUndefined();
    expect(tables.orphans.byId(1)).toMatchObject({ clipId: 'clip-1', endedAt: null });
    expect(tables.audit.chain().rows.map(({ action }) => action)).toContain('clip.failed');
    expect(tables.thumbnails.requeue('clip-1')).toBe(1);
  });
});

describe('clipUploaded', () => {
  it('writes all clips of a transaction, each with its history and its row of the chain', () => {
    const announcements = tables.write(() => IDS.map(stored));
    expect(said).toEqual([]);
    for (const announce of announcements) announce?.();
    for (const id of IDS) {
      expect(tables.clips.byId(id)).toMatchObject({
        state: 'uploaded',
        storageKey: `key-${id}`,
        sha256: `sum-${id}`,
      });
      expect(tables.history.ofClip(id)).toMatchObject([
        { sequence: 1, startedAt: 5, facts: { kind: 'uploaded', storageKey: `key-${id}`, etag: `"${id}"` } },
      ]);
    }
    const { rows, ...ends } = tables.audit.chain();
    expect(findBreak({ rows, ...ends })).toBeUndefined();
    expect(rows.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual(
      IDS.map((id) => ['clip.sent', expect.objectContaining({ clipId: id, sha256: `sum-${id}` })]),
    );
    expect(said).toMatchObject(IDS.map((clipId) => ({ event: 'clip.uploaded', clipId })));
  });

  it('takes as many statements for fifty clips as for one', () => {
    const used = (ids: readonly string[]): number => {
      const before = statements;
      tables.write(() => ids.map(stored));
      return statements - before;
    };
    const one = used(IDS.slice(0, 1));
    expect(one).toBeGreaterThan(5);
    expect(used(MORE)).toBe(one);
  });

  it('names the parts of a clip that went in parts, and forgets its upload', () => {
    tables.multiparts.insert(multipartRow({ clipId: 'clip-2' }));
    const part = { number: 1, sizeBytes: 10, etag: 'e1', sha256: 's1', fromStart: 0 };
    tables.parts.put({ clipId: 'clip-2', ...part });
    tables.write(() => IDS.map(stored));
    const details = tables.audit.chain().rows.map(({ detail }): unknown => JSON.parse(detail));
    expect(details).toMatchObject([
      { clipId: 'clip-1', etag: '"clip-1"' },
      { clipId: 'clip-2', etags: ['e1'], partSha256: ['s1'] },
      { clipId: 'clip-3', etag: '"clip-3"' },
    ]);
    expect(tables.multiparts.byClip('clip-2')).toBeUndefined();
  });

  it('queues a clip that was settled again meanwhile, and writes the others', () => {
    tables.clips.setVersion('clip-2', { ...clipRow(), sizeBytes: 101 });
    tables.write(() => IDS.map(stored));
    expect(IDS.map((id) => tables.clips.byId(id)?.state)).toEqual(['uploaded', 'queued', 'uploaded']);
    expect(tables.jobs.of('send-clip', 'clip-2')).toMatchObject({ pool: 'large', state: 'ready' });
  });

  it('lets one clip that cannot be written hold up no other of its group', async () => {
    const groupCommit = createGroupCommit(tables, clock);
    const commit = (id: string, sha256: string) =>
      groupCommit.commit(() => void results.clipUploaded(id, `key-${id}`, sha256, version, { startedAt: 5 }));
    queue.db.exec(`CREATE TRIGGER broken BEFORE UPDATE OF state ON clips WHEN new.id = 'clip-2'
      BEGIN SELECT raise(ABORT, 'not this one'); END`);
    const ends = await Promise.allSettled(IDS.map((id) => commit(id, 'sum')));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(IDS.map((id) => tables.clips.byId(id)?.state)).toEqual(['uploaded', 'queued', 'uploaded']);
  });
});
