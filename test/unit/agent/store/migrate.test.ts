import Database from 'better-sqlite3';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  ordersAndPages,
  firstSchema,
  history,
} from '../../../../electron/agent/store/migrations/0001-to-0003.ts';
import {
  APPLICATION_ID,
  openDb,
  type WriteDb,
  SCHEMA_VERSION,
} from '../../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../../electron/agent/store/tables.ts';
import { historyTroubles } from '../../../helpers/check-history.ts';
import { clipRow, failureOf } from '../../../helpers/queue-fixture.ts';
import { makeUnsyncedFolder } from '../../../helpers/unsynced-folder.ts';

let dir = '';
let opened: WriteDb | undefined;

beforeEach(async () => {
  dir = await makeUnsyncedFolder('migrate-');
});
afterEach(async () => {
  opened?.close();
  opened = undefined;
  await rm(dir, { recursive: true });
});

/** A queue as the first version left it: two incidents, one of them without clips. */
function makeFirst(file: string): void {
  const db = new Database(file);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.exec(firstSchema);
  db.pragma('user_version = 1');
  db.exec(`INSERT INTO desk VALUES (1, 'desk-1');
    INSERT INTO incidents (id, root_id, root_path, export_path, birth_ms, title, sources, created_at, updated_at)
    VALUES ('empty', 'r', '/r', 'e', 1, 'Empty', '{}', 1, 1), ('full', 'r', '/r', 'f', 1, 'Full', '{}', 1, 1)`);
  const insert =
    db.prepare(`INSERT INTO clips (id, incident_id, path, state, size_bytes, mtime_ns, inode, device,
    service_name, sources, created_at) VALUES (?, 'full', ?, ?, ?, '1', '1', '1', 's', '{}', 1)`);
  for (const [id, state, bytes] of [
    ['a', 'queued', 1],
    ['b', 'uploaded', 2],
    ['c', 'uploaded', 4],
    ['d', 'failed', 8],
  ] as const)
    insert.run(id, `${id}.mp4`, state, bytes);
  db.exec(`INSERT INTO jobs (kind, subject, pool, incident_id, state, priority, due_at, created_at)
    VALUES ('send-clip', 'a', 'small', 'full', 'ready', 50, 0, 0)`);
  db.close();
}

function open(file: string): WriteDb {
  const result = openDb(file);
  if (!result.ok) throw new Error(result.error.message);
  opened = result.value;
  return opened;
}

it('makes a new queue whole, or leaves the file as it was', () => {
  const file = join(dir, 'queue.db');
  const begun = new Database(file);
  begun.pragma(`application_id = ${APPLICATION_ID}`);
  // Blocks the last step
  begun.exec('CREATE TABLE seen_exports_with_markers (a)');
  begun.close();
  expect(openDb(file)).toMatchObject({ ok: false });
  const left = new Database(file);
  const tables = left.prepare('SELECT name FROM sqlite_schema WHERE type = ?').pluck().all('table');
  expect([left.pragma('user_version', { simple: true }), tables]).toEqual([0, ['seen_exports_with_markers']]);
  left.close();
});

it('brings a queue of the first version up to date: nothing is paused, and its clips are counted', () => {
  const file = join(dir, 'queue.db');
  makeFirst(file);
  const db = open(file);
  const tables = createTables(db);
  expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect([tables.desk.identity()?.deskId, tables.desk.isPaused()]).toEqual(['desk-1', false]);
  const numbers = ['empty', 'full'].map((id) => tables.incidentPages.numberOf(id));
  expect(numbers.map((number) => tables.incidentPages.tally(number))).toEqual([
    { waiting: 0, held: 0, uploaded: 0, failed: 0, leftOut: 0 },
    { waiting: 1, held: 0, uploaded: 2, failed: 1, leftOut: 0 },
  ]);
  expect(tables.clips.totals()).toEqual([
    { state: 'queued', clips: 1, bytes: 1, held: 0, heldBytes: 0 },
    { state: 'uploaded', clips: 2, bytes: 6, held: 0, heldBytes: 0 },
    { state: 'failed', clips: 1, bytes: 8, held: 0, heldBytes: 0 },
  ]);
  expect(tables.jobs.claim('small', 1, 'me', 0)).toHaveLength(1);
});

