import Database from 'better-sqlite3';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { existsSync, rmSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../ports.ts';
import { dataDirFailure } from './store-failures.ts';
import { migrations as first } from './migrations/0001-to-0003.ts';
import { migrations as middle } from './migrations/0004-to-0014.ts';
import { migrations as latest } from './migrations/0015-to-0026.ts';

/** Name of the queue database in the data directory. */
export const DATABASE_FILE = 'queue.db';

/** Marks the file as ours ("VMSX"), so that a database of another program is never touched. */
export const APPLICATION_ID = 0x564d5358;
const BUSY_TIMEOUT_MS = 5000;
/** A longer log is cut to this once it starts over. */
export const JOURNAL_SIZE_LIMIT_BYTES = 64 * 1024 * 1024;

/** A connection that may write. Functions that only read take `ReadDb`. */
export type WriteDb = Database.Database;
/** A connection used for reading. */
export type ReadDb = Pick<Database.Database, 'prepare' | 'pragma'>;

/**
 * The settings that every open connection must have. better-sqlite3 compiles WAL databases to synchronous NORMAL on
 * each re-open, which loses acknowledged work in a power cut, so FULL is set and read back every time.
 */
const settings: readonly (readonly [name: string, set: string, expected: string | number])[] = [
  ['journal_mode', 'WAL', 'wal'],
  ['synchronous', 'FULL', 2],
  ['foreign_keys', 'ON', 1],
  ['recursive_triggers', 'ON', 1],
  ['trusted_schema', 'OFF', 0],
  ['busy_timeout', String(BUSY_TIMEOUT_MS), BUSY_TIMEOUT_MS],
  ['wal_autocheckpoint', '1000', 1000],
  ['journal_size_limit', String(JOURNAL_SIZE_LIMIT_BYTES), JOURNAL_SIZE_LIMIT_BYTES],
  ['checkpoint_fullfsync', 'ON', 1],
];

function broken(file: string, what: string, detail?: string): Failure {
  return {
    code: 'DB_BROKEN',
    message: `The queue database ${file} cannot be used: ${what}.`,
    advice:
      'The database will be set aside when the agent next opens it, and rebuilt from the watched folders and the service.',
    retryable: false,
    ...(detail === undefined ? {} : { detail }),
  };
}

function applySettings(db: WriteDb, file: string): Failure | undefined {
  for (const [name, set, expected] of settings) {
    db.pragma(`${name} = ${set}`);
    const actual = db.pragma(name, { simple: true });
    if (actual !== expected)
      return broken(file, 'a database setting could not be applied', `${name} is ${String(actual)}`);
  }
  return undefined;
}

function foreign(file: string): Failure {
  return {
    code: 'DB_FOREIGN',
    message: `The database ${file} belongs to another program.`,
    advice: 'Move the file elsewhere, or use another data directory. The file was not changed.',
    retryable: false,
  };
}

function isMarked(db: ReadDb): boolean {
  return db.pragma('application_id', { simple: true }) === APPLICATION_ID;
}

function isForeign(db: ReadDb): boolean {
  if (isMarked(db)) return false;
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
  return !isEmpty || db.pragma('application_id', { simple: true }) !== 0;
}

/**
 * Checks on a read-only connection: one that may write copies the log into the database just by opening and closing it.
 * The file is never read without SQLite: closing it would drop the locks that this process has on it.
 */
function looksForeign(file: string): boolean {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    return isForeign(db);
  } catch {
    // New, damaged or out of reach: opening it for writing reports which
    return false;
  } finally {
    db?.close();
  }
}

/**
 * A larger database is checked while it is in use, bytes: 32 MiB block everything for 40 ms, a gigabyte for ten
 * seconds.
 */
const CHECKED_AT_ONCE_BYTES = 32 * 1024 * 1024;

/** Marker file beside a database in which damage was seen: its next opening checks every page. */
export const suspectFile = (file: string): string => `${file}.suspect`;

/** Whether opening this database checks every page. A new one has none. */
export function isCheckedAtOnce(file: string): boolean {
  if (existsSync(suspectFile(file))) return true;
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= CHECKED_AT_ONCE_BYTES;
}

function checkPages(db: WriteDb, file: string): Failure | undefined {
  if (!isCheckedAtOnce(file)) return undefined;
  const check = db.pragma('quick_check(1)', { simple: true });
  if (check !== 'ok') return broken(file, 'its contents are damaged', String(check));
  rmSync(suspectFile(file), { force: true });
  return undefined;
}

/** In order; the position is the schema version. */
const migrations: readonly string[] = [...first, ...middle, ...latest];

/** The schema version that this program upgrades a database to. */
export const SCHEMA_VERSION = migrations.length;

/** The failure for a database whose schema is newer than this program knows. */
function newerSchema(db: Pick<Database.Database, 'pragma'>, file: string): Failure | undefined {
  const version = schemaVersion(db);
  if (version <= migrations.length) return undefined;
  return {
    code: 'DB_NEWER',
    message: `The database ${file} is from a newer version (schema ${version}; this version supports up to ${migrations.length}).`,
    advice: 'Install the newer version again. The database was not changed.',
    retryable: false,
  };
}

