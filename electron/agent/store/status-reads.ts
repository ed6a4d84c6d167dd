import type { ReadDb } from './open-db.ts';

/** The columns that a status report shows of an incident. */
export interface StatusIncidentRow {
  readonly id: string;
  readonly title: string;
  readonly rootPath: string;
  readonly exportPath: string;
  readonly incidentAt: number | null;
  readonly version: number;
  readonly syncedVersion: number;
  readonly failure: string | null;
  /** Why the last attempt to look it up in the service, or to sync it, failed. */
  readonly heldBy: string | null;
  readonly files: string | null;
  readonly deadlineAt: number | null;
}

/** The columns that a status report shows of a clip, with its job and the parts that storage has. */
export interface StatusClipRow {
  readonly id: string;
  readonly path: string;
  readonly state: 'queued' | 'uploaded' | 'failed';
  readonly sizeBytes: number;
  readonly cameraName: string | null;
  readonly startedAt: number | null;
  readonly storageKey: string | null;
  readonly sha256: string | null;
  readonly flags: string;
  /** For a waiting clip: why the last attempt to send it failed. */
  readonly failure: string | null;
  readonly leftOutAt: number | null;
  readonly jobState: 'blocked' | 'ready' | 'waiting' | 'leased' | 'failed' | null;
  readonly attempts: number | null;
  readonly dueAt: number | null;
  readonly partBytes: number | null;
  /** 1 when a person paused it, on its own or with everything. */
  readonly paused: number;
}

/** Reads for a status report, on a connection of their own. */
export function createStatusReads(db: Pick<ReadDb, 'prepare'>) {
  const incidents = db.prepare<[], StatusIncidentRow>(`SELECT id, title, root_path AS rootPath,
    export_path AS exportPath, incident_at AS incidentAt, version, synced_version AS syncedVersion, failure, files,
    (SELECT failure FROM jobs WHERE kind IN ('check-incident', 'put-incident') AND subject = incidents.id
     AND state <> 'leased' AND failure IS NOT NULL LIMIT 1) AS heldBy,
    deadline_at AS deadlineAt FROM incidents ORDER BY created_at, id`);
  const clipsOf = db.prepare<[string], StatusClipRow>(`SELECT clips.id, clips.path, clips.state,
    max(clips.held, (SELECT count(*) FROM desk WHERE paused = 1)) AS paused, clips.size_bytes AS sizeBytes, clips.camera_name AS cameraName, clips.started_at AS startedAt,
    clips.storage_key AS storageKey, clips.sha256, clips.flags, clips.left_out_at AS leftOutAt,
    coalesce(clips.failure, iif(jobs.state IN ('ready', 'waiting'), jobs.failure, NULL)) AS failure,
    jobs.state AS jobState, jobs.attempts,
    jobs.due_at AS dueAt, (SELECT sum(size_bytes) FROM parts WHERE parts.clip_id = clips.id) AS partBytes
    FROM clips LEFT JOIN jobs ON jobs.kind = 'send-clip' AND jobs.subject = clips.id
    WHERE clips.incident_id = ? ORDER BY clips.path, clips.generation`);
  return {
    incidents: () => incidents.all(),
    clipsOf: (incidentId: string) => clipsOf.all(incidentId),
  };
}

/** The stored columns of a folder's incident. */
export interface StoredIncidentRow {
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly incidentAt: number | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly sources: string;
}

/** The stored columns of one of its clips. */
export interface StoredClipRow {
  readonly path: string;
  readonly cameraId: string | null;
  readonly cameraName: string | null;
  readonly cameraDescription: string | null;
  readonly cameraLatitude: number | null;
  readonly cameraLongitude: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly sources: string;
}

/** Reads for explaining a folder, on any connection. */
export function createStoredReads(db: Pick<ReadDb, 'prepare'>) {
  const incident = db.prepare<[string, string], StoredIncidentRow>(`SELECT id, title, description,
    incident_at AS incidentAt, latitude, longitude, sources FROM incidents
    WHERE root_path = ? AND export_path = ? ORDER BY created_at DESC LIMIT 1`);
  // The newest generation of a path comes last
  const clips = db.prepare<
    [string],
    StoredClipRow
  >(`SELECT path, camera_id AS cameraId, camera_name AS cameraName,
    camera_description AS cameraDescription, camera_latitude AS cameraLatitude,
    camera_longitude AS cameraLongitude, started_at AS startedAt, ended_at AS endedAt, sources
    FROM clips WHERE incident_id = ? ORDER BY generation`);
  return {
    incident: (rootPath: string, exportPath: string) => incident.get(rootPath, exportPath),
    clips: (incidentId: string) => clips.all(incidentId),
  };
}

