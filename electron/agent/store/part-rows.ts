import type { PartRow } from './multipart-rows.ts';
import type { WriteDb } from './open-db.ts';

/** The statements on `parts`. */
export function createPartRows(db: WriteDb) {
  const put = db.prepare<PartRow>(`INSERT OR REPLACE INTO parts (clip_id, number, size_bytes, etag, sha256)
    VALUES (@clipId, @number, @sizeBytes, @etag, @sha256)`);
  const ofClip = db.prepare<
    [string],
    PartRow
  >(`SELECT clip_id AS clipId, number, size_bytes AS sizeBytes, etag,
    sha256 FROM parts WHERE clip_id = ? ORDER BY number`);
  const countOf = db.prepare<[string], number>('SELECT count(*) FROM parts WHERE clip_id = ?').pluck();

  return {
    put: (row: PartRow) => put.run(row),
    ofClip: (clipId: string) => ofClip.all(clipId),
    countOf: (clipId: string) => countOf.get(clipId) ?? 0,
  };
}
