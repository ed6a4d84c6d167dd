import type { FileVersion } from '../core/settle/file-seen.ts';
import type { WriteDb } from './open-db.ts';

/** A multipart upload that was opened: its handle, its fixed part plan, and the version of the file that it is for. */
export interface MultipartRow extends Pick<FileVersion, 'sizeBytes' | 'mtimeNs'> {
  readonly clipId: string;
  readonly storageKey: string;
  readonly uploadId: string;
  readonly partSizeBytes: number;
  readonly partCount: number;
  /** 1 once "complete" was sent: from then on its answer may have been lost (service.md gap 15). */
  readonly completing: number;
  readonly openedAt: number;
}

/** A part that storage acknowledged. */
export interface PartRow {
  readonly clipId: string;
  readonly number: number;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly sha256: string;
  /** 1: the sum covers the file from its first byte to the end of the part; 0: the part alone. */
  readonly fromStart: number;
}

/** The statements on `multiparts`. */
export function createMultipartRows(db: WriteDb) {
  const insert = db.prepare<Omit<MultipartRow, 'completing'>>(`INSERT INTO multiparts
    (clip_id, storage_key, upload_id, part_size_bytes, part_count, size_bytes, mtime_ns, opened_at)
    VALUES (@clipId, @storageKey, @uploadId, @partSizeBytes, @partCount, @sizeBytes, @mtimeNs, @openedAt)`);
  const byClip = db.prepare<[string], MultipartRow>(`SELECT clip_id AS clipId, storage_key AS storageKey,
    upload_id AS uploadId, part_size_bytes AS partSizeBytes, part_count AS partCount, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, completing, opened_at AS openedAt FROM multiparts WHERE clip_id = ?`);
  const completing = db.prepare<[string]>('UPDATE multiparts SET completing = 1 WHERE clip_id = ?');
  const remove = db.prepare<[string]>('DELETE FROM multiparts WHERE clip_id = ?');
  const removeOf = db.prepare<[string]>(
    'DELETE FROM multiparts WHERE clip_id IN (SELECT value FROM json_each(?))',
  );
  const among = db
    .prepare<[string], string>(
      'SELECT clip_id FROM multiparts WHERE clip_id IN (SELECT value FROM json_each(?))',
    )
    .pluck();

  return {
    insert: (row: Omit<MultipartRow, 'completing'>) => insert.run(row),
    byClip: (clipId: string) => byClip.get(clipId),
    completing: (clipId: string) => completing.run(clipId),
    /** Forgets the upload and its parts. */
    remove: (clipId: string) => remove.run(clipId),
    /** As `remove`, for all of these clips. */
    removeOf: (clipIds: readonly string[]) => removeOf.run(JSON.stringify(clipIds)),
    /** Those of these clips that have a multipart upload. */
    among: (clipIds: readonly string[]): readonly string[] => among.all(JSON.stringify(clipIds)),
  };
}

/** The statements on `parts`. */
export function createPartRows(db: WriteDb) {
  const put =
    db.prepare<PartRow>(`INSERT OR REPLACE INTO parts (clip_id, number, size_bytes, etag, sha256, from_start)
    VALUES (@clipId, @number, @sizeBytes, @etag, @sha256, @fromStart)`);
  const ofClip = db.prepare<
    [string],
    PartRow
  >(`SELECT clip_id AS clipId, number, size_bytes AS sizeBytes, etag,
    sha256, from_start AS fromStart FROM parts WHERE clip_id = ? ORDER BY number`);
  const removeOne = db.prepare<[string, number]>('DELETE FROM parts WHERE clip_id = ? AND number = ?');
  const countOf = db.prepare<[string], number>('SELECT count(*) FROM parts WHERE clip_id = ?').pluck();

  return {
    put: (row: PartRow) => put.run(row),
    ofClip: (clipId: string) => ofClip.all(clipId),
    /** Forgets a part, which is then sent again. */
    removeOne: (clipId: string, number: number) => removeOne.run(clipId, number),
    countOf: (clipId: string) => countOf.get(clipId) ?? 0,
  };
}

/** A multipart upload that will not be completed and must be aborted at the service (service.md gap 16). */
interface OrphanRow {
  readonly id: number;
  readonly incidentId: string;
  readonly clipId: string;
  readonly storageKey: string;
  readonly uploadId: string;
  readonly reason: string;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly outcome: string | null;
}

/** The columns of a new orphan. */
type NewOrphan = Omit<OrphanRow, 'id' | 'endedAt' | 'outcome'>;

/** The statements on `orphans`: rows are ended, never deleted. */
export function createOrphanRows(db: WriteDb) {
  const insert = db.prepare<NewOrphan>(`INSERT INTO orphans
    (incident_id, clip_id, storage_key, upload_id, reason, created_at)
    VALUES (@incidentId, @clipId, @storageKey, @uploadId, @reason, @createdAt)`);
  const byId = db.prepare<[number], OrphanRow>(`SELECT id, incident_id AS incidentId, clip_id AS clipId,
    storage_key AS storageKey, upload_id AS uploadId, reason, created_at AS createdAt, ended_at AS endedAt, outcome
    FROM orphans WHERE id = ?`);
  const end = db.prepare<[number, string, number]>(
    'UPDATE orphans SET ended_at = ?, outcome = ? WHERE id = ?',
  );

  return {
    insert: (row: NewOrphan) => Number(insert.run(row).lastInsertRowid),
    byId: (id: number) => byId.get(id),
    end: (id: number, outcome: string, now: number) => end.run(now, outcome, id),
  };
}

/** Where a file in one piece is being sent. */
export interface GrantRow {
  readonly fileId: string;
  /** Of the version that is being sent; -1 when no PUT of another version can still be in progress. */
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
  const put = db.prepare<[string]>(`INSERT OR REPLACE INTO kept_grants
    SELECT value ->> 'fileId', value ->> 'sizeBytes', value ->> 'mtimeNs', value ->> 'storageKey',
      value ->> 'useUntil', value ->> 'sealedUrl' FROM json_each(?)`);
  const ofFiles = db.prepare<[string], GrantRow>(`SELECT file_id AS fileId, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, storage_key AS storageKey, use_until AS useUntil, sealed_url AS sealedUrl
    FROM kept_grants WHERE file_id IN (SELECT value FROM json_each(?))`);
  const remove = db.prepare<[string]>(
    'DELETE FROM kept_grants WHERE file_id IN (SELECT value FROM json_each(?))',
  );
  const removeLapsed = db.prepare<[number]>('DELETE FROM kept_grants WHERE use_until <= ?');
  const forAnyVersion = db.prepare<[string]>('UPDATE kept_grants SET size_bytes = -1 WHERE file_id = ?');
  return {
    put: (rows: readonly GrantRow[]) => put.run(JSON.stringify(rows)),
    ofFiles: (fileIds: readonly string[]) => ofFiles.all(JSON.stringify(fileIds)),
    remove: (fileIds: readonly string[]) => remove.run(JSON.stringify(fileIds)),
    removeLapsed: (now: number) => removeLapsed.run(now),
    /** The PUT was answered and the file has changed: its current version may overwrite what was sent. */
    forAnyVersion: (fileId: string) => forAnyVersion.run(fileId),
  };
}
