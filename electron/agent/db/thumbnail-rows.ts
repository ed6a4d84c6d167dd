import type { FileVersion } from '../core/file-seen.ts';
import type { WriteDb } from './open-db.ts';

/** A row of `thumbnails`: the image that belongs to a clip. */
export interface ThumbnailRow extends FileVersion {
  readonly clipId: string;
  readonly path: string;
  readonly state: 'queued' | 'uploaded' | 'failed';
  readonly serviceName: string;
  readonly storageKey: string | null;
  readonly sha256: string | null;
  readonly failure: string | null;
}

/** What a new thumbnail needs; it starts as `queued`. */
export type NewThumbnail = FileVersion & Pick<ThumbnailRow, 'clipId' | 'path' | 'serviceName'>;

const columns = `clip_id AS clipId, path, state, size_bytes AS sizeBytes, mtime_ns AS mtimeNs, inode, device,
  service_name AS serviceName, storage_key AS storageKey, sha256, failure`;

/** The statements on `thumbnails`. */
export function createThumbnailRows(db: WriteDb) {
  const put = db.prepare<NewThumbnail>(`INSERT OR REPLACE INTO thumbnails
    (clip_id, path, state, size_bytes, mtime_ns, inode, device, service_name)
    VALUES (@clipId, @path, 'queued', @sizeBytes, @mtimeNs, @inode, @device, @serviceName)`);
  const byClip = db.prepare<[string], ThumbnailRow>(`SELECT ${columns} FROM thumbnails WHERE clip_id = ?`);
  const ofIncident = db.prepare<[string], ThumbnailRow>(`SELECT ${columns} FROM thumbnails WHERE clip_id IN
    (SELECT id FROM clips WHERE incident_id = ?)`);
  const uploaded = db.prepare<[string, string | null, string]>(
    "UPDATE thumbnails SET state = 'uploaded', storage_key = ?, sha256 = ?, failure = NULL WHERE clip_id = ?",
  );
  const failed = db.prepare<[string, string]>(
    "UPDATE thumbnails SET state = 'failed', failure = ? WHERE clip_id = ?",
  );
  const requeue = db.prepare<[string]>(
    "UPDATE thumbnails SET state = 'queued', failure = NULL WHERE clip_id = ? AND state = 'failed'",
  );

  return {
    put: (row: NewThumbnail) => put.run(row),
    byClip: (clipId: string) => byClip.get(clipId),
    ofIncident: (incidentId: string) => ofIncident.all(incidentId),
    uploaded: (clipId: string, storageKey: string, sha256: string | null) =>
      uploaded.run(storageKey, sha256, clipId),
    failed: (clipId: string, failure: string) => failed.run(failure, clipId),
    requeue: (clipId: string) => requeue.run(clipId).changes,
  };
}
