import type { ReadDb } from './open-db.ts';

/** What only the database can tell of itself, and what is too dear to be asked often. */
export function createHealthReads(db: ReadDb) {
  const sqliteVersion = db.prepare<[], string>('SELECT sqlite_version()').pluck();
  const lastUploadedAt = db.prepare<[], number | null>('SELECT max(uploaded_at) FROM clips').pluck();
  const pragma = (name: string) => Number(db.pragma(name, { simple: true }));
  return {
    sqliteVersion: () => sqliteVersion.get() ?? 'unknown',
    /** Milliseconds since 1970. Looks at every clip: to be asked once. */
    lastUploadedAt: () => lastUploadedAt.get() ?? undefined,
    databaseBytes: () => pragma('page_count') * pragma('page_size'),
  };
}

/** Reads about the health of the queue. */
export type HealthReads = ReturnType<typeof createHealthReads>;