/** Where a clip is: its export inside the root, and its path inside the export. */
export interface RecentPath {
  readonly exportPath: string;
  readonly path: string;
}

/** Most clips that a change of the rules for names is tried on. */
const MOST_RECENT = 1_000;

/** The paths of the newest clips of a watched folder. */
export function createRecentPaths(db: Pick<ReadDb, 'prepare'>) {
  const recent = db.prepare<[string], RecentPath>(`SELECT incidents.export_path AS exportPath, clips.path
    FROM clips JOIN incidents ON incidents.id = clips.incident_id
    WHERE incidents.root_path = ? ORDER BY clips.number DESC LIMIT ${MOST_RECENT}`);
  return (rootPath: string): readonly RecentPath[] => recent.all(rootPath);
}

/** A camera that clips name, with how many of them do. */
export interface UnnamedCameraRow {
  readonly cameraName: string | null;
  readonly cameraId: string;
  readonly clips: number;
}

/** Newest clips that are looked at, and cameras that are listed: a person names those that are in use. */
const MOST_LOOKED_AT = 10_000;
const MOST_UNNAMED = 100;

/** The newest clips' cameras that no list of cameras, sidecar or person has named, the most frequent first. */
export function createUnnamedCameras(db: Pick<ReadDb, 'prepare'>) {
  const unnamed = db.prepare<[], UnnamedCameraRow>(`SELECT camera_name AS cameraName, camera_id AS cameraId,
    count(*) AS clips FROM (SELECT camera_name, camera_id, sources FROM clips ORDER BY number DESC
    LIMIT ${MOST_LOOKED_AT})
    WHERE camera_id IS NOT NULL
      AND coalesce(sources ->> '$.cameraName.source', '') NOT IN ('registry', 'sidecar', 'person')
      AND coalesce(sources ->> '$.cameraId.source', '') NOT IN ('registry', 'sidecar', 'person')
    GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${MOST_UNNAMED}`);
  return (): readonly UnnamedCameraRow[] => unnamed.all();
}

/** When a clip was last sent, even if it has left the database since. */
function createLastSent(db: Pick<ReadDb, 'prepare'>) {
  const read = db
    .prepare<[], number | null>(
      `SELECT max(at) FROM (SELECT max(uploaded_at) AS at FROM clips WHERE uploaded_at IS NOT NULL
       UNION ALL SELECT last_sent_at FROM desk)`,
    )
    .pluck();
  return () => read.get() ?? undefined;
}

/** Facts about the queue that only the database knows. */
export function createHealthReads(db: ReadDb) {
  const sqliteVersion = db.prepare<[], string>('SELECT sqlite_version()').pluck();
  const pragma = (name: string) => Number(db.pragma(name, { simple: true }));
  return {
    sqliteVersion: () => sqliteVersion.get() ?? 'unknown',
    /** Milliseconds since 1970. */
    lastUploadedAt: createLastSent(db),
    databaseBytes: () => pragma('page_count') * pragma('page_size'),
  };
}

/** What metrics need besides the counts of Health: when the longest-waiting clip was queued, and why clips failed. */
export function createMetricReads(db: Pick<ReadDb, 'prepare'>) {
  const oldest = db
    .prepare<[], number>('SELECT created_at FROM clips WHERE phase = 0 ORDER BY created_at, number LIMIT 1')
    .pluck();
  const failures = db.prepare<[], { readonly code: string; readonly clips: number }>(
    `SELECT coalesce(failure ->> 'code', '') AS code, count(*) AS clips FROM clips WHERE state = 'failed'
     AND left_out_at IS NULL GROUP BY 1 ORDER BY 1`,
  );
  return () => ({ oldestWaitingAt: oldest.get() ?? undefined, failures: failures.all() });
}

/** Reads for the metrics file. */
export type MetricReads = ReturnType<typeof createMetricReads>;

/** Reads about the health of the queue. */
export type HealthReads = ReturnType<typeof createHealthReads>;

/** Number of clips, and their total size. */
interface Sum {
  readonly clips: number;
  readonly bytes: number;
}

/** A failed clip, or an incident whose record was refused (`path` is null), as a handover lists it. */
export interface ShiftFailureRow {
  readonly incidentId: string;
  readonly title: string;
  readonly clipId: string | null;
  readonly path: string | null;
  readonly cameraName: string | null;
  /** JSON of `Failure`. */
  readonly failure: string | null;
  /** When it was given up, milliseconds since 1970; null when that is no longer recorded. */
  readonly failedAt: number | null;
}

