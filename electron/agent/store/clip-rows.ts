import type { FileVersion } from '../core/settle/file-seen.ts';
import { createClipCommands } from './clip-commands.ts';
import type { WriteDb } from './open-db.ts';
import { createWaitingClips, type TreeClip } from './sent-rows.ts';

/** `queued` until the service or the rules decide otherwise. */
export type StoredClipState = 'queued' | 'uploaded' | 'failed';

/** A row of `clips`. `mtimeNs` is decimal text; `sources` says where each value came from. */
export interface ClipRow extends FileVersion {
  readonly id: string;
  readonly incidentId: string;
  readonly path: string;
  readonly generation: number;
  readonly state: StoredClipState;
  readonly serviceName: string;
  readonly cameraId: string | null;
  readonly cameraName: string | null;
  readonly cameraDescription: string | null;
  readonly cameraLatitude: number | null;
  readonly cameraLongitude: number | null;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly sources: string;
  /** JSON of the media's own metadata. */
  readonly facts: string | null;
  /** SHA-256 that the exporter stated, lower-case hexadecimal. */
  readonly expectedSha256: string | null;
  /** Number of the rules that read its path and facts. */
  readonly reading: number;
  /** JSON list of `ClipFlag`. */
  readonly flags: string;
  readonly createdAt: number;
  readonly uploadedAt: number | null;
  readonly storageKey: string | null;
  readonly sha256: string | null;
  readonly failure: string | null;
  /** State of its file when it was found; see the migration. */
  readonly foundCtimeNs: string | null;
  readonly foundSha256: string | null;
  /** JSON of an `Alteration`. */
  readonly altered: string | null;
}

/** The description of a clip, apart from its bytes. */
export type ClipDetails = Pick<
  ClipRow,
  | 'cameraId'
  | 'cameraName'
  | 'cameraDescription'
  | 'cameraLatitude'
  | 'cameraLongitude'
  | 'startedAt'
  | 'endedAt'
  | 'sources'
  | 'facts'
  | 'expectedSha256'
  | 'reading'
  | 'flags'
>;

/** The columns of a new clip; it starts as `queued`. */
export type NewClip = ClipDetails &
  FileVersion &
  Pick<ClipRow, 'id' | 'incidentId' | 'path' | 'generation' | 'serviceName' | 'createdAt'> &
  Partial<Pick<ClipRow, 'foundCtimeNs' | 'foundSha256'>>;

/** The columns that matter once storage has the clip. */
export type SentClip = Pick<
  ClipRow,
  | 'id'
  | 'incidentId'
  | 'path'
  | 'sizeBytes'
  | 'mtimeNs'
  | 'expectedSha256'
  | 'storageKey'
  | 'sha256'
  | 'foundCtimeNs'
  | 'foundSha256'
  | 'altered'
>;

const columns = `id, incident_id AS incidentId, path, generation, state, size_bytes AS sizeBytes,
  mtime_ns AS mtimeNs, inode, device, service_name AS serviceName, camera_id AS cameraId,
  camera_name AS cameraName, camera_description AS cameraDescription, camera_latitude AS cameraLatitude,
  camera_longitude AS cameraLongitude, started_at AS startedAt, ended_at AS endedAt, sources, facts,
  expected_sha256 AS expectedSha256, reading, flags, created_at AS createdAt, uploaded_at AS uploadedAt, storage_key AS storageKey, sha256, failure,
  found_ctime_ns AS foundCtimeNs, found_sha256 AS foundSha256, altered`;

/** Most clips that are looked at for one file; more than one are generations or links. */
const MOST_OF_FILE = 10;

/**
 * How many clips are in a state, not counting those left out, and their bytes; `held` of them, with `heldBytes`, are
 * paused by a person.
 */
export interface ClipTotals {
  readonly state: StoredClipState;
  readonly clips: number;
  readonly bytes: number;
  readonly held: number;
  readonly heldBytes: number;
}

