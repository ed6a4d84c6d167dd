import { createHash } from 'node:crypto';
import { copyFile, open, readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  APPLICATION_ID,
  openDb,
  openDbBeside,
  openDbForReading,
  SCHEMA_VERSION,
} from '../../../../electron/agent/store/open-db.ts';
import { createTables } from '../../../../electron/agent/store/tables.ts';
import { clipRow, incidentRow } from '../../../helpers/queue-fixture.ts';
import { makeUnsyncedFolder } from '../../../helpers/unsynced-folder.ts';

const PAGE_BYTES = 4096;

let dir = '';
let file = '';
const opened: Database.Database[] = [];

beforeEach(async () => {
  dir = await makeUnsyncedFolder('open-db-');
  file = join(dir, 'queue.db');
});
afterEach(async () => {
  for (const db of opened.splice(0)) db.close();
  await rm(dir, { recursive: true, force: true });
});

function openOurs(path = file): Database.Database {
  const result = openDb(path);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  opened.push(result.value);
  return result.value;
}

function closeAll(): void {
  for (const db of opened.splice(0)) db.close();
}

const codeOf = (result: ReturnType<typeof openDb> | ReturnType<typeof openDbForReading>): string => {
  if (result.ok) result.value.close();
  return result.ok ? 'ok' : result.error.code;
};

/** A queue of a few dozen pages, closed cleanly. */
function fillQueue(): void {
  const tables = createTables(openOurs());
  tables.write(() => {
    tables.incidents.insert(incidentRow());
    for (let number = 0; number < 500; number += 1) {
      tables.clips.insert(clipRow({ id: `clip-${number}`, path: `${number}.mp4`, facts: 'x'.repeat(300) }));
    }
  });
  closeAll();
}

function makeForeign(path: string, journal: string): Database.Database {
  const foreign = new Database(path);
  opened.push(foreign);
  foreign.pragma(`journal_mode = ${journal}`);
  foreign.exec('CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)');
  return foreign;
}

/**
 * SHA-256 of each file in the folder; empty for an empty log, and without shared memory, both of which readers leave
 * behind.
 */
