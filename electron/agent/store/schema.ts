import type Database from 'better-sqlite3';
import type { Failure } from '../../../shared/domain/failure.ts';
import { firstSchema } from './migrations/0001-first-schema.ts';
import { ordersAndPages } from './migrations/0002-orders-and-pages.ts';
import { history } from './migrations/0003-history.ts';
import { madeThumbnails } from './migrations/0004-made-thumbnails.ts';
import { audit } from './migrations/0005-audit.ts';
import { sentFiles } from './migrations/0006-sent-files.ts';
import { seenExports } from './migrations/0007-seen-exports.ts';
import { lastingDesk } from './migrations/0008-lasting-desk.ts';
import { nothingTwice } from './migrations/0009-nothing-twice.ts';
import { foundFiles } from './migrations/0010-found-files.ts';
import { oneChain } from './migrations/0011-one-chain.ts';
import { readings } from './migrations/0012-readings.ts';
import { partSums } from './migrations/0013-part-sums.ts';
import { orderOfJobs } from './migrations/0014-order-of-jobs.ts';
import { units } from './migrations/0015-units.ts';
import { leftOut } from './migrations/0016-left-out.ts';
import { camerasApplied } from './migrations/0017-cameras-applied.ts';
import { soonerEnds } from './migrations/0018-sooner-ends.ts';
import { liveUploads } from './migrations/0019-live-uploads.ts';
import { deadlinesAndCleanUp } from './migrations/0020-deadlines-and-clean-up.ts';
import { openIncidents } from './migrations/0023-open-incidents.ts';

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