/** The statements on `clips`. */
export function createClipRows(db: WriteDb) {
  const insert = db.prepare<NewClip>(`INSERT INTO clips
    (id, incident_id, path, generation, state, size_bytes, mtime_ns, inode, device, service_name, camera_id,
     camera_name, camera_description, camera_latitude, camera_longitude, started_at, ended_at, sources,
     facts, expected_sha256, reading, flags, created_at, found_ctime_ns, found_sha256, held, number, incident_number)
    VALUES (@id, @incidentId, @path, @generation, 'queued', @sizeBytes, @mtimeNs, @inode, @device, @serviceName,
     @cameraId, @cameraName, @cameraDescription, @cameraLatitude, @cameraLongitude, @startedAt, @endedAt,
     @sources, @facts, @expectedSha256, @reading, @flags, @createdAt, @foundCtimeNs, @foundSha256,
     coalesce((SELECT paused FROM incidents WHERE id = @incidentId), 0),
     (SELECT coalesce(max(rowid), 0) + 1 FROM clips),
     coalesce((SELECT number FROM incidents WHERE id = @incidentId), 0))`);
  const incidentsWaiting = db
    .prepare<[], string>("SELECT DISTINCT incident_id FROM clips WHERE state <> 'uploaded'")
    .pluck();
  const byId = db.prepare<[string], ClipRow>(`SELECT ${columns} FROM clips WHERE id = ?`);
  const byIds = db.prepare<[string], ClipRow>(
    `SELECT ${columns} FROM clips WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const ofIncident = db.prepare<[string], ClipRow>(
    `SELECT ${columns} FROM clips WHERE incident_id = ? ORDER BY path, generation`,
  );
  const ofPaths = db.prepare<[string, string], ClipRow>(
    `SELECT ${columns} FROM clips WHERE incident_id = ? AND path IN (SELECT value FROM json_each(?))
     ORDER BY path, generation`,
  );
  const versionsOf = db.prepare<[string], Pick<ClipRow, 'path' | 'sizeBytes' | 'mtimeNs'>>(
    'SELECT path, size_bytes AS sizeBytes, mtime_ns AS mtimeNs FROM clips WHERE incident_id = ?',
  );
  // An incident that is not a folder of the tree may still have clips from it
  const inTree = db.prepare<
    { rootId: string; tree: string },
    TreeClip
  >(`SELECT clips.path, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, found_ctime_ns AS ctimeNs, inode, device, export_path AS exportPath, ended_at AS endedAt,
    iif(clips.sources ->> '$.startedAt.source' = 'file-time', NULL, started_at) AS startedAt, coalesce(folder, export_path) AS folder, birth_ms AS birthMs, folder_gone AS folderGone,
    instr(flags, 'needs-vendor-player') > 0 AS isNative
    FROM incidents CROSS JOIN clips ON clips.incident_id = incidents.id WHERE incidents.id IN (
      SELECT id FROM incidents WHERE root_id = @rootId AND export_path = @tree
      UNION SELECT id FROM incidents WHERE root_id = @rootId AND export_path > @tree || '/' AND export_path < @tree || '0'
      UNION SELECT id FROM incidents WHERE root_id = @rootId AND (folder IS NOT NULL OR @tree = ''))
    ORDER BY folder_gone DESC, generation`);
  const placeOf = db.prepare<[string], Pick<ClipRow, 'path' | 'generation'>>(
    'SELECT path, generation FROM clips WHERE id = ?',
  );
  const setVersion = db.prepare<FileVersion & { id: string }>(`UPDATE clips SET size_bytes = @sizeBytes,
    mtime_ns = @mtimeNs, inode = @inode, device = @device, ends = NULL WHERE id = @id`);
  const setFoundTime = db.prepare<[string | null, string]>(
    'UPDATE clips SET found_ctime_ns = ? WHERE id = ?',
  );
  const setFoundSum = db.prepare<[string, string]>('UPDATE clips SET found_sha256 = ? WHERE id = ?');
  const setAltered = db.prepare<[string | null, string]>('UPDATE clips SET altered = ? WHERE id = ?');
  // By size: this runs every few seconds, and of 100,000 waiting clips most are small
  const nextUnhashed = db.prepare<[number, string], ClipRow>(`SELECT ${columns} FROM clips WHERE id =
    (SELECT id FROM clips INDEXED BY clips_waiting_by_ends WHERE state = 'queued' AND size_bytes >= ?
     AND found_sha256 IS NULL AND id > ? AND EXISTS (SELECT 1 FROM jobs WHERE kind = 'send-clip' AND subject = clips.id)
     ORDER BY id LIMIT 1)`);
  const place = db.prepare<[string, number, string]>(
    'UPDATE clips SET path = ?, generation = ? WHERE id = ?',
  );
  const ofFile = db.prepare<[string, number, string], ClipRow>(
    `SELECT ${columns} FROM clips WHERE mtime_ns = ? AND size_bytes = ? AND inode = ? LIMIT ${MOST_OF_FILE}`,
  );
  const countWaiting = db
    .prepare<[string], number>(
      "SELECT count(*) FROM clips WHERE state = 'queued' AND id IN (SELECT value FROM json_each(?))",
    )
    .pluck();
  const newest = db.prepare<[], number>('SELECT coalesce(max(number), 0) FROM clips').pluck();
  const newerOfSizes = db
    .prepare<[string, number], number>(
      `SELECT EXISTS (SELECT 1 FROM clips WHERE state = 'queued'
       AND size_bytes IN (SELECT value FROM json_each(?)) AND number > ?)`,
    )
    .pluck();
  const describe = db.prepare<ClipDetails & { id: string }>(`UPDATE clips SET camera_id = @cameraId,
    camera_name = @cameraName, camera_description = @cameraDescription, camera_latitude = @cameraLatitude,
    camera_longitude = @cameraLongitude, started_at = @startedAt, ended_at = @endedAt, sources = @sources,
    facts = @facts, expected_sha256 = @expectedSha256, reading = @reading,
    flags = @flags WHERE id = @id`);
  const uploaded = db.prepare<[string, string | null, number, string]>(
    "UPDATE clips SET state = 'uploaded', held = 0, storage_key = ?, sha256 = ?, uploaded_at = ?, failure = NULL WHERE id = ?",
  );
  const sent = db.prepare<[string]>(`UPDATE clips SET state = 'uploaded', held = 0,
    storage_key = row.value ->> 1, sha256 = row.value ->> 2, uploaded_at = row.value ->> 3, failure = NULL
    FROM json_each(?) AS row WHERE clips.id = row.value ->> 0`);
  const ofIds = db.prepare<
    [string],
    SentClip
  >(`SELECT id, incident_id AS incidentId, path, size_bytes AS sizeBytes,
    mtime_ns AS mtimeNs, expected_sha256 AS expectedSha256, storage_key AS storageKey, sha256,
    found_ctime_ns AS foundCtimeNs, found_sha256 AS foundSha256, altered
    FROM clips WHERE id IN (SELECT value FROM json_each(?))`);
  const failed = db.prepare<[string, string]>(
    "UPDATE clips SET state = 'failed', held = 0, failure = ? WHERE id = ?",
  );
  const setFailure = db.prepare<[string, string]>('UPDATE clips SET failure = ? WHERE id = ?');
  const requeue = db.prepare<[string]>(`UPDATE clips SET state = 'queued', failure = NULL, left_out_at = NULL,
    held = max(held, (SELECT paused FROM incidents WHERE incidents.id = clips.incident_id)) WHERE id = ?`);
  const pending = db
    .prepare<[string], number>(
      `SELECT waiting + held FROM incident_tallies
       WHERE incident_number = (SELECT number FROM incidents WHERE id = ?)`,
    )
    .pluck();
  const totals = db.prepare<[], ClipTotals>(`SELECT * FROM (
    SELECT 'queued' AS state, sum(waiting + held) AS clips, sum(waiting_bytes + held_bytes) AS bytes,
      sum(held) AS held, sum(held_bytes) AS heldBytes FROM incident_tallies
    UNION ALL SELECT 'uploaded', sum(uploaded), sum(uploaded_bytes), 0, 0 FROM incident_tallies
    UNION ALL SELECT 'failed', sum(failed - left_out), sum(failed_bytes), 0, 0 FROM incident_tallies) WHERE clips > 0`);

  return {
    insert: (row: NewClip) => insert.run({ foundCtimeNs: null, foundSha256: null, ...row }),
    byId: (id: string) => byId.get(id),
    byIds: (ids: readonly string[]): readonly ClipRow[] => byIds.all(JSON.stringify(ids)),
    placeOf: (id: string) => placeOf.get(id),
    /** The columns that tell the queued versions of files apart, unordered. */
    versionsOf: (incidentId: string) => versionsOf.all(incidentId),
    /** Clips with one of these paths, ordered by path and generation. */
    ofPaths: (incidentId: string, paths: readonly string[]) => ofPaths.all(incidentId, JSON.stringify(paths)),
    /** Incidents with clips that are not uploaded. */
    incidentsWaiting: () => incidentsWaiting.all(),
    /** Ordered by path and generation: the newest of a path is the last. */
    ofIncident: (incidentId: string) => ofIncident.all(incidentId),
    /** Clips of every incident that this child folder of the root was or has clips of; the newest of a path last. */
    inTree: (rootId: string, tree: string) => inTree.all({ rootId, tree }),
    setVersion: (id: string, version: FileVersion) =>
      setVersion.run({
        id,
        sizeBytes: version.sizeBytes,
        mtimeNs: version.mtimeNs,
        inode: version.inode,
        device: version.device,
      }),
    /** Replaces the change time when the earlier one is no longer comparable, as after a share was mounted again. */
    setFoundTime: (id: string, ctimeNs: string | null) => setFoundTime.run(ctimeNs, id),
    /** Stores the SHA-256 of the file as it was found, computed while the clip waited. */
    setFoundSum: (id: string, sha256: string) => setFoundSum.run(sha256, id),
    setAltered: (id: string, altered: string | null) => setAltered.run(altered, id),
    /** The next clip of at least this size that waits and has not been hashed yet. */
    nextUnhashed: (leastBytes: number, after: string) => nextUnhashed.get(leastBytes, after),
    /** For a file that has a new path, or is the newest of its path again; `generation` is free there. */
    place: (id: string, path: string, generation: number) => place.run(path, generation, id),
    /** Clips with exactly this file, on any device. */
    ofFile: ({ mtimeNs, sizeBytes, inode }: FileVersion) => ofFile.all(mtimeNs, sizeBytes, inode),
    /** Whether one of these clips waits to be sent. */
    isAnyWaiting: (ids: readonly string[]) => (countWaiting.get(JSON.stringify(ids)) ?? 0) > 0,
    /** The number of the newest clip. */
    newest: () => newest.get() ?? 0,
    /** Whether a clip of one of these sizes was queued after that one. */
    hasNewer: (sizes: readonly number[], number: number) =>
      newerOfSizes.get(JSON.stringify(sizes), number) === 1,
    /** `_now` is for the wrapper that notes the change in the chain; milliseconds since 1970. */
    describe: (id: string, details: ClipDetails, _now: number) => describe.run({ id, ...details }),
    uploaded: (id: string, storageKey: string, sha256: string | null, now: number) =>
      uploaded.run(storageKey, sha256, now, id),
    /** Marks clips that storage has, as `uploaded` does, in one statement. */
    sent: (clips: readonly { id: string; storageKey: string; sha256: string }[], now: number) =>
      sent.run(JSON.stringify(clips.map(({ id, storageKey, sha256 }) => [id, storageKey, sha256, now]))),
    /** The columns that matter once storage has the clips, unordered. */
    ofIds: (ids: readonly string[]): readonly SentClip[] => ofIds.all(JSON.stringify(ids)),
    failed: (id: string, failure: string) => failed.run(failure, id),
    /** Stores why the last attempt failed; the clip stays queued. */
    setFailure: (id: string, failure: string) => setFailure.run(failure, id),
    /** A held clip stays held, and one in a paused incident becomes held. */
    requeue: (id: string) => requeue.run(id),
    pending: (incidentId: string) => pending.get(incidentId) ?? 0,
    totals: () => totals.all(),
    ...createWaitingClips(db),
    ...createClipCommands(db),
  };
}
