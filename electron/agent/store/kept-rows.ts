import type { WriteDb } from './open-db.ts';

/** What stays of an incident that left the database: its folder, and which versions of its clips were dealt with. */
export interface KeptExport {
  readonly number: number;
  readonly incidentId: string;
  readonly rootId: string;
  readonly exportPath: string;
  readonly birthMs: number;
  /** When its folder was seen to be gone, milliseconds since 1970. */
  readonly goneAt: number | null;
}

/** The newest version of a clip that was dealt with. `mtimeNs` is decimal text. */
export interface KeptClip {
  readonly path: string;
  readonly generation: number;
  readonly sizeBytes: number;
  readonly mtimeNs: string;
}

const columns = `number, incident_id AS incidentId, root_id AS rootId, export_path AS exportPath, birth_ms AS birthMs,
  gone_at AS goneAt`;

/** The statements on `kept_exports` and `kept_clips`; rows come from `retention-rows.ts`. */
export function createKeptRows(db: WriteDb) {
  const byExport = db.prepare<[string, string, number], KeptExport>(
    `SELECT ${columns} FROM kept_exports WHERE root_id = ? AND export_path = ? AND birth_ms = ?`,
  );
  const byIncident = db.prepare<[string], KeptExport>(
    `SELECT ${columns} FROM kept_exports WHERE incident_id = ?`,
  );
  const clipsOf = db.prepare<[string], KeptClip>(`SELECT path, generation, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs FROM kept_clips
    WHERE export_number = (SELECT number FROM kept_exports WHERE incident_id = ?)`);
  const setGone = db.prepare<[number | null, number]>('UPDATE kept_exports SET gone_at = ? WHERE number = ?');
  const forget = db.prepare<[number, number]>(`DELETE FROM kept_exports WHERE number IN
    (SELECT number FROM kept_exports WHERE gone_at < ? LIMIT ?)`);
  return {
    byExport: (rootId: string, exportPath: string, birthMs: number) =>
      byExport.get(rootId, exportPath, birthMs),
    byIncident: (incidentId: string) => byIncident.get(incidentId),
    clipsOf: (incidentId: string): readonly KeptClip[] => clipsOf.all(incidentId),
    /** Its folder is gone, or there again. */
    setGone: (number: number, goneAt: number | null) => setGone.run(goneAt, number),
    /** Forgets up to `limit` exports whose folders were gone before that time; answers how many. */
    forgetGone: (before: number, limit: number) => forget.run(before, limit).changes,
  };
}
