import type { NotedVersion } from '../core/settle/file-seen.ts';
import type { WriteDb } from './open-db.ts';

/** An incident with nothing left to do; its `failed` clips were not sent and nobody left them out. */
export interface FinishedIncident {
  readonly id: string;
  readonly number: number;
  readonly createdAt: number;
  readonly failed: number;
}

interface ClipKey {
  readonly id: string;
  readonly number: number;
  /** 1 when a thumbnail of it was made here. */
  readonly hasMade: number;
}

/** The statements that remove finished rows from the database, a few at a time. */
export function createRetentionRows(db: WriteDb) {
  return { ...createFinishedReads(db), ...createRemovals(db) };
}

function createFinishedReads(db: WriteDb) {
  const unchanged = `SELECT id, number, created_at AS createdAt, tallies.failed - tallies.left_out AS failed FROM incidents
     JOIN incident_tallies AS tallies ON tallies.incident_number = number
     WHERE created_at < @before AND updated_at < @before AND coalesce(last_put_at, 0) < @before
       AND version <= synced_version AND paused = 0 AND tallies.waiting = 0 AND tallies.held = 0
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.incident_id = incidents.id
         AND (jobs.state <> 'failed' OR jobs.pool = 'record'))
       AND NOT EXISTS (SELECT 1 FROM clean_ups WHERE incident_id = incidents.id
         AND state IN ('looked', 'proved', 'acting'))`;
  // Clips are sent or failed, the service has the record, no job is left, and nothing has changed since
  const finished = db.prepare<
    { before: number; createdAt: number; number: number; limit: number },
    FinishedIncident
  >(
    `${unchanged} AND (created_at, number) > (@createdAt, @number)
     ORDER BY created_at, number LIMIT @limit`,
  );
  const finishedOne = db.prepare<{ before: number; id: string }, FinishedIncident>(
    `${unchanged} AND id = @id`,
  );
  const failures = db
    .prepare<[string], string | null>(
      "SELECT failure FROM clips WHERE incident_id = ? AND state = 'failed' AND left_out_at IS NULL",
    )
    .pluck();
  return {
    /** The next finished incidents, after this one, that have not changed since `before`. */
    finished: (after: Pick<FinishedIncident, 'createdAt' | 'number'>, before: number, limit: number) =>
      finished.all({ createdAt: after.createdAt, number: after.number, before, limit }),
    /** The incident, if it is one of those. */
    finishedOne: (id: string, before: number) => finishedOne.get({ id, before }),
    failuresOf: (incidentId: string): readonly (string | null)[] => failures.all(incidentId),
  };
}

function createRemovals(db: WriteDb) {
  const keep = db.prepare<{ id: string; now: number }>(`INSERT INTO kept_exports
    (incident_id, root_id, export_path, birth_ms, kept_at, gone_at)
    SELECT id, root_id, export_path, birth_ms, @now, iif(folder_gone = 1, @now, NULL) FROM incidents WHERE id = @id
    ON CONFLICT (incident_id) DO UPDATE SET root_id = excluded.root_id, export_path = excluded.export_path,
      birth_ms = excluded.birth_ms, kept_at = excluded.kept_at, gone_at = excluded.gone_at`);
  const next = db.prepare<[string, number], ClipKey>(`SELECT clips.id, number,
    EXISTS (SELECT 1 FROM thumbnails WHERE clip_id = clips.id AND origin = 'made') AS hasMade
    FROM clips WHERE incident_id = ? ORDER BY path, generation LIMIT ?`);
  const keepClip = db.prepare<[string, string]>(`INSERT INTO kept_clips
    SELECT (SELECT number FROM kept_exports WHERE incident_id = ?), path, generation, size_bytes, mtime_ns,
      inode, device, found_ctime_ns FROM clips WHERE id = ?
    ON CONFLICT (export_number, path) DO UPDATE SET generation = excluded.generation,
      size_bytes = excluded.size_bytes, mtime_ns = excluded.mtime_ns, inode = excluded.inode,
      device = excluded.device, ctime_ns = excluded.ctime_ns
    WHERE excluded.generation >= kept_clips.generation`);
  const ofClip = [
    "DELETE FROM jobs WHERE kind IN ('send-clip', 'send-thumbnail', 'make-thumbnail') AND subject = ?",
    'DELETE FROM thumbnails WHERE clip_id = ?',
    'DELETE FROM multiparts WHERE clip_id = ?',
  ].map((sql) => db.prepare<[string]>(sql));
  const removeClip = db.prepare<[string]>('DELETE FROM clips WHERE id = ?');
  const keepSentAt = db.prepare<[string]>(`UPDATE desk SET last_sent_at = sent.at
    FROM (SELECT max(uploaded_at) AS at FROM clips WHERE incident_id = ?) AS sent
    WHERE sent.at > coalesce(last_sent_at, 0)`);
  const removeHistory = db.prepare<[string, number]>('DELETE FROM history WHERE subject = ? AND number = ?');
  const removeTally = db.prepare<[number]>('DELETE FROM incident_tallies WHERE incident_number = ?');
  const removeJobs = db.prepare<[string]>('DELETE FROM jobs WHERE incident_id = ?');
  const removeCleanUp = db.prepare<[string]>('DELETE FROM clean_ups WHERE incident_id = ?');
  const removeIncident = db.prepare<[string]>('DELETE FROM incidents WHERE id = ?');
  const removeOrphans = db.prepare<[number, number]>(`DELETE FROM orphans WHERE id IN
    (SELECT id FROM orphans WHERE ended_at < ? LIMIT ?)`);
  return {
    /**
     * Removes up to `limit` clips of the incident, and the incident with the last of them; what identifies their files
     * is kept. Returns the clips whose thumbnails were made here, and whether the incident is gone.
     */
    removeNext(incident: Pick<FinishedIncident, 'id' | 'number'>, now: number, limit: number) {
      const { id, number } = incident;
      keep.run({ id, now });
      keepSentAt.run(id);
      const clips = next.all(id, limit);
      for (const clip of clips) {
        keepClip.run(id, clip.id);
        for (const statement of ofClip) statement.run(clip.id);
        removeHistory.run('clip', clip.number);
        removeClip.run(clip.id);
      }
      const isGone = clips.length < limit;
      if (isGone) {
        removeHistory.run('incident', number);
        removeTally.run(number);
        removeJobs.run(id);
        removeCleanUp.run(id);
        removeIncident.run(id);
      }
      return { isGone, made: clips.filter(({ hasMade }) => hasMade === 1).map((clip) => clip.id) };
    },
    /** Removes aborted uploads that ended before that time; returns how many. */
    removeOrphans: (before: number, limit: number) => removeOrphans.run(before, limit).changes,
  };
}

