import type { WriteDb } from './open-db.ts';

/** A multipart upload that will not be completed and must be aborted at the service (service.md gap 16). */
export interface OrphanRow {
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

/** What a new orphan needs. */
export type NewOrphan = Omit<OrphanRow, 'id' | 'endedAt' | 'outcome'>;

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
