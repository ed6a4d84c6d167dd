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
  /** What was found and put right, announced already. */
  readonly findings: readonly StartFinding[];
  /** From now on checkpoints are made, and every page is looked at of a queue that is too large for a start to do so. */
  useThreads(threads: WorkerThreads, onBroken: (failure: Failure) => void): void;
  /** Hears when the queue's file is deleted or exchanged; see `watchQueueFile`. */
  watchFile(actions: MovedActions): void;
  /** Closes the queue and gives the directory back. */
  close(): Promise<void>;
}

interface Deps {
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Takes the data directory, opens its queue, and puts right what can be: a damaged queue is set aside, a damaged lock
 * file made anew, a lost desk.json restored. Rejects with `FailureError`, and then leaves nothing open:
 * DATA_FOLDER_REMOTE, DATA_IN_USE, DATA_FOLDER, DISK_FULL, DISK_ERROR, DB_FOREIGN, DB_NEWER.
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

/** How a transaction of better-sqlite3 can begin. */
const BEGINNINGS = ['default', 'deferred', 'immediate', 'exclusive'] as const;

/**
 * The same connection; each error of SQLite in which a statement or a transaction ends is reported, once, and passed on
 * to whoever ran it. Statements that were prepared before are not watched.
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

/** How often room on a full disk is looked for, milliseconds. */
const PROBE_MS = 1_000;

/** Why nothing can be stored now, and since when, wall clock; for people. */
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

/** What is done about the disk of the data directory. */
interface Remedies {
  /** Writes a row, durably. Throws while nothing can be written. */
  readonly probe: () => void;
  /** There is room again. */
  readonly onRoom: () => void;
  /** The connection cannot be trusted any more; called once. */
  readonly onBroken: (failure: Failure) => void;
}

/** Watches the disk of the data directory through the errors of the queue's connection. */
interface DiskWatch {
  /** Takes each error of the connection. */
  sensed(error: unknown): void;
  /** From now on something is done about them. */
  start(remedies: Remedies): void;
  /** The pause under way; none while the queue can be written. */
  pauses(): readonly DeskPause[];
  stop(): void;
}

/**
 * Makes it. A full disk is announced once, as a pause of the circuit `desk`, and room is looked for every second;
 * after an I/O error the queue is to be opened anew, since SQLite promises nothing for a handle that met one.
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
      // The error was sensed, and the next probe comes
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
        // After whoever met the error is done with it
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
