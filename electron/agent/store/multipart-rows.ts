import type { FileVersion } from '../core/settle/file-seen.ts';
import type { WriteDb } from './open-db.ts';

/** A multipart upload that was opened: its handle, its fixed part plan, and the file version it carries. */
export interface MultipartRow extends FileVersion {
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
}

/** The statements on `multiparts`. */
export function createMultipartRows(db: WriteDb) {
  const insert = db.prepare<Omit<MultipartRow, 'completing'>>(`INSERT INTO multiparts
    (clip_id, storage_key, upload_id, part_size_bytes, part_count, size_bytes, mtime_ns, inode, device, opened_at)
    VALUES (@clipId, @storageKey, @uploadId, @partSizeBytes, @partCount, @sizeBytes, @mtimeNs, @inode, @device,
     @openedAt)`);
  const byClip = db.prepare<[string], MultipartRow>(`SELECT clip_id AS clipId, storage_key AS storageKey,
    upload_id AS uploadId, part_size_bytes AS partSizeBytes, part_count AS partCount, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, inode, device, completing, opened_at AS openedAt FROM multiparts WHERE clip_id = ?`);
  const completing = db.prepare<[string]>('UPDATE multiparts SET completing = 1 WHERE clip_id = ?');
  const remove = db.prepare<[string]>('DELETE FROM multiparts WHERE clip_id = ?');

  return {
    insert: (row: Omit<MultipartRow, 'completing'>) => insert.run(row),
    byClip: (clipId: string) => byClip.get(clipId),
    completing: (clipId: string) => completing.run(clipId),
    /** Forgets the upload and its parts. */
    remove: (clipId: string) => remove.run(clipId),
  };
}