/**
 * What is kept of an incident that left the database: its folder; `KeptClip` has the versions of its clips that were
 * dealt with.
 */
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
export interface KeptClip extends NotedVersion {
  readonly path: string;
  readonly generation: number;
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
    mtime_ns AS mtimeNs, inode, device, ctime_ns AS ctimeNs FROM kept_clips
    WHERE export_number = (SELECT number FROM kept_exports WHERE incident_id = ?)`);
  const setGone = db.prepare<[number | null, number]>('UPDATE kept_exports SET gone_at = ? WHERE number = ?');
  const forget = db.prepare<[number, number]>(`DELETE FROM kept_exports WHERE number IN
    (SELECT number FROM kept_exports WHERE gone_at < ? LIMIT ?)`);
  return {
    byExport: (rootId: string, exportPath: string, birthMs: number) =>
      byExport.get(rootId, exportPath, birthMs),
    byIncident: (incidentId: string) => byIncident.get(incidentId),
    clipsOf: (incidentId: string): readonly KeptClip[] => clipsOf.all(incidentId),
    /** Notes that its folder is gone, or is back (null). */
    setGone: (number: number, goneAt: number | null) => setGone.run(goneAt, number),
    /** Forgets up to `limit` exports whose folders were gone before that time; returns how many. */
    forgetGone: (before: number, limit: number) => forget.run(before, limit).changes,
  };
}

/**
 * How far an export is on its way out of its folder: found stored once; found stored again at least an hour later;
 * being moved or deleted according to its plan; gone; or kept for a reason. Times are milliseconds since 1970 by the
 * service's clock.
 */
export interface CleanUpRow {
  readonly incidentId: string;
  readonly state: 'looked' | 'proved' | 'acting' | 'done' | 'refused';
  readonly lookedAt: number;
  readonly provedAt: number | null;
  /** When it is checked next. */
  readonly nextAt: number;
  /** Digest of what was found stored, and of the files. */
  readonly print: string;
  /** JSON of the plan that is being carried out. */
  readonly plan: string | null;
  readonly reason: string | null;
}

/** An incident that may be completely stored. */
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

const cleanUpColumns = `incident_id AS incidentId, state, looked_at AS lookedAt, proved_at AS provedAt, next_at AS nextAt,
  print, plan, reason`;

/** The statements on `clean_ups`. */
export function createCleanUpRows(db: WriteDb) {
  // As in `createFinishedReads`: completely sent, recorded, and nothing left to do
  const candidates = db.prepare<{ roots: string; after: number; now: number; limit: number }, Candidate>(
    `SELECT id, number FROM incidents JOIN incident_tallies AS tallies ON tallies.incident_number = number
     LEFT JOIN clean_ups ON clean_ups.incident_id = id
     WHERE number > @after AND root_path IN (SELECT value FROM json_each(@roots)) AND coalesce(folder, '') = ''
       AND export_path <> '' AND folder_gone = 0 AND version <= synced_version AND incidents.failure IS NULL
       AND paused = 0 AND tallies.waiting = 0 AND tallies.held = 0 AND tallies.failed = 0 AND tallies.uploaded > 0
       AND coalesce(state, '') NOT IN ('acting', 'done') AND coalesce(next_at, 0) <= @now
       AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.incident_id = incidents.id
         AND (jobs.state <> 'failed' OR jobs.pool = 'record'))
     ORDER BY number LIMIT @limit`,
  );
  const acting = db.prepare<[number], CleanUpRow>(
    `SELECT ${cleanUpColumns} FROM clean_ups WHERE state = 'acting' AND next_at <= ? ORDER BY incident_id`,
  );
  const byId = db.prepare<[string], CleanUpRow>(
    `SELECT ${cleanUpColumns} FROM clean_ups WHERE incident_id = ?`,
  );
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
    /** Incidents with a larger number that are due for a check. */
    candidates: (roots: readonly string[], after: number, now: number, limit: number) =>
      candidates.all({ roots: JSON.stringify(roots), after, now, limit }),
    /** Clean-ups that were begun, have not ended and are due. */
    acting: (now: number) => acting.all(now),
    byId: (incidentId: string) => byId.get(incidentId),
    put: (row: CleanUpRow) => put.run(row),
    /** For when no policy asks for clean-up any more; what was begun or done stays known. */
    forgetOpen: () => forgetOpen.run(),
    counts: () => counts.all(),
    /** Some exports that stay, and why. */
    kept: (limit: number): readonly KeptRow[] => kept.all(limit),
  };
}
