import Database from 'better-sqlite3';
import { parentPort } from 'node:worker_threads';

/** What is wrong with the pages of the database file that is named; undefined when they are whole. */
parentPort?.on('message', (file: string) => {
  let db: Database.Database | undefined;
  let damage: string | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const found = String(db.pragma('quick_check(1)', { simple: true }));
    damage = found === 'ok' ? undefined : found;
  } catch (error) {
    // A file that cannot be opened now is met by whoever uses it
    const isDamaged = error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
    damage = isDamaged ? error.message : undefined;
  } finally {
    db?.close();
  }
  parentPort?.postMessage({ damage });
});
