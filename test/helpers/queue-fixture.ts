import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewClip } from '../../electron/agent/store/clip-rows.ts';
import { DATABASE_FILE, openDb, type WriteDb } from '../../electron/agent/store/open-db.ts';
import type { NewIncident } from '../../electron/agent/store/incident-rows.ts';
import type { NewJob } from '../../electron/agent/store/job-rows.ts';
import type { MultipartRow } from '../../electron/agent/store/multipart-rows.ts';
import { createTables, type Tables } from '../../electron/agent/store/tables.ts';
import type { Logger } from '../../electron/agent/ports.ts';
import type { Failure, FailureCode } from '../../shared/domain/failure.ts';
import { makeUnsyncedFolder } from './unsynced-folder.ts';

/** A real queue database in a folder of its own. */
export interface QueueFixture {
  readonly dir: string;
  readonly file: string;
  readonly db: WriteDb;
  readonly tables: Tables;
  /** Closes every connection and removes the folder. */
  close(): Promise<void>;
  /** Another connection to the same database, like that of another process. */
  another(): { readonly db: WriteDb; readonly tables: Tables };
}

let made: Buffer | undefined;

/** Creates a data directory with an empty queue: building the schema would take a tenth of a test with an agent. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 });
  await writeFile(join(dataDir, DATABASE_FILE), await newQueue(), { mode: 0o600 });
}

/** A new queue database, built once per process: migrating the schema takes longer than most tests do. */
async function newQueue(): Promise<Buffer> {
  if (made !== undefined) return made;
  const dir = await makeUnsyncedFolder('queue-');
  const file = join(dir, DATABASE_FILE);
  const opened = openDb(file);
  if (!opened.ok) throw new Error(opened.error.message);
  // Merges the write-ahead log into the file
  opened.value.close();
  const bytes = (made = readFileSync(file));
  await rm(dir, { recursive: true });
  return bytes;
}

/** Opens a new queue database; `busyMs` is how long a statement waits for another writer. */
export async function openQueue(busyMs = 100): Promise<QueueFixture> {
  const dir = await makeUnsyncedFolder('queue-');
  const file = join(dir, DATABASE_FILE);
  writeFileSync(file, await newQueue());
  const connections: WriteDb[] = [];
  const connect = () => {
    const opened = openDb(file);
    if (!opened.ok) throw new Error(opened.error.message);
    const db = opened.value;
    db.pragma(`busy_timeout = ${busyMs}`);
    // No test cuts the power: waiting for the disk would only take time.
    db.pragma('synchronous = OFF');
    connections.push(db);
    return { db, tables: createTables(preparingOnUse(db)) };
  };
  return {
    dir,
    file,
    ...connect(),
    another: connect,
    async close() {
      for (const db of connections) db.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The connection, with statements prepared on first use: a test uses only a few of about 250. */
function preparingOnUse(db: WriteDb): WriteDb {
  const prepare = (source: string): object => {
    let made: object | undefined;
    let isPlucked = false;
    const statement = (): object => {
      if (made === undefined) {
        const prepared = db.prepare(source);
        made = isPlucked ? prepared.pluck() : prepared;
      }
      return made;
    };
    const later: object = {
      pluck() {
        isPlucked = true;
        return later;
      },
      run: (...values: unknown[]): unknown => call(statement(), 'run', values),
      get: (...values: unknown[]): unknown => call(statement(), 'get', values),
      all: (...values: unknown[]): unknown => call(statement(), 'all', values),
    };
    return later;
  };
  return Object.create(db, { prepare: { value: prepare } }) as WriteDb;
}

const call = (statement: object, name: string, values: readonly unknown[]): unknown =>
  Reflect.apply(Reflect.get(statement, name) as () => unknown, statement, values);

export const incidentRow = (more: Partial<NewIncident> = {}): NewIncident => ({
  id: 'incident-1',
  rootId: 'root-1',
  rootPath: '/exports',
  exportPath: 'Gate 4',
  birthMs: 1_000,
  title: 'Gate 4',
  description: null,
  incidentAt: null,
  latitude: null,
  longitude: null,
  sources: '{}',
  extra: null,
  createdAt: 2_000,
  ...more,
});

export const clipRow = (more: Partial<NewClip> = {}): NewClip => ({
  id: 'clip-1',
  incidentId: 'incident-1',
  path: 'a.mp4',
  generation: 1,
  serviceName: 'a-clip.mp4',
  cameraId: null,
  cameraName: null,
  cameraDescription: null,
  cameraLatitude: null,
  cameraLongitude: null,
  startedAt: null,
  endedAt: null,
  sources: '{}',
  facts: null,
  expectedSha256: null,
  reading: 1,
  flags: '[]',
  createdAt: 2_000,
  sizeBytes: 100,
  mtimeNs: '1700000000123456789',
  inode: '11',
  device: '22',
  ...more,
});

export const jobRow = (more: Partial<NewJob> = {}): NewJob => ({
  kind: 'send-clip',
  subject: 'clip-1',
  pool: 'small',
  incidentId: 'incident-1',
  state: 'ready',
  priority: 50,
  dueAt: 0,
  createdAt: 0,
  ...more,
});

export const multipartRow = (more: Partial<MultipartRow> = {}): Omit<MultipartRow, 'completing'> => {
  const { completing: _completing, ...row } = {
    clipId: 'clip-1',
    storageKey: 'key-1',
    uploadId: 'upload-1',
    partSizeBytes: 10,
    partCount: 3,
    sizeBytes: 25,
    mtimeNs: '1700000000123456789',
    completing: 0,
    openedAt: 3_000,
    ...more,
  };
  return row;
};

export const failureOf = (code: FailureCode, more: Partial<Failure> = {}): Failure => ({
  code,
  message: `${code} happened.`,
  advice: 'Wait.',
  retryable: true,
  ...more,
});

/** A logger that keeps its lines, each as `level message`. */
export interface KeptLog extends Logger {
  readonly lines: string[];
}

export function createKeptLog(): KeptLog {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level} ${message}`);
  return {
    lines,
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
