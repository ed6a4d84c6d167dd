import Database from 'better-sqlite3';
import { parentPort } from 'node:worker_threads';

/** Answers with what is wrong with the pages of the named database file; undefined when they are intact. */
parentPort?.on('message', (file: string) => {
  let db: Database.Database | undefined;
  let damage: string | undefined;
  try {
    db = new Database(file, { readonly: true, fileMustExist: true });
    const found = String(db.pragma('quick_check(1)', { simple: true }));
    damage = found === 'ok' ? undefined : found;
  } catch (error) {
    // A file that cannot be opened now is reported by whoever uses it next
    const isDamaged = error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
    damage = isDamaged ? error.message : undefined;
  } finally {
    db?.close();
  }
  parentPort?.postMessage({ damage });
});
