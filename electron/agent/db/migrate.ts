import type { Failure } from '../../../shared/domain/failure.ts';
import { firstSchema } from './migrations/0001-first-schema.ts';
import type { WriteDb } from './open-db.ts';

/** In order, never edited once released; the position is the schema version. */
const migrations: readonly string[] = [firstSchema];

/** Brings the schema up to date, each step in a transaction of its own together with its version number. */
export function migrate(db: WriteDb, file: string): Failure | undefined {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version > migrations.length) {
    return {
      code: 'DB_NEWER',
      message: `${file} was made by a newer version (schema ${version}; this version knows ${migrations.length}).`,
      advice: 'Install the newer version again. The database was not changed.',
      retryable: false,
    };
  }
  for (const [index, sql] of migrations.entries()) {
    if (index < version) continue;
    db.transaction(() => {
      db.exec(sql);
      db.pragma(`user_version = ${index + 1}`);
    }).immediate();
  }
  return undefined;
}
