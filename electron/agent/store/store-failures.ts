import Database from 'better-sqlite3';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { systemErrorName } from '../system-errors.ts';
import { formatBytes } from '../../../shared/lib/readable-amounts.ts';

/** Below this much free space there is no room for the queue's next steps, bytes. */
export const LEAST_FREE_BYTES = 1024 * 1024;
/** Below this much free space an I/O error means a full disk, bytes: SQLite grows its files in steps of 32 KB. */
const FULL_BYTES = 256 * 1024;

/** Bytes that this account may still write to the disk of a folder; undefined when the system does not say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

/**
 * What an error means for the disk or the file of the queue, and what helps: free space on the disk, or reopening the
 * queue.
 */
export interface StoreProblem {
  readonly mendedBy: 'room' | 'reopening';
  /** Pages of the database are not as they were written. */
  readonly isDamage?: true;
  readonly failure: Failure;
}

/**
 * What an error of SQLite or of the file system means for the data directory; undefined when it is about something
 * else: a constraint, or another process that is writing.
 */
export function storeProblemOf(dataDir: string, error: unknown): StoreProblem | undefined {
  const code = codeOf(error);
  const isRefused = /^SQLITE_(IOERR|CANTOPEN)/.test(code);
  const isFull = isRefused && (freeBytes(dataDir) ?? FULL_BYTES) < FULL_BYTES;
  const cause = isRefused && !isFull ? (refusalOfWrite(dataDir) ?? code) : code;
  if (isFull || noRoom.has(cause)) return { mendedBy: 'room', failure: diskFull(dataDir, cause) };
  if (code.startsWith('SQLITE_IOERR') || code === 'EIO')
    return { mendedBy: 'reopening', failure: diskError(dataDir, error) };
  // The next opening sets it aside and builds a new one, or finds that it was moved
  if (/^SQLITE_(CORRUPT|NOTADB|READONLY_DBMOVED)/.test(code))
    return { mendedBy: 'reopening', isDamage: true, failure: brokenQueue(dataDir, error) };
  return undefined;
}

const noRoom: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);

/** What the system says to a write here: to SQLite a full quota, which `freeBytes` does not know of, is any I/O error. */
function refusalOfWrite(dataDir: string): string | undefined {
  const file = join(dataDir, 'write-test.tmp');
  try {
    writeFileSync(file, new Uint8Array(FULL_BYTES), { mode: 0o600, flush: true });
    return undefined;
  } catch (error) {
    return codeOf(error);
  } finally {
    try {
      rmSync(file, { force: true });
    } catch {
      // The next one takes its place
    }
  }
}

function codeOf(error: unknown): string {
  if (error instanceof Database.SqliteError) return error.code;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return systemErrorName(error) ?? (typeof code === 'string' ? code : '');
}

function diskFull(dataDir: string, systemCode: string): Failure {
  const free = freeBytes(dataDir);
  const isQuota = systemCode === 'EDQUOT';
  const left = free === undefined ? '' : ` (${formatBytes(free)} free)`;
  return {
    code: 'DISK_FULL',
    message: isQuota
      ? `The account's quota on the disk with the data directory ${dataDir} is full.`
      : `The disk with the data directory ${dataDir} is full${left}.`,
    advice: `Free at least 100 MB ${isQuota ? 'of that quota' : 'on that disk'}. Nothing is lost: a running agent resumes automatically; otherwise, start it again.`,
    retryable: true,
  };
}

function diskError(dataDir: string, error: unknown): Failure {
  return {
    code: 'DISK_ERROR',
    message: `The disk with the data directory ${dataDir} has read or write errors.`,
    advice:
      'Check the disk. Clips that were sent are not affected. To continue elsewhere, stop the agent, copy the data directory to a healthy local disk, and start it with the copy.',
    retryable: true,
    detail: detailOf(error),
  };
}

/** The failure DB_BROKEN of a queue that is in use; `place` is its directory. */
export function brokenQueue(place: string, error: unknown): Failure {
  const isMoved = codeOf(error) === 'SQLITE_READONLY_DBMOVED';
  return {
    code: 'DB_BROKEN',
    message: `The queue database in ${place} ${isMoved ? 'was moved, deleted or replaced' : 'is damaged'}.`,
    advice: isMoved
      ? 'Keep other programs from changing the data directory, and stop the agent before you restore a backup.'
      : 'The database will be set aside when the agent next opens it, and rebuilt from the watched folders and the service.',
    retryable: true,
    detail: detailOf(error),
  };
}

/** The error itself, or a `FailureError` with what it means for the data directory. */
export function storeErrorOf(dataDir: string, error: unknown): unknown {
  const problem = error instanceof FailureError ? undefined : storeProblemOf(dataDir, error);
  return problem === undefined ? error : new FailureError(problem.failure, { cause: error });
}

/**
 * The failure DATA_FOLDER of a data directory that cannot be used for reasons of its own, or the failure of its disk.
 */
export function dataDirFailure(dataDir: string, error: unknown): Failure {
  const problem = storeProblemOf(dataDir, error);
  if (problem !== undefined) return problem.failure;
  const detail = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const reason = /^(?:E[A-Z0-9]+|SQLITE_\w+)$/.test(code) ? ` (${code})` : `: ${detail}`;
  return {
    code: 'DATA_FOLDER',
    message: `The data directory ${dataDir} cannot be used${reason}.`,
    advice: 'Check that it is a folder on a local disk that this account can write to.',
    retryable: false,
    detail,
  };
}

/** The failure of an error of SQLite; undefined for any other error. */
export const sqliteFailure = (dataDir: string, error: unknown): Failure | undefined =>
  error instanceof Database.SqliteError ? dataDirFailure(dataDir, error) : undefined;

function detailOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  return code === '' ? text : `${text} (${code})`;
}

/** Whether it is a bug, which waiting does not fix, and not a problem of the disk or of a share. */
export function isOwnFault(error: unknown): boolean {
  return !(error instanceof FailureError) && /^(?:SQLITE_CONSTRAINT|ERR_|$)/.test(codeOf(error));
}
