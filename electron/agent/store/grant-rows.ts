import type { WriteDb } from './open-db.ts';

/** Where a file in one piece is being sent. */
export interface GrantRow {
  readonly fileId: string;
  /** Of the version that is sent; -1 when no PUT of another version can still be under way. */
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  readonly storageKey: string;
  /** On the service's clock, milliseconds since 1970. */
  readonly useUntil: number;
  /** The signed URL, encrypted. */
  readonly sealedUrl: string;
}

/** The statements on `kept_grants`. */
export function createGrantRows(db: WriteDb) {
  const put = db.prepare<GrantRow>(`INSERT OR REPLACE INTO kept_grants
    VALUES (@fileId, @sizeBytes, @mtimeNs, @storageKey, @useUntil, @sealedUrl)`);
  const ofFiles = db.prepare<[string], GrantRow>(`SELECT file_id AS fileId, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, storage_key AS storageKey, use_until AS useUntil, sealed_url AS sealedUrl
    FROM kept_grants WHERE file_id IN (SELECT value FROM json_each(?))`);
  const remove = db.prepare<[string]>('DELETE FROM kept_grants WHERE file_id = ?');
  const removeLapsed = db.prepare<[number]>('DELETE FROM kept_grants WHERE use_until <= ?');
  const forAnyVersion = db.prepare<[string]>('UPDATE kept_grants SET size_bytes = -1 WHERE file_id = ?');
  return {
    put: (row: GrantRow) => put.run(row),
    ofFiles: (fileIds: readonly string[]) => ofFiles.all(JSON.stringify(fileIds)),
    remove: (fileId: string) => remove.run(fileId),
    removeLapsed: (now: number) => removeLapsed.run(now),
    /** The PUT was answered, and the file has changed: what it is now may take the place of what was sent. */
    forAnyVersion: (fileId: string) => forAnyVersion.run(fileId),
  };
}
