import Database from 'better-sqlite3';
import { parentPort } from 'node:worker_threads';
import { fileIdentity } from './queue-file.ts';

// Entry point of the thread that makes checkpoints: this file runs nowhere else.

/** Which log is taken into its database. */
export interface CheckpointQuestion {
  readonly file: string;
  /** Of the file that the agent has open: the log of one is never taken into another one that took its place. */
  readonly identity: string;
  /** A log that is longer is cut to this when it begins anew. */
  readonly logLimitBytes: number;
  /** How often what was written meanwhile is taken in as well. */
  readonly mostRounds: number;
}

export interface CheckpointAnswer {
  /** Something was written after the last round. */
  readonly isMore?: boolean;
  /** What went wrong, if something did. */
  readonly problem?: { readonly code: string; readonly message: string };
}

parentPort?.on('message', (question: CheckpointQuestion) => {
  parentPort?.postMessage(answer(question));
});

function answer({ file, identity, logLimitBytes, mostRounds }: CheckpointQuestion): CheckpointAnswer {
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { fileMustExist: true });
    if (fileIdentity(file) !== identity) return {};
    db.pragma('wal_autocheckpoint = 0');
    db.pragma('synchronous = NORMAL');
    db.pragma('checkpoint_fullfsync = ON');
    db.pragma(`journal_size_limit = ${logLimitBytes}`);
    for (let round = 0; round < mostRounds; round += 1) if (takeIn(db)) return {};
    return { isMore: true };
  } catch (error) {
    const code = error instanceof Database.SqliteError ? error.code : '';
    return { problem: { code, message: error instanceof Error ? error.message : String(error) } };
  } finally {
    db?.close();
  }
}

/**
 * Takes what the log holds into the database, without a lock that the agent would wait for. When that was all, the next
 * write begins the log anew, which waits for the disk whatever the level: so it is made here, and changes nothing.
 */
function takeIn(db: Database.Database): boolean {
  const state = db
    .prepare<[], { readonly log: number; readonly checkpointed: number }>('PRAGMA wal_checkpoint(PASSIVE)')
    .get();
  if (state?.log !== state?.checkpointed) return false;
  db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
  return true;
}
