import Database from 'better-sqlite3';
import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import type { Clock } from '../ports.ts';
import { dataDirFailure } from './store-failures.ts';

/** Locking this file locks the data directory. */
export const LOCK_FILE = 'lock.db';
/** Names the owner of the lock. */
export const OWNER_FILE = 'owner.db';
/** Longest wait for the note about the owner, milliseconds: it is read and written in an instant. */
const NOTE_TIMEOUT_MS = 200;

/** Time between two attempts to take the lock, milliseconds. */
const RETRY_MS = 100;
/**
 * Longest wait for an owner that is alive, milliseconds: one that was just killed may take as long to disappear, and
 * another process may only have looked.
 */
const ALIVE_MS = 1_000;
/** Longest wait for the lock of an owner whose process is gone or ending, milliseconds. */
const GONE_MS = 10_000;

/** Held for as long as this process owns the data directory; the operating system drops it when the process ends. */
export interface InstanceLock {
  /** The file was damaged and has been recreated. */
  readonly wasDamaged: boolean;
  release(): void;
}

/**
 * Takes the data directory for this process: an exclusive SQLite lock, which is an OS file lock and so disappears with
 * the process, also on kill -9. The caller must keep the returned object: an unreferenced handle is garbage-collected
 * and its lock is gone. After an owner was killed, waits until the system has released its lock. Errors: DATA_IN_USE,
 * DATA_FOLDER, DISK_FULL.
 */
export async function takeInstanceLock(
  dataDir: string,
  clock: Pick<Clock, 'monotonic' | 'now' | 'sleep'>,
): Promise<Result<InstanceLock, Failure>> {
  const startedMs = clock.monotonic();
  let wasDamaged = false;
  for (;;) {
    try {
      return ok({ ...tryLock(dataDir, clock.now()), wasDamaged });
    } catch (error) {
      if (isDamaged(error) && !wasDamaged) {
        wasDamaged = true;
        empty(join(dataDir, LOCK_FILE));
        continue;
      }
      if (!isBusy(error)) return err(dataDirFailure(dataDir, error));
      const mostMs = isRunning(ownerOf(dataDir)) ? ALIVE_MS : GONE_MS;
      if (clock.monotonic() - startedMs >= mostMs) return err(inUse(dataDir));
      await clock.sleep(RETRY_MS);
    }
  }
}

function tryLock(dataDir: string, startedAtMs: number): Pick<InstanceLock, 'release'> {
  const db = new Database(join(dataDir, LOCK_FILE), { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE; COMMIT;');
  } catch (error) {
    db.close();
    throw error;
  }
  noteOwner(dataDir, startedAtMs);
  return { release: () => db.close() };
}

const isDamaged = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);

/**
 * Empties the damaged lock file, which holds no data. It is not replaced: whoever took the lock meanwhile holds it on
 * this very file, and a second file of the same name would have a second owner. Errors are left to the next attempt.
 */
function empty(file: string): void {
  try {
    rmSync(`${file}-journal`, { force: true });
    truncateSync(file);
  } catch {
    // Reported by the next attempt
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
 * Writes the owner to a second file, because a refused process cannot read the locked one. It is a courtesy: if it
 * cannot be written, the lock holds all the same. No start waits for the disk because of it; if a power cut damages it,
 * the next start empties it.
 */
function noteOwner(dataDir: string, startedAtMs: number): void {
  let note: Database.Database | undefined;
  try {
    note = new Database(join(dataDir, OWNER_FILE), { timeout: NOTE_TIMEOUT_MS });
    note.pragma('synchronous = OFF');
    note.exec(
      'CREATE TABLE IF NOT EXISTS owner (id INTEGER PRIMARY KEY, pid INTEGER, host TEXT, since INTEGER)',
    );
    note
      .prepare('INSERT OR REPLACE INTO owner VALUES (1, ?, ?, ?)')
      .run(process.pid, hostname(), startedAtMs);
  } catch (error) {
    // A refused process then learns less
    if (isDamaged(error)) empty(join(dataDir, OWNER_FILE));
  } finally {
    note?.close();
  }
}

/** The last process that wrote that it owns the directory. */
interface Owner {
  readonly pid: number;
  readonly host: string;
  /** For people. */
  readonly since: string;
}

function ownerOf(dataDir: string): Owner | undefined {
  let note: Database.Database | undefined;
  try {
    note = new Database(join(dataDir, OWNER_FILE), { readonly: true, timeout: NOTE_TIMEOUT_MS });
    return note
      .prepare<[], Owner>("SELECT pid, host, datetime(since / 1000, 'unixepoch') AS since FROM owner")
      .get();
  } catch {
    return undefined;
  } finally {
    note?.close();
  }
}

/** False only for a process of this PC that is gone, or that has ended and was not yet reaped by its parent. */
function isRunning(owner: Owner | undefined): boolean {
  if (owner === undefined || owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
  try {
    const [, state] = /^\d+ \(.*\) (\w)/s.exec(readFileSync(`/proc/${owner.pid}/stat`, 'utf8')) ?? [];
    return state !== 'Z' && state !== 'X';
  } catch {
    return true;
  }
}

function inUse(dataDir: string): Failure {
  const owner = ownerOf(dataDir);
  const who = owner === undefined ? '' : ` (process ${owner.pid} on ${owner.host}, since ${owner.since} UTC)`;
  return {
    code: 'DATA_IN_USE',
    message: `Another agent is using the data directory ${dataDir}${who}.`,
    advice: 'Stop that agent, or use a different data directory (in a terminal: --data-dir).',
    retryable: false,
  };
}