/** The failure for a database that the agent has not upgraded yet: an earlier version may be using it. */
function olderSchema(db: Pick<Database.Database, 'pragma'>, file: string): Failure | undefined {
  if (schemaVersion(db) >= migrations.length) return undefined;
  return {
    code: 'DATA_FOLDER',
    message: `The database ${file} is from an earlier version and has not been upgraded yet.`,
    advice: 'Start this version of the agent once to upgrade it.',
    retryable: true,
  };
}

function schemaVersion(db: Pick<Database.Database, 'pragma'>): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Brings the schema up to date, each step in a transaction of its own together with its version number; all steps in
 * one transaction for a new database, which has nothing to lose.
 */
function migrate(db: Database.Database): void {
  const version = schemaVersion(db);
  const run = (): void => {
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      db.transaction(() => {
        db.exec(sql);
        db.pragma(`user_version = ${index + 1}`);
      }).immediate();
    }
  };
  if (version === 0) db.transaction(run).immediate();
  else run();
}

function prepareDb(db: WriteDb, file: string, mayUpgrade: boolean): Failure | undefined {
  const damage = checkPages(db, file);
  if (damage !== undefined) return damage;
  if (isForeign(db)) return foreign(file);
  const newer = newerSchema(db, file);
  if (newer !== undefined) return newer;
  const older = mayUpgrade ? undefined : olderSchema(db, file);
  if (older !== undefined) return older;
  // Before anything else is written, so that a kill in between leaves a file that is recognised as ours
  if (!isMarked(db)) db.pragma(`application_id = ${APPLICATION_ID}`);
  const unsettled = applySettings(db, file);
  if (unsettled !== undefined) return unsettled;
  migrate(db);
  // What a statement may have to undo would otherwise go into the system's temporary folder beyond 64 KiB: 32 writes for
  // each clip that is taken in, which fail once that disk is full. Migrations may use it: they sort for new indices.
  db.pragma('temp_store = MEMORY');
  return undefined;
}

/**
 * Opens the queue database with durable settings and brings its schema up to date. Errors: DB_BROKEN (damaged),
 * DB_FOREIGN (not ours), DB_NEWER (made by a newer version), DATA_FOLDER (cannot be opened).
 */
export function openDb(file: string): Result<WriteDb, Failure> {
  return openPrepared(file, true);
}

/**
 * Opens an existing queue database for writing beside the agent that may be using it. Errors: as `openDb`; DATA_FOLDER
 * also for a schema that is not up to date.
 */
export function openDbBeside(file: string): Result<WriteDb, Failure> {
  return openPrepared(file, false);
}

function openPrepared(file: string, mayUpgrade: boolean): Result<WriteDb, Failure> {
  if (looksForeign(file)) return err(foreign(file));
  let db: WriteDb | undefined;
  try {
    db = new Database(file);
    const failure = prepareDb(db, file, mayUpgrade);
    if (failure === undefined) return ok(db);
    db.close();
    return err(failure);
  } catch (error) {
    db?.close();
    return err(openFailure(file, error));
  }
}

const damagedCodes = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_ERROR', 'SQLITE_SCHEMA']);

function openFailure(file: string, error: unknown): Failure {
  const code = error instanceof Database.SqliteError ? error.code : '';
  const detail = error instanceof Error ? error.message : String(error);
  if (damagedCodes.has(code.split('_').slice(0, 2).join('_')))
    return broken(file, 'it cannot be read', detail);
  return dataDirFailure(dirname(file), error);
}

/**
 * Opens an existing queue database for reading beside the agent that owns it. Errors: as `openDb`; DATA_FOLDER
 * also for a schema that is not up to date.
 */
export function openDbForReading(file: string): Result<ReadDb & { close(): void }, Failure> {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    db.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    const failure = isForeign(db) ? foreign(file) : (newerSchema(db, file) ?? olderSchema(db, file));
    if (failure === undefined) return ok(db);
    db.close();
    return err(failure);
  } catch (error) {
    db?.close();
    return err(openFailure(file, error));
  }
}

/** A damaged queue: the name under which it was set aside, and its desk's ID, if that could still be read. */
export interface Rebuilt {
  readonly failure: Failure;
  readonly setAside: string;
  readonly deskId: string | undefined;
}

/**
 * Opens the queue. A damaged one is set aside, never deleted, and rebuilt from the folders and the service. Rejects
 * with `FailureError`, as `openDb`.
 */
export async function openOrRebuild(
  dataDir: string,
  clock: Pick<Clock, 'now'>,
): Promise<{ readonly db: WriteDb; readonly rebuilt?: Rebuilt }> {
  const file = join(dataDir, DATABASE_FILE);
  const opened = openDb(file);
  if (opened.ok) return { db: opened.value };
  if (opened.error.code !== 'DB_BROKEN') throw new FailureError(opened.error);
  const deskId = deskOfBroken(file);
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  for (const suffix of ['', '-wal', '-shm']) {
    await rename(file + suffix, `${file}.broken-${stamp}${suffix}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
  await rm(suspectFile(file), { force: true });
  const fresh = openDb(file);
  if (!fresh.ok) throw new FailureError(fresh.error);
  const setAside = `${basename(file)}.broken-${stamp}`;
  return { db: fresh.value, rebuilt: { failure: opened.error, setAside, deskId } };
}

/** The desk ID of a damaged queue, if its page can still be read. */
function deskOfBroken(file: string): string | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    return db.prepare<[], string>('SELECT desk_id FROM desk').pluck().get();
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}
