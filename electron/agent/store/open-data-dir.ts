import { join } from 'node:path';
import { type DeskId } from '../../../shared/domain/ids.ts';
import { type Failure, FailureError } from '../../../shared/domain/failure.ts';
import type { AgentEvents } from '../events.ts';
import type { Clock, Logger, WorkerThreads } from '../ports.ts';
import { identifyDesk, type StartFinding } from './desk-id.ts';
import { guardDataDir, remoteFolder } from './guard-data-dir.ts';
import { LOCK_FILE, OWNER_FILE, takeInstanceLock, type InstanceLock } from './instance-lock.ts';
import { DATABASE_FILE, isCheckedAtOnce, openOrRebuild, type Rebuilt, type WriteDb } from './open-db.ts';
import { dataDirFailure, freeBytes, LEAST_FREE_BYTES, storeProblemOf } from './store-failures.ts';
import { putBackSaved, watchQueueFile, type MovedActions } from './queue-file.ts';
import { checkLater, markSuspect, startCheckpoints } from './queue-threads.ts';
import { createTables, type Tables } from './tables.ts';
import Database from 'better-sqlite3';

/** A data directory that belongs to this process, with its queue. */
export interface DataDir {
  readonly db: WriteDb;
  readonly tables: Tables;
  readonly deskId: DeskId;
  readonly disk: DiskWatch;
  /** What was found and repaired; already announced. */
  readonly findings: readonly StartFinding[];
  /** Starts checkpoints, and a check of every page if the queue was too large to be checked at the start. */
  useThreads(threads: WorkerThreads, onBroken: (failure: Failure) => void): void;
  /** Watches whether the queue's file is deleted or replaced; see `watchQueueFile`. */
  watchFile(actions: MovedActions): void;
  /** Closes the queue and releases the directory. */
  close(): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Takes the data directory, opens its queue, and repairs what it can: a damaged queue is set aside, a damaged lock file
 * recreated, a lost desk.json restored. Rejects with `FailureError`, and then leaves nothing open: DATA_FOLDER_REMOTE,
 * DATA_IN_USE, DATA_FOLDER, DISK_FULL, DISK_ERROR, DB_FOREIGN, DB_NEWER.
 */
export async function openDataDir(dataDir: string, { clock, events, logger }: Deps): Promise<DataDir> {
  const remote = remoteFolder(dataDir);
  if (remote !== undefined) throw new FailureError(remote);
  let lock: InstanceLock | undefined;
  let db: WriteDb | undefined;
  try {
    await guardDataDir(dataDir, [LOCK_FILE, OWNER_FILE], { logger });
    const taken = await takeInstanceLock(dataDir, clock);
    if (!taken.ok) throw new FailureError(taken.error);
    const held = (lock = taken.value);
    const file = join(dataDir, DATABASE_FILE);
    putBackSaved(file);
    await guardDataDir(dataDir, [DATABASE_FILE], { logger });
    const isChecked = isCheckedAtOnce(file);
    const opened = await openOrRebuild(dataDir, clock);
    const disk = createDiskWatch({ dataDir, clock, events });
    const connection = (db = watchConnection(opened.db, disk.sensed));
    const tables = createTables(connection, disk.sensed);
    const findings: StartFinding[] = [
      ...(held.wasDamaged ? [lockRestored(dataDir)] : []),
      ...(opened.rebuilt === undefined ? [] : [queueRebuilt(opened.rebuilt)]),
    ];
    const memory = { ...tables.desk, rebuiltFrom: opened.rebuilt?.deskId };
    const isRebuilt = opened.rebuilt !== undefined;
    const deskId = await identifyDesk(dataDir, { ...memory, isRebuilt }, (finding) => findings.push(finding));
    for (const { code, message } of findings) events.emit({ event: 'warning', code, message });
    let endCheckpoints: (() => Promise<void>) | undefined;
    let endCheck: (() => Promise<void>) | undefined;
    let endWatch: (() => Promise<void>) | undefined;
    return {
      db: connection,
      tables,
      deskId,
      disk,
      findings,
      useThreads(threads, onBroken) {
        endCheckpoints = startCheckpoints({ db: connection, tables, threads, onError: disk.sensed });
        if (!isChecked) endCheck = checkLater(file, threads, onBroken);
      },
      watchFile(actions) {
        endWatch = watchQueueFile(file, connection, actions);
      },
      async close() {
        await endWatch?.();
        void endCheck?.();
        await endCheckpoints?.();
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
    message: `lock.db in ${dataDir} was damaged and has been re-created. It contains no data; nothing was lost.`,
    action: 'lock.restored',
    detail: {},
  };
}

function queueRebuilt({ failure, setAside }: Rebuilt): StartFinding {
  return {
    code: failure.code,
    message: `${failure.message} It was set aside as ${setAside}; the queue is being rebuilt from the watched folders and the service.`,
    action: 'queue.rebuilt',
    detail: { setAside },
  };
}

/** The ways in which a transaction of better-sqlite3 can begin. */
const BEGINNINGS = ['default', 'deferred', 'immediate', 'exclusive'] as const;

/**
 * The same connection, except that each SQLite error that ends a statement or a transaction is reported once, and then
 * passed on to the caller. Statements that were prepared earlier are not watched.
 */
function watchConnection(db: WriteDb, onError: (error: unknown) => void): WriteDb {
  const reported = new WeakSet<object>();

  function watched<Args extends readonly unknown[], T>(work: (...args: Args) => T): (...args: Args) => T {
    return (...args) => {
      try {
        return work(...args);
      } catch (error) {
        if (error instanceof Database.SqliteError && !reported.has(error)) {
          reported.add(error);
          onError(error);
        }
        throw error;
      }
    };
  }

  const prepare = db.prepare.bind(db);
  const transaction = db.transaction.bind(db);
  const replace = (object: object, name: string, value: unknown): void => {
    Object.defineProperty(object, name, { value, configurable: true });
  };
  replace(db, 'prepare', (source: string) => {
    const statement = prepare(source);
    replace(statement, 'run', watched(statement.run.bind(statement)));
    replace(statement, 'get', watched(statement.get.bind(statement)));
    replace(statement, 'all', watched(statement.all.bind(statement)));
    return statement;
  });
  replace(db, 'transaction', (work: (...args: unknown[]) => unknown) => {
    const whole = transaction(work);
    const run = watched(whole);
    for (const beginning of BEGINNINGS) replace(run, beginning, watched(whole[beginning]));
    return run;
  });
  return db;
}

/** How often to check for room on a full disk, milliseconds. */
const PROBE_MS = 1_000;

/** Why nothing can be stored now, and since when (wall clock); for people. */
interface DeskPause {
  readonly circuit: 'desk';
  readonly failure: Failure;
  readonly sinceMs: number;
}

interface DiskWatchDeps {
  readonly dataDir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly events: AgentEvents;
}

/** What to do about problems with the disk of the data directory. */
interface Remedies {
  /** Writes a row, durably. Throws while nothing can be written. */
  readonly probe: () => void;
  /** Called when there is room again. */
  readonly onRoom: () => void;
  /** Called once, when the connection can no longer be trusted. */
  readonly onBroken: (failure: Failure) => void;
}

/** Watches the disk of the data directory through the errors of the queue's connection. */
interface DiskWatch {
  /** Called with each error of the connection. */
  sensed(error: unknown): void;
  /** Acts on errors from now on. */
  start(remedies: Remedies): void;
  /** The current pause; none while the queue can be written. */
  pauses(): readonly DeskPause[];
  stop(): void;
}

/**
 * Creates the watch. A full disk is announced once, as a pause of the circuit `desk`, and checked for room every
 * second; after an I/O error the queue has to be reopened, since SQLite guarantees nothing for a handle that met one.
 */
function createDiskWatch({ dataDir, clock, events }: DiskWatchDeps): DiskWatch {
  let remedies: Remedies | undefined;
  let pause: DeskPause | undefined;
  let isBroken = false;
  let timer: NodeJS.Timeout | undefined;

  function probe(): void {
    try {
      if ((freeBytes(dataDir) ?? LEAST_FREE_BYTES) < LEAST_FREE_BYTES) return;
      remedies?.probe();
    } catch {
      // `sensed` has the error, and the next probe follows
      return;
    }
    clearInterval(timer);
    pause = undefined;
    events.emit({ event: 'circuit.resumed', circuit: 'desk' });
    remedies?.onRoom();
  }

  return {
    sensed(error) {
      const problem = isBroken || remedies === undefined ? undefined : storeProblemOf(dataDir, error);
      if (problem === undefined) return;
      const { failure, mendedBy, isDamage } = problem;
      if (mendedBy === 'reopening') {
        isBroken = true;
        clearInterval(timer);
        if (isDamage === true) markSuspect(join(dataDir, DATABASE_FILE));
        // Once the code that met the error is done with it
        setImmediate(() => remedies?.onBroken(failure));
        return;
      }
      if (pause !== undefined) return;
      pause = { circuit: 'desk', failure, sinceMs: clock.now() };
      const { code, message, advice } = failure;
      events.emit({ event: 'circuit.paused', circuit: 'desk', code, message, advice, delayMs: PROBE_MS });
      timer = setInterval(probe, PROBE_MS);
    },
    start(given) {
      remedies = given;
    },
    pauses: () => (pause === undefined ? [] : [pause]),
    stop() {
      remedies = undefined;
      clearInterval(timer);
    },
  };
}
