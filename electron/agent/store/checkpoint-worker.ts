import Database from 'better-sqlite3';
import { parentPort } from 'node:worker_threads';
import { fileIdentity } from './queue-file.ts';

// Entry point of the thread that makes checkpoints: this file runs nowhere else.

/** Which log to copy into its database. */
export interface CheckpointQuestion {
  readonly file: string;
  /** Of the file that the agent has open: a log is never copied into another file that has replaced it. */
  readonly identity: string;
  /** A longer log is cut to this when it starts over. */
  readonly logLimitBytes: number;
  /** Whether the log starts over as well: that takes a write, which the agent's own writers have to wait for. */
  readonly restartsLog: boolean;
}

/** What went wrong, if anything. */
export interface CheckpointAnswer {
  readonly problem?: { readonly code: string; readonly message: string };
}

/** Most rounds for a writer that never pauses: the next checkpoint continues where this one ended. */
const MOST_ROUNDS = 10;

parentPort?.on('message', (question: CheckpointQuestion) => {
  parentPort?.postMessage(answer(question));
});

function answer({ file, identity, logLimitBytes, restartsLog }: CheckpointQuestion): CheckpointAnswer {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true });
    if (fileIdentity(file) !== identity) return {};
    db.pragma('wal_autocheckpoint = 0');
    db.pragma('synchronous = NORMAL');
    db.pragma('checkpoint_fullfsync = ON');
    db.pragma(`journal_size_limit = ${logLimitBytes}`);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const isWhole = takeIn(db);
      if (isWhole && restartsLog) restartLog(db);
      if (isWhole || !restartsLog) break;
    }
    return {};
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : '';
    return { problem: { code, message: error instanceof Error ? error.message : String(error) } };
  } finally {
    db?.close();
  }
}

/** Copies the log into the database, without a lock that the agent would wait for. True when all of it was copied. */
function takeIn(db: Database.Database): boolean {
  const state = db
    .prepare<[], { readonly log: number; readonly checkpointed: number }>('PRAGMA wal_checkpoint(PASSIVE)')
    .get();
  return state?.log === state?.checkpointed;
}

/** The first write to a fully copied log waits for the disk at any level: it is made here, and changes nothing. */
function restartLog(db: Database.Database): void {
  db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
}
