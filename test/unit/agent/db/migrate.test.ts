import Database from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { firstSchema } from '../../../../electron/agent/db/migrations/0001-first-schema.ts';
import { APPLICATION_ID, openDb, type WriteDb } from '../../../../electron/agent/db/open-db.ts';
import { createTables } from '../../../../electron/agent/db/tables.ts';
import { clipRow } from '../../../helpers/queue-fixture.ts';

let dir = '';
let opened: WriteDb | undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'migrate-'));
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

it('brings a queue of the first version up to date: nothing is paused, and its clips are counted', () => {
  const file = join(dir, 'queue.db');
  makeFirst(file);
  const db = open(file);
  const tables = createTables(db);
  expect(db.pragma('user_version', { simple: true })).toBe(2);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect([tables.desk.get(), tables.desk.isPaused()]).toEqual(['desk-1', false]);
  const numbers = ['empty', 'full'].map((id) => tables.incidentPages.numberOf(id));
  expect(numbers.map((number) => tables.incidentPages.tally(number))).toEqual([
    { waiting: 0, held: 0, uploaded: 0, failed: 0 },
    { waiting: 1, held: 0, uploaded: 2, failed: 1 },
  ]);
  expect(tables.clips.totals()).toEqual([
    { state: 'queued', clips: 1, bytes: 1, heldBytes: 0 },
    { state: 'uploaded', clips: 2, bytes: 6, heldBytes: 0 },
    { state: 'failed', clips: 1, bytes: 8, heldBytes: 0 },
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
  expect(incidentPages.tally()).toEqual({ waiting: 2, held: 0, uploaded: 3, failed: 1 });
  expect(clips.totals().map(({ bytes }) => bytes)).toEqual([49, 7, 8]);
});
