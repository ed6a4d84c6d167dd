import type { WriteDb } from './open-db.ts';

/** The clips that a command is about: those of an incident, or those named. */
export type ClipScope =
  | { readonly kind: 'incident'; readonly incidentId: string }
  | { readonly kind: 'clips'; readonly clipIds: readonly string[] };

/**
 * A statement for both kinds of scope; further inputs are its parameters from the second on. `key` is the column with
 * the clip's ID.
 */
export function forScope<T, More extends readonly (string | number)[] = []>(
  db: WriteDb,
  key: 'id' | 'subject',
  sql: (where: string) => string,
  run: (statement: ReturnType<typeof db.prepare<[string, ...More]>>, value: string, ...more: More) => T,
): (scope: ClipScope, ...more: More) => T {
  const ofIncident = db.prepare<[string, ...More]>(sql('incident_id = ?'));
  const ofClips = db.prepare<[string, ...More]>(sql(`${key} IN (SELECT value FROM json_each(?))`));
  return (scope, ...more) =>
    scope.kind === 'incident'
      ? run(ofIncident, scope.incidentId, ...more)
      : run(ofClips, JSON.stringify(scope.clipIds), ...more);
}

/** A clip of an incident, and its position among the others. */
export interface ClipPlace {
  readonly id: string;
  readonly path: string;
  readonly generation: number;
}

/** How many clips failed with a code. */
interface FailedCode {
  readonly code: string | null;
  readonly found: number;
}

/** Whether to read clips that were left out, or those that were not. */
export type Standing = 'counted' | 'leftOut';

/** A clip that failed, and its position among all of them. */
export interface FailedClip {
  readonly id: string;
  readonly incidentId: string;
  readonly place: number;
  readonly state: 'failed';
  readonly failure: string | null;
  readonly leftOutAt: number | null;
}

/** The statements behind a person's commands about clips. Only queued ones are paused. */
export function createClipCommands(db: WriteDb) {
  const pause = forScope(
    db,
    'id',
    (where) => `UPDATE clips SET held = 1 WHERE ${where} AND state = 'queued' AND held = 0`,
    (statement, value) => statement.run(value).changes,
  );
  const resume = forScope(
    db,
    'id',
    (where) => `UPDATE clips SET held = 0 WHERE ${where} AND held = 1`,
    (statement, value) => statement.run(value).changes,
  );
  const queued = forScope(
    db,
    'id',
    (where) => `SELECT id FROM clips WHERE ${where} AND state = 'queued' ORDER BY number`,
    (statement, value) => statement.pluck().all(value).map(String),
  );
  const firstPage = db.prepare<[string, number], ClipPlace>(`SELECT id, path, generation FROM clips
    WHERE incident_id = ? ORDER BY path, generation LIMIT ?`);
  const nextPage = db.prepare<
    [string, string, number, number],
    ClipPlace
  >(`SELECT id, path, generation FROM clips
    WHERE incident_id = ? AND (path, generation) > (?, ?) ORDER BY path, generation LIMIT ?`);
  const failedPage = (where: string) =>
    db.prepare<
      [string, number, number],
      FailedClip
    >(`SELECT id, incident_id AS incidentId, rowid AS place, state, failure, left_out_at AS leftOutAt
      FROM clips INDEXED BY clips_failed WHERE state = 'failed' AND ${where} ORDER BY incident_id, rowid LIMIT ?`);
  const failedOfAll = failedPage('left_out_at IS NULL AND (incident_id, rowid) > (?, ?)');
  const failedOfIncident = {
    counted: failedPage('left_out_at IS NULL AND incident_id = ? AND rowid > ?'),
    leftOut: failedPage('left_out_at IS NOT NULL AND incident_id = ? AND rowid > ?'),
  } as const satisfies Record<Standing, unknown>;
  const codesWhere = (where: string) =>
    db.prepare<[{ readonly incidentId: string; readonly limit: number }], FailedCode>(
      `SELECT json_extract(failure, '$.code') AS code, count(*) AS found FROM (SELECT failure FROM clips
       INDEXED BY clips_failed WHERE state = 'failed' AND left_out_at IS NULL AND ${where} LIMIT @limit) GROUP BY 1`,
    );
  const codesOfAll = codesWhere("@incidentId = ''");
  const codesOfIncident = codesWhere('incident_id = @incidentId');
  const gonePaths = db
    .prepare<[string, number], string>(
      `SELECT path FROM clips INDEXED BY clips_failed WHERE state = 'failed' AND incident_id = ?
       AND failure ->> 'code' = 'FILE_GONE' LIMIT ?`,
    )
    .pluck();
  const leaveOut = db.prepare<[number | null, string, number]>(`UPDATE clips SET left_out_at = ?
    WHERE id = ? AND state = 'failed' AND (left_out_at IS NOT NULL) <> ?`);
  const waiting = db.prepare<[], number>('SELECT coalesce(sum(waiting), 0) FROM incident_tallies').pluck();
  return {
    /** How many clips are queued and not paused. */
    countWaiting: () => waiting.get() ?? 0,
    /** Clips of an incident in any state, starting after `last`. */
    pageOfIncident: (incidentId: string, last: ClipPlace | undefined, limit: number): readonly ClipPlace[] =>
      last === undefined
        ? firstPage.all(incidentId, limit)
        : nextPage.all(incidentId, last.path, last.generation, limit),
    /** Failed clips of all incidents that nobody has left out, starting after `last`. */
    pageOfFailed: (last: FailedClip | undefined, limit: number): readonly FailedClip[] =>
      failedOfAll.all(last?.incidentId ?? '', last?.place ?? 0, limit),
    /** Why clips failed that nobody has left out, in an incident or in all; at most `limit` of them are looked at. */
    codesOfFailed: (limit: number, incidentId = '') =>
      (incidentId === '' ? codesOfAll : codesOfIncident).all({ incidentId, limit }),
    /** As `pageOfFailed`, for one incident. */
    pageOfFailedIn: (
      incidentId: string,
      last: FailedClip | undefined,
      limit: number,
      standing: Standing = 'counted',
    ) => failedOfIncident[standing].all(incidentId, last?.place ?? 0, limit),
    /** At most `limit` paths of an incident's clips that failed because their files were gone. */
    gonePaths: (incidentId: string, limit: number) => gonePaths.all(incidentId, limit),
    /** Leaves a failed clip out as of `at`, or takes it back (null). False if it did not change or has not failed. */
    leaveOut: (id: string, at: number | null): boolean =>
      leaveOut.run(at, id, at === null ? 0 : 1).changes > 0,
    /** Returns how many were not paused before. */
    pause,
    /** Returns how many were paused. */
    resume,
    /** IDs of the clips that are neither uploaded nor failed, in order of arrival. */
    queued,
  };
}
