import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DeskId } from '../../../shared/domain/ids.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock, WorkerThreads } from '../ports.ts';
import { checkLater } from './check-later.ts';
import { identifyDesk, type StartFinding } from './desk-id.ts';
import { createDiskWatch, type DiskWatch } from './disk-watch.ts';
import { takeInstanceLock, type InstanceLock } from './instance-lock.ts';
import { DATABASE_FILE, isCheckedAtOnce, openOrRebuild, type Rebuilt, type WriteDb } from './open-db.ts';
import { remoteFolder } from './remote-folder.ts';
import { dataDirFailure } from './store-failures.ts';
import { createTables, type Tables } from './tables.ts';
import { watchConnection } from './watch-connection.ts';

/** A data directory that belongs to this process, with its queue. */
export interface DataDir {
  readonly db: WriteDb;
  readonly tables: Tables;
  readonly deskId: DeskId;
  readonly disk: DiskWatch;
  /** What was found and put right, announced already. */
  readonly findings: readonly StartFinding[];
  /** Looks at every page of a queue that is too large for a start to do so. */
  checkLater(threads: WorkerThreads, onBroken: (failure: Failure) => void): void;
  /** Closes the queue and gives the directory back. */
  close(): void;
}

interface Deps {
  readonly clock: Clock;
  readonly events: AgentEvents;
}

/**
 * Takes the data directory, opens its queue, and puts right what can be: a damaged queue is set aside, a damaged lock
 * file made anew, a lost desk.json restored. Rejects with `FailureError`, and then leaves nothing open:
 * DATA_FOLDER_REMOTE, DATA_IN_USE, DATA_FOLDER, DISK_FULL, DISK_ERROR, DB_FOREIGN, DB_NEWER.
 */
export async function openDataDir(dataDir: string, { clock, events }: Deps): Promise<DataDir> {
  const remote = remoteFolder(dataDir);
  if (remote !== undefined) throw new FailureError(remote);
  let lock: InstanceLock | undefined;
  let db: WriteDb | undefined;
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const taken = await takeInstanceLock(dataDir, clock);
    if (!taken.ok) throw new FailureError(taken.error);
    const held = (lock = taken.value);
    const file = join(dataDir, DATABASE_FILE);
    const isChecked = isCheckedAtOnce(file);
    const opened = await openOrRebuild(dataDir, clock);
    const disk = createDiskWatch({ dataDir, clock, events });
    const connection = (db = watchConnection(opened.db, disk.sensed));
    const tables = createTables(connection);
    const findings: StartFinding[] = [
      ...(held.wasDamaged ? [lockRestored(dataDir)] : []),
      ...(opened.rebuilt === undefined ? [] : [queueRebuilt(opened.rebuilt)]),
    ];
    const memory = { ...tables.desk, rebuiltFrom: opened.rebuilt?.deskId };
    const isRebuilt = opened.rebuilt !== undefined;
    const deskId = await identifyDesk(dataDir, { ...memory, isRebuilt }, (finding) => findings.push(finding));
    for (const { code, message } of findings) events.emit({ event: 'warning', code, message });
    let endCheck: (() => Promise<void>) | undefined;
    return {
      db: connection,
      tables,
      deskId,
      disk,
      findings,
      checkLater(threads, onBroken) {
        if (!isChecked) endCheck = checkLater(file, threads, onBroken);
      },
      close() {
        void endCheck?.();
        disk.stop();
        connection.close();
        held.release();
      },
    };
  } catch (error) {
    db?.close();
    lock?.release();
    if (error instanceof FailureError) throw error;
    throw new FailureError(dataDirFailure(dataDir, error), { cause: error });
  }
}

function lockRestored(dataDir: string): StartFinding {
  return {
    code: 'LOCK_RESTORED',
    message: `lock.db in ${dataDir} was damaged and was made anew. It holds no data; nothing was lost.`,
    action: 'lock.restored',
    detail: {},
  };
}

function queueRebuilt({ failure, setAside }: Rebuilt): StartFinding {
  return {
    code: failure.code,
    message: `${failure.message} It was set aside as ${setAside}; the queue is rebuilt from the folders and the service.`,
    action: 'queue.rebuilt',
    detail: { setAside },
  };
}
