import Database from 'better-sqlite3';
import type { WriteDb } from './open-db.ts';

/** How a transaction of better-sqlite3 can begin. */
const BEGINNINGS = ['default', 'deferred', 'immediate', 'exclusive'] as const;

/**
 * The same connection; each error of SQLite in which a statement or a transaction ends is reported, once, and passed on
 * to whoever ran it. Statements that were prepared before are not watched.
 */
export function watchConnection(db: WriteDb, onError: (error: unknown) => void): WriteDb {
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
