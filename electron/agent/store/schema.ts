import type Database from 'better-sqlite3';
import type { Failure } from '../../../shared/domain/failure.ts';
import { firstSchema, ordersAndPages, history } from './migrations/0001-to-0003.ts';
import {
  madeThumbnails,
  audit,
  sentFiles,
  seenExports,
  lastingDesk,
  nothingTwice,
  foundFiles,
  oneChain,
  readings,
  partSums,
  orderOfJobs,
} from './migrations/0004-to-0014.ts';
import {
  units,
  leftOut,
  camerasApplied,
  soonerEnds,
  liveUploads,
  deadlinesAndCleanUp,
  openIncidents,
  clipEnds,
} from './migrations/0015-to-0022.ts';

/** In order, never edited once released; the position is the schema version. */
const migrations: readonly string[] = [
  firstSchema,
  ordersAndPages,
  history,
  madeThumbnails,
  audit,
  sentFiles,
  seenExports,
  lastingDesk,
  nothingTwice,
  foundFiles,
  oneChain,
  readings,
  partSums,
  orderOfJobs,
  units,
  leftOut,
  camerasApplied,
  soonerEnds,
  liveUploads,
  deadlinesAndCleanUp,
  openIncidents,
  clipEnds,
];

/** The schema that this version brings a database to. */
export const SCHEMA_VERSION = migrations.length;

/** What is wrong with a database whose schema this version does not know. */
export function newerSchema(db: Pick<Database.Database, 'pragma'>, file: string): Failure | undefined {
  const version = schemaVersion(db);
  if (version <= migrations.length) return undefined;
  return {
    code: 'DB_NEWER',
    message: `${file} was made by a newer version (schema ${version}; this version knows ${migrations.length}).`,
    advice: 'Install the newer version again. The database was not changed.',
    retryable: false,
  };
}

/** What is wrong with a database that nobody brought up to date yet and that may only be read. */
export function olderSchema(db: Pick<Database.Database, 'pragma'>, file: string): Failure | undefined {
  if (schemaVersion(db) >= migrations.length) return undefined;
  return {
    code: 'DATA_FOLDER',
    message: `${file} was made by an earlier version and is not up to date yet.`,
    advice: 'Start the agent once: it brings the database up to date.',
    retryable: true,
  };
}

function schemaVersion(db: Pick<Database.Database, 'pragma'>): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * Brings the schema up to date, each step in a transaction of its own together with its version number; a new database,
 * which has nothing to lose, in one.
 */
export function migrate(db: Database.Database): void {
  const version = schemaVersion(db);
  const run = (): void => {
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      db.transaction(() => {
        db.exec(sql);
        db.pragma(`user_version = ${index + 1}`);
      }).immediate();
    }
  };
  if (version === 0) db.transaction(run).immediate();
  else run();
}
