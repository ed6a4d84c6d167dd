import type { FileVersion } from '../core/settle/file-seen.ts';
import type { WriteDb } from './open-db.ts';

/** Where a thumbnail comes from: the export folder, or this program, which made it from the clip. */
export type ThumbnailOrigin = 'export' | 'made';

/** A row of `thumbnails`: the thumbnail of a clip. `path` is inside the export, or the name in the data directory. */
export interface ThumbnailRow extends FileVersion {
  readonly clipId: string;
  readonly path: string;
  readonly state: 'queued' | 'uploaded' | 'failed';
  readonly serviceName: string;
  readonly storageKey: string | null;
  readonly sha256: string | null;
  readonly failure: string | null;
  readonly origin: ThumbnailOrigin;
  /** JSON of the facts about a thumbnail that was made here. */
  readonly made: string | null;
}

/** The columns of a new thumbnail; it starts as `queued`. */
export type NewThumbnail = FileVersion & Pick<ThumbnailRow, 'clipId' | 'path' | 'serviceName'>;
/** The columns of a new thumbnail that was made from its clip. */
export type MadeThumbnailRow = NewThumbnail & { readonly made: string; readonly sha256: string };

const columns = `clip_id AS clipId, path, state, size_bytes AS sizeBytes, mtime_ns AS mtimeNs, inode, device,
  service_name AS serviceName, storage_key AS storageKey, sha256, failure, origin, made`;

/** The statements on `thumbnails`. */
export function createThumbnailRows(db: WriteDb) {
  const put = db.prepare<NewThumbnail>(`INSERT OR REPLACE INTO thumbnails
    (clip_id, path, state, size_bytes, mtime_ns, inode, device, service_name)
    VALUES (@clipId, @path, 'queued', @sizeBytes, @mtimeNs, @inode, @device, @serviceName)`);
  const putMade = db.prepare<MadeThumbnailRow>(`INSERT OR REPLACE INTO thumbnails
    (clip_id, path, state, size_bytes, mtime_ns, inode, device, service_name, sha256, origin, made)
    VALUES (@clipId, @path, 'queued', @sizeBytes, @mtimeNs, @inode, @device, @serviceName, @sha256, 'made', @made)`);
  const refile = db.prepare<MadeThumbnailRow>(`UPDATE thumbnails SET path = @path, size_bytes = @sizeBytes,
    mtime_ns = @mtimeNs, inode = @inode, device = @device, made = @made WHERE clip_id = @clipId`);
  const known = db.prepare<{ clipId: string; storageKey: string }>(`INSERT INTO thumbnails
    (clip_id, path, state, size_bytes, mtime_ns, inode, device, service_name, storage_key, origin)
    VALUES (@clipId, '', 'uploaded', 0, '', '', '', '', @storageKey, 'made') ON CONFLICT DO NOTHING`);
  const removeMade = db.prepare<[string]>(
    "DELETE FROM thumbnails WHERE clip_id = ? AND origin = 'made' AND state <> 'uploaded'",
  );
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
    putMade: (row: MadeThumbnailRow) => putMade.run(row),
    /** The file of a thumbnail that the service has was made again, byte for byte. */
    refile: (row: MadeThumbnailRow) => refile.run(row),
    /** The service has a thumbnail that this database has no row for; its file is not here. */
    known: (clipId: string, storageKey: string) => known.run({ clipId, storageKey }),
    /** Removes one that was made here, was not sent yet and is no longer of use. */
    removeMade: (clipId: string) => removeMade.run(clipId).changes,
    byClip: (clipId: string) => byClip.get(clipId),
    ofIncident: (incidentId: string) => ofIncident.all(incidentId),
    uploaded: (clipId: string, storageKey: string, sha256: string | null) =>
      uploaded.run(storageKey, sha256, clipId),
    failed: (clipId: string, failure: string) => failed.run(failure, clipId),
    requeue: (clipId: string) => requeue.run(clipId).changes,
  };
}
