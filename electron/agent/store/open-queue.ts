import { mkdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import { DATABASE_FILE } from './database-file.ts';
import { openDb, type WriteDb } from './open-db.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock } from '../ports.ts';

/** Makes the data directory. Rejects with `FailureError` DATA_FOLDER. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw new FailureError(dataDirFailure(dataDir, error), { cause: error });
  });
}

/** A damaged database is set aside, never deleted; the folders and the service tell the queue anew. */
export async function openOrRebuild(dataDir: string, clock: Clock, events: AgentEvents): Promise<WriteDb> {
  const file = join(dataDir, DATABASE_FILE);
  const opened = openDb(file);
  if (opened.ok) return opened.value;
  if (opened.error.code !== 'DB_BROKEN') throw new FailureError(opened.error);
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-');
  for (const suffix of ['', '-wal', '-shm']) {
    await rename(file + suffix, `${file}.broken-${stamp}${suffix}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw new FailureError(dataDirFailure(dataDir, error), { cause: error });
    });
  }
  const message = `${opened.error.message} It was set aside as ${basename(file)}.broken-${stamp}; the queue is rebuilt from the folders and the service.`;
  events.emit({ event: 'warning', code: 'DB_BROKEN', message });
  const fresh = openDb(file);
  if (!fresh.ok) throw new FailureError(fresh.error);
  return fresh.value;
}

function dataDirFailure(dataDir: string, error: unknown): Failure {
  const detail = error instanceof Error ? error.message : String(error);
  return {
    code: 'DATA_FOLDER',
    message: `The data directory ${dataDir} cannot be used: ${detail}.`,
    advice: 'Check that it is a folder on a local disk which this account may write.',
    retryable: false,
    detail,
  };
}
