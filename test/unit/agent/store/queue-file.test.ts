import Database from 'better-sqlite3';
import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { putBackSaved, watchQueueFile } from '../../../../electron/agent/store/queue-file.ts';
import { incidentRow, openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

/** Pages in addition to those of the queue. */
const PAGES = 5_000;
const PAGE_BYTES = 4_096;

let queue: QueueFixture;
beforeEach(async () => {
  queue = await openQueue();
});
afterEach(() => queue.close());

it('saves a queue whose file was deleted, with what is written until its end, and lets others in meanwhile', async () => {
  const { db, file, tables } = queue;
  db.exec(`CREATE TABLE filler (bytes BLOB); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
    WHERE i < ${PAGES}) INSERT INTO filler SELECT zeroblob(${PAGE_BYTES}) FROM n`);
  const notes: string[] = [];
  let why: (() => Failure) | undefined;
  const end = watchQueueFile(file, db, {
    note: (action) => void notes.push(action),
    reopen: (failure) => void (why = typeof failure === 'function' ? failure : undefined),
  });
  await rm(file);
  await vi.waitFor(() => expect(notes).toEqual(['queue.deleted']), { timeout: 15_000 });
  tables.incidents.insert(incidentRow());
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await end();
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  // Like the queue itself, whatever mode the program's files get by default
  expect(statSync(`${file}.saved`).mode & 0o077).toBe(0);
  db.close();
  putBackSaved(file);
  const saved = new Database(file, { readonly: true });
  expect(saved.prepare('SELECT count(*) FROM incidents').pluck().get()).toBe(1);
  expect(saved.prepare('SELECT count(*) FROM filler').pluck().get()).toBe(PAGES);
  expect(saved.pragma('quick_check', { simple: true })).toBe('ok');
  saved.close();
  expect(why?.().message).toMatch(/nothing was lost\.$/);
});

it('notices at the first look that the file is already gone', async () => {
  const { db, file } = queue;
  const notes: string[] = [];
  await rm(file);
  const end = watchQueueFile(file, db, {
    note: (action) => void notes.push(action),
    reopen: () => undefined,
  });
  await vi.waitFor(() => expect(notes).toEqual(['queue.deleted']), { timeout: 15_000 });
  await end();
  expect(existsSync(`${file}.saved`)).toBe(true);
});

it('says when a queue whose file was deleted could not be saved', async () => {
  const { db, file, dir } = queue;
  let why: (() => Failure) | undefined;
  const end = watchQueueFile(file, db, {
    note: () => undefined,
    reopen: (failure) => void (why = typeof failure === 'function' ? failure : undefined),
  });
  await rm(dir, { recursive: true });
  await vi.waitFor(() => expect(why).toBeDefined(), { timeout: 15_000 });
  await end();
  expect(why?.().message).toMatch(/could not be saved/);
});