it('goes on counting in a queue that was brought up to date', () => {
  const file = join(dir, 'queue.db');
  makeFirst(file);
  const { clips, incidentPages } = createTables(open(file));
  clips.insert(clipRow({ id: 'e', incidentId: 'full', path: 'e.mp4', sizeBytes: 16 }));
  clips.insert(clipRow({ id: 'f', incidentId: 'empty', path: 'f.mp4', sizeBytes: 32 }));
  clips.uploaded('a', 'key', null, 1);
  clips.setVersion('e', { sizeBytes: 17, mtimeNs: '1', inode: '1', device: '1' });
  expect(incidentPages.tally()).toEqual({ waiting: 2, held: 0, uploaded: 3, failed: 1, leftOut: 0 });
  expect(clips.totals().map(({ bytes }) => bytes)).toEqual([49, 7, 8]);
});

/** A queue as the second version left it: one clip was refused, an incident was synced. */
function makeSecond(file: string): void {
  makeFirst(file);
  const db = new Database(file);
  db.exec(ordersAndPages);
  db.pragma('user_version = 2');
  db.prepare("UPDATE clips SET failure = ? WHERE id = 'd'").run(
    JSON.stringify(failureOf('FILE_EMPTY', { message: 'd.mp4 is empty.' })),
  );
  db.exec("UPDATE clips SET storage_key = 'key-' || id, uploaded_at = 7 WHERE state = 'uploaded'");
  db.exec("UPDATE incidents SET synced_version = 2, last_put_at = 9 WHERE id = 'full'");
  db.close();
}

it('begins a history for what a queue of the second version holds, and goes on with it', () => {
  const file = join(dir, 'queue.db');
  makeSecond(file);
  const db = open(file);
  const { clips, history: events } = createTables(db);
  expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  const of = (id: string) => events.ofClip(id).map(({ at, facts }) => [at, facts]);
  const queued = [1, { kind: 'queued', generation: 1 }];
  expect(of('a')).toEqual([queued]);
  expect(of('b')).toEqual([queued, [7, { kind: 'uploaded', storageKey: 'key-b' }]]);
  const reason = { code: 'FILE_EMPTY', message: 'd.mp4 is empty.' };
  expect(of('d')).toEqual([queued, [1, { kind: 'tried', end: 'given-up', reason }]]);
  expect(events.ofIncident('full').map(({ facts }) => facts)).toEqual([
    { kind: 'queued' },
    { kind: 'told', version: 2 },
  ]);
  for (const id of ['a', 'b', 'c', 'd']) {
    const state = clips.byId(id)?.state ?? 'queued';
    expect(historyTroubles({ state }, events.ofClip(id))).toEqual([]);
  }
  events.clip('d', { at: 10, facts: { kind: 'retried' } });
  expect(events.ofClip('d').at(-1)).toMatchObject({ sequence: 3, facts: { kind: 'retried' } });
});

it('takes every image of a queue of the second version for one of its export', () => {
  const file = join(dir, 'queue.db');
  makeSecond(file);
  const before = new Database(file);
  before.exec(`INSERT INTO thumbnails (clip_id, path, state, size_bytes, mtime_ns, inode, device, service_name)
    VALUES ('a', 'a.jpg', 'uploaded', 1, '1', '1', '1', 'a.jpg')`);
  before.close();
  expect(createTables(open(file)).thumbnails.byClip('a')).toMatchObject({ origin: 'export', made: null });
});

it('fault 4: stays a queue of the second version when it is killed in the middle, and is brought up to date next time', () => {
  const file = join(dir, 'queue.db');
  makeSecond(file);
  const writer = new Database(file);
  writer.exec('BEGIN IMMEDIATE');
  writer.exec(history);
  // As after a kill: nothing uncommitted is left
  writer.close();
  const before = new Database(file);
  expect(before.pragma('user_version', { simple: true })).toBe(2);
  expect(before.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'history'").pluck().get()).toBe(0);
  before.close();
  expect(open(file).pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
});

it('knows what was sent before, and what is sent after, each once', () => {
  const file = join(dir, 'queue.db');
  makeSecond(file);
  const { clips, sent } = createTables(open(file));
  const pathsOf = (): readonly string[] => sent.ofIncident('full').map(({ path }) => path);
  expect(pathsOf()).toEqual(['b.mp4', 'c.mp4']);
  sent.setSum('b', 'sum of b');
  // When placed again, it keeps the checksum that only this table has
  clips.place('b', 'moved.mp4', 1);
  clips.uploaded('a', 'key-a', 'sum of a', 8);
  expect(pathsOf().toSorted()).toEqual(['a.mp4', 'c.mp4', 'moved.mp4']);
  expect(sent.equal(2, 'sum of b')).toMatchObject([{ clipId: 'b', path: 'moved.mp4', storageKey: 'key-b' }]);
  expect([sent.has('full', 'a'), sent.has('full', 'd'), sent.has('empty', 'a')]).toEqual([
    true,
    false,
    false,
  ]);
});
