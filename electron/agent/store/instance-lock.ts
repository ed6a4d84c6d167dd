import Database from 'better-sqlite3';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';

const LOCK_FILE = 'lock.db';
const OWNER_FILE = 'owner.db';
/** How long the note about the owner is waited for, milliseconds: it is read and written in an instant. */
const NOTE_TIMEOUT_MS = 200;

/** How long a start waits for somebody who only looks whether the directory is owned, milliseconds. */
const PEEK_TIMEOUT_MS = 200;

/** Held for as long as this process owns the data directory; the operating system drops it when the process ends. */
export interface InstanceLock {
  release(): void;
}

/**
 * Takes the data directory for this process: an exclusive SQLite lock, which is an OS file lock and so
 * vanishes with the process, also on kill -9. The caller must keep the returned object: a handle nobody
 * references is collected and its lock is gone. Errors: DATA_IN_USE, DATA_FOLDER.
 */
export function takeInstanceLock(dataDir: string, startedAtMs: number): Result<InstanceLock, Failure> {
  const file = join(dataDir, LOCK_FILE);
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: PEEK_TIMEOUT_MS });
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE; COMMIT;');
    const held = db;
    noteOwner(dataDir, startedAtMs);
    return ok({ release: () => held.close() });
  } catch (error) {
    db?.close();
    return err(lockFailure(dataDir, error));
  }
}

/** True while an agent owns the data directory: leases in its queue are those of a living process. */
export function isOwned(dataDir: string): boolean {
  let db: Database.Database | undefined;
  try {
    db = new Database(join(dataDir, LOCK_FILE), { readonly: true, fileMustExist: true, timeout: 0 });
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    db?.close();
  }
}

const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');

/**
 * The owner is written to a second file, because the locked one cannot be read by whoever is refused. It is a
 * courtesy: when it cannot be written, the lock holds all the same.
 */
function noteOwner(dataDir: string, startedAtMs: number): void {
  let note: Database.Database | undefined;
  try {
    note = new Database(join(dataDir, OWNER_FILE), { timeout: NOTE_TIMEOUT_MS });
    note.exec(
      'CREATE TABLE IF NOT EXISTS owner (id INTEGER PRIMARY KEY, pid INTEGER, host TEXT, since INTEGER)',
    );
    note
      .prepare('INSERT OR REPLACE INTO owner VALUES (1, ?, ?, ?)')
      .run(process.pid, hostname(), startedAtMs);
  } catch {
    // Whoever is refused learns less
  } finally {
    note?.close();
  }
}

function readOwner(dataDir: string): string {
  try {
    const note = new Database(join(dataDir, OWNER_FILE), { readonly: true, timeout: NOTE_TIMEOUT_MS });
    const row: unknown = note
      .prepare(
        "SELECT pid || ' on ' || host || ', since ' || datetime(since / 1000, 'unixepoch') || ' UTC' FROM owner",
      )
      .pluck()
      .get();
    note.close();
    return typeof row === 'string' ? ` (process ${row})` : '';
  } catch {
    return '';
  }
}

function lockFailure(dataDir: string, error: unknown): Failure {
  if (isBusy(error)) {
    return {
      code: 'DATA_IN_USE',
      message: `Another agent owns the data directory ${dataDir}${readOwner(dataDir)}.`,
      advice: 'Stop that agent, or give this one another --data-dir.',
      retryable: false,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return {
    code: 'DATA_FOLDER',
    message: `The data directory ${dataDir} cannot be used: ${detail}.`,
    advice: 'Check that it is a folder on a local disk which this account may write.',
    retryable: false,
    detail,
  };
}
