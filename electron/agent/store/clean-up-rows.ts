import type { WriteDb } from './open-db.ts';

/**
 * How far an export is on its way out of its folder: found stored once; found so again at least an hour later; being
 * moved or deleted by its plan; gone; or kept for a reason. Times are milliseconds since 1970 by the service's clock.
 */
export interface CleanUpRow {
  readonly incidentId: string;
  readonly state: 'looked' | 'proved' | 'acting' | 'done' | 'refused';
  readonly lookedAt: number;
  readonly provedAt: number | null;
  /** When it is looked at next. */
  readonly nextAt: number;
  /** Digest of what was found stored, and of the files. */
  readonly print: string;
  /** JSON of the plan that is being carried out. */
  readonly plan: string | null;
  readonly reason: string | null;
}

/** An incident that may have been stored whole. */
interface Candidate {
  readonly id: string;
  readonly number: number;
}

/** An export that stays in its folder, and why. */
interface KeptRow {
  readonly rootPath: string;
  readonly exportPath: string;
  readonly reason: string;
}

const columns = `incident_id AS incidentId, state, looked_at AS lookedAt, proved_at AS provedAt, next_at AS nextAt,
  print, plan, reason`;

/** The statements on `clean_ups`. */
export function createCleanUpRows(db: WriteDb) {
  // As in `retention-rows.ts`: sent whole, recorded, and nothing is left to do
  const candidates = db.prepare<{ roots: string; after: number; now: number; limit: number }, Candidate>(
    `SELECT id, number FROM incidents JOIN incident_tallies AS tallies ON tallies.incident_number = number
     LEFT JOIN clean_ups ON clean_ups.incident_id = id
     WHERE number > @after AND root_path IN (SELECT value FROM json_each(@roots)) AND folder IS NULL
       AND export_path <> '' AND folder_gone = 0 AND version <= synced_version AND incidents.failure IS NULL
       AND paused = 0 AND tallies.waiting = 0 AND tallies.held = 0 AND tallies.failed = 0 AND tallies.uploaded > 0
       AND coalesce(state, '') NOT IN ('acting', 'done') AND coalesce(next_at, 0) <= @now
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.incident_id = incidents.id)
     ORDER BY number LIMIT @limit`,
  );
  const acting = db.prepare<[number], CleanUpRow>(
    `SELECT ${columns} FROM clean_ups WHERE state = 'acting' AND next_at <= ? ORDER BY incident_id`,
  );
  const byId = db.prepare<[string], CleanUpRow>(`SELECT ${columns} FROM clean_ups WHERE incident_id = ?`);
  const put = db.prepare<CleanUpRow>(`INSERT OR REPLACE INTO clean_ups
    (incident_id, state, looked_at, proved_at, next_at, print, plan, reason)
    VALUES (@incidentId, @state, @lookedAt, @provedAt, @nextAt, @print, @plan, @reason)`);
  const counts = db.prepare<[], { state: CleanUpRow['state']; exports: number }>(
    'SELECT state, count(*) AS exports FROM clean_ups GROUP BY state',
  );
  const kept = db.prepare<[number], KeptRow>(`SELECT root_path AS rootPath, export_path AS exportPath, reason
    FROM clean_ups JOIN incidents ON id = incident_id WHERE reason IS NOT NULL AND state <> 'done'
    ORDER BY next_at DESC LIMIT ?`);
  const forgetOpen = db.prepare("DELETE FROM clean_ups WHERE state NOT IN ('acting', 'done')");
  return {
    /** Incidents after a number that are due for a look. */
    candidates: (roots: readonly string[], after: number, now: number, limit: number) =>
      candidates.all({ roots: JSON.stringify(roots), after, now, limit }),
    /** What was begun and has not ended, and is due. */
    acting: (now: number) => acting.all(now),
    byId: (incidentId: string) => byId.get(incidentId),
    put: (row: CleanUpRow) => put.run(row),
    /** No policy asks for it any more; what was begun is still known. */
    forgetOpen: () => forgetOpen.run(),
    counts: () => counts.all(),
    /** Some exports that stay, and why. */
    kept: (limit: number): readonly KeptRow[] => kept.all(limit),
  };
}