const givenUpAt = (subject: 'clip' | 'incident', table: string): string =>
  `(SELECT max(at) FROM history WHERE history.subject = '${subject}' AND history.number = ${table}.number
    AND kind IN ('tried', 'cancelled'))`;

/** A count, and when the first of the counted things began, milliseconds since 1970. */
interface Since {
  readonly count: number;
  readonly since: number | null;
}

/** What a summary of a desk needs, on any connection. Times are milliseconds since 1970. */
export function createSummaryReads(db: Pick<ReadDb, 'prepare'>) {
  const paused = db.prepare<[], number>('SELECT count(*) FROM desk WHERE paused = 1').pluck();
  const waiting = db.prepare<[], Since & { readonly paused: number; readonly bytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(held), 0) AS paused, coalesce(sum(size_bytes), 0) AS bytes, min(created_at) AS since
     FROM clips WHERE state = 'queued'`,
  );
  const failed = db.prepare<[], Since & { readonly code: string }>(
    `SELECT coalesce(failure ->> 'code', '') AS code, count(*) AS count, min(${givenUpAt('clip', 'clips')}) AS since
     FROM clips WHERE state = 'failed' AND left_out_at IS NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
  );
  const refused = db.prepare<[], number>('SELECT count(*) FROM incidents WHERE failure IS NOT NULL').pluck();
  const exports = db.prepare<[], Since>(
    `SELECT count(*) AS count, min(since) AS since FROM seen_exports
     WHERE state IN ('held', 'missing', 'unrecognised')`,
  );
  const lastSentAt = createLastSent(db);
  return () => ({
    isPaused: paused.get() === 1,
    waiting: waiting.get() ?? { count: 0, paused: 0, bytes: 0, since: null },
    failed: failed.all(),
    refused: refused.get() ?? 0,
    exports: exports.get() ?? { count: 0, since: null },
    lastSentAt: lastSentAt() ?? null,
  });
}

/** Reads for the summary of a desk. */
export type SummaryReads = ReturnType<typeof createSummaryReads>;

/** What a handover of a shift needs. Times are milliseconds since 1970. */
export function createShiftReads(db: Pick<ReadDb, 'prepare'>) {
  const arrived = db
    .prepare<[number], number>('SELECT count(*) FROM incidents WHERE created_at >= ?')
    .pluck();
  const sent = db.prepare<[number], Sum>(
    `SELECT count(*) AS clips, coalesce(sum(size_bytes), 0) AS bytes FROM clips
     WHERE uploaded_at IS NOT NULL AND uploaded_at >= ?`,
  );
  const failed = db.prepare<[number], ShiftFailureRow>(
    `SELECT incidents.id AS incidentId, incidents.title, clips.id AS clipId, clips.path,
       clips.camera_name AS cameraName, clips.failure, ${givenUpAt('clip', 'clips')} AS failedAt
     FROM clips JOIN incidents ON incidents.id = clips.incident_id
     WHERE clips.rowid IN (SELECT rowid FROM clips INDEXED BY clips_failed
       WHERE state = 'failed' AND left_out_at IS NULL ORDER BY rowid DESC LIMIT ?)
     ORDER BY clips.rowid DESC`,
  );
  const leftOut = db.prepare<[number], number>('SELECT count(*) FROM clips WHERE left_out_at >= ?').pluck();
  const refused = db.prepare<[number], ShiftFailureRow>(
    `SELECT id AS incidentId, title, NULL AS clipId, NULL AS path, NULL AS cameraName, failure,
       ${givenUpAt('incident', 'incidents')} AS failedAt
     FROM incidents WHERE failure IS NOT NULL ORDER BY created_at DESC LIMIT ?`,
  );
  return {
    /** New incidents since then. */
    arrivedSince: (since: number): number => arrived.get(since) ?? 0,
    /** What was sent since then. */
    sentSince: (since: number): Sum => sent.get(since) ?? { clips: 0, bytes: 0 },
    /** Failed clips that a person left out since then. */
    leftOutSince: (since: number): number => leftOut.get(since) ?? 0,
    /** The newest failed clips that nobody has left out; below, the newest incidents whose record was refused. */
    failedClips: (limit: number): readonly ShiftFailureRow[] => failed.all(limit),
    refusedRecords: (limit: number): readonly ShiftFailureRow[] => refused.all(limit),
  };
}