async function contents(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('-shm')).toSorted();
  const sums = names.map(async (name) => {
    const bytes = await readFile(join(folder, name));
    return [name, bytes.length === 0 ? '' : createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return new Map((await Promise.all(sums)).filter(([, sum]) => sum !== ''));
}

describe('openDb', () => {
  const settings = {
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    recursive_triggers: 1,
    trusted_schema: 0,
    busy_timeout: 5000,
    temp_store: 2,
    wal_autocheckpoint: 1000,
    journal_size_limit: 64 * 1024 * 1024,
    application_id: APPLICATION_ID,
    user_version: SCHEMA_VERSION,
  };

  it.each([['at the first open'], ['at each later open']])('has the durable settings %s', (when) => {
    if (when !== 'at the first open') {
      openOurs();
      closeAll();
    }
    const db = openOurs();
    const names = Object.keys(settings);
    const actual = Object.fromEntries(names.map((name) => [name, db.pragma(name, { simple: true })]));
    expect(actual).toEqual(settings);
  });

  it('keeps what was written', () => {
    fillQueue();
    const tables = createTables(openOurs());
    expect(tables.incidents.byId('incident-1')?.title).toBe('Gate 4');
    expect(tables.clips.ofIncident('incident-1')).toHaveLength(500);
  });

  it('enforces references between tables', () => {
    const tables = createTables(openOurs());
    expect(() => tables.clips.insert(clipRow())).toThrow(/FOREIGN KEY/);
  });

  it('goes on where a first open was killed after it had marked the file', () => {
    const begun = new Database(file);
    begun.pragma(`application_id = ${APPLICATION_ID}`);
    begun.close();
    expect(openOurs().pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
  });

  it.each(['DELETE', 'WAL'])(
    'input H2: refuses a database of another program (%s) and leaves it as it was',
    async (journal) => {
      makeForeign(file, journal).close();
      const before = await contents(dir);
      expect(codeOf(openDb(file))).toBe('DB_FOREIGN');
      expect(await contents(dir)).toEqual(before);
    },
  );

  it('leaves the log of another program alone that was killed before it had written it back', async () => {
    const source = join(dir, 'source.db');
    const foreign = makeForeign(source, 'WAL');
    const killed = await makeUnsyncedFolder('open-db-');
    try {
      const copy = join(killed, 'queue.db');
      for (const suffix of ['', '-wal']) await copyFile(source + suffix, copy + suffix);
      foreign.close();
      const before = await contents(killed);
      expect(before.size).toBe(2);
      expect(codeOf(openDb(copy))).toBe('DB_FOREIGN');
      expect(await contents(killed)).toEqual(before);
    } finally {
      await rm(killed, { recursive: true });
    }
  });

  it('refuses a database of another program that has a mark of its own and no tables yet', async () => {
    const foreign = new Database(file);
    foreign.pragma('application_id = 1196444487');
    foreign.close();
    expect(codeOf(openDb(file))).toBe('DB_FOREIGN');
  });

  it('fault 27: refuses a database of a newer version, names both versions, and leaves it as it was', async () => {
    fillQueue();
    const newer = new Database(file);
    newer.pragma('user_version = 99');
    newer.close();
    const before = await contents(dir);
    const result = openDb(file);
    expect(result).toMatchObject({ ok: false, error: { code: 'DB_NEWER', retryable: false } });
    expect(result.ok ? '' : result.error.message).toContain(
      `schema 99; this version supports up to ${SCHEMA_VERSION}`,
    );
    expect(await contents(dir)).toEqual(before);
  });

  it('takes a file of zero bytes for a new database', async () => {
    fillQueue();
    await truncate(file, 0);
    expect(createTables(openOurs()).incidents.count()).toBe(0);
  });

  it('tells a text file to be broken', async () => {
    await writeFile(file, 'Dear reader, this is no database. '.repeat(50));
    expect(codeOf(openDb(file))).toBe('DB_BROKEN');
  });

  it.each([
    ['in the middle of a page', 5 * PAGE_BYTES + 100],
    ['after whole pages', 5 * PAGE_BYTES],
    ['within its header', 60],
  ])('tells a database to be broken that was cut off %s', async (_where, bytes) => {
    fillQueue();
    await truncate(file, bytes);
    expect(codeOf(openDb(file))).toBe('DB_BROKEN');
  });

  it.each([1, 2, 10])('tells a database to be broken whose page %i is nothing but 0xFF', async (page) => {
    fillQueue();
    const handle = await open(file, 'r+');
    await handle.write(Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    await handle.close();
    expect(codeOf(openDb(file))).toBe('DB_BROKEN');
  });

  it('opens, or tells to be broken, a database whose log was removed after a kill', async () => {
    const source = join(dir, 'source.db');
    const live = openOurs(source);
    createTables(live).incidents.insert(incidentRow());
    // As after a kill: the file as it was, without the log that holds the rest
    await copyFile(source, file);
    expect((await stat(`${source}-wal`)).size).toBeGreaterThan(0);
    const db = openOurs();
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(createTables(db).incidents.count()).toBe(0);
  });

  it.each([
    ['a folder that is not there', () => join(dir, 'missing', 'queue.db')],
    ['a folder in place of the file', () => dir],
  ])('says that the data directory is at fault for %s', (_what, path) => {
    expect(codeOf(openDb(path()))).toBe('DATA_FOLDER');
  });
});

describe('openDbBeside', () => {
  it('writes to a queue that is up to date, and leaves an older one to the agent that may be using it', () => {
    const version = Number(openOurs().pragma('user_version', { simple: true }));
    expect(codeOf(openDbBeside(file))).toBe('ok');
    openOurs().pragma(`user_version = ${version - 1}`);
    expect(codeOf(openDbBeside(file))).toBe('DATA_FOLDER');
    expect(opened[0]?.pragma('user_version', { simple: true })).toBe(version - 1);
  });
});

describe('openDbForReading', () => {
  it('reads beside the connection that writes', () => {
    const writer = createTables(openOurs());
    const result = openDbForReading(file);
    if (!result.ok) throw new Error(result.error.message);
    writer.incidents.insert(incidentRow());
    expect(result.value.prepare('SELECT count(*) FROM incidents').pluck().get()).toBe(1);
    result.value.close();
  });

  it('cannot write', () => {
    openOurs();
    const result = openDbForReading(file);
    if (!result.ok) throw new Error(result.error.message);
    expect(() => result.value.prepare('DELETE FROM jobs').run()).toThrow(/readonly/);
    result.value.close();
  });

  it.each([
    ['is missing', async () => undefined, 'DATA_FOLDER'],
    ['is text', () => writeFile(file, 'no database '.repeat(50)), 'DB_BROKEN'],
    ['is of another program', async () => makeForeign(file, 'DELETE').close(), 'DB_FOREIGN'],
    [
      'was never brought up to date',
      async () => {
        openOurs().pragma('user_version = 0');
        closeAll();
      },
      'DATA_FOLDER',
    ],
    [
      'is of a newer version',
      async () => {
        openOurs().pragma('user_version = 99');
        closeAll();
      },
      'DB_NEWER',
    ],
  ])('says so when the file %s', async (_what, make, code) => {
    await make();
    expect(codeOf(openDbForReading(file))).toBe(code);
  });
});
