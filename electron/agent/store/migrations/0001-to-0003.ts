/**
 * Incidents, their clips and thumbnails, the state of multipart uploads, uploads to be aborted, and jobs.
 * Times are milliseconds since 1970 UTC; `mtime_ns` is decimal text because nanoseconds exceed 2^53.
 */
export const firstSchema = `
CREATE TABLE desk (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  desk_id TEXT NOT NULL
) STRICT;

CREATE TABLE incidents (
  id TEXT PRIMARY KEY,
  root_id TEXT NOT NULL,
  root_path TEXT NOT NULL,
  export_path TEXT NOT NULL,
  birth_ms INTEGER NOT NULL,
  title TEXT NOT NULL,
  description TEXT,
  incident_at INTEGER,
  latitude REAL,
  longitude REAL,
  sources TEXT NOT NULL,
  extra TEXT,
  folder_gone INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  checked_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  synced_version INTEGER NOT NULL DEFAULT 0,
  sent_details TEXT,
  last_put_at INTEGER,
  remote_videos TEXT,
  failure TEXT
) STRICT;
CREATE INDEX incidents_by_export ON incidents (root_id, export_path, birth_ms);
CREATE INDEX incidents_by_birth ON incidents (birth_ms);

CREATE TABLE clips (
  id TEXT PRIMARY KEY,
  incident_id TEXT NOT NULL REFERENCES incidents (id),
  path TEXT NOT NULL,
  generation INTEGER NOT NULL DEFAULT 1,
  state TEXT NOT NULL CHECK (state IN ('queued', 'uploaded', 'failed')),
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  inode TEXT NOT NULL,
  device TEXT NOT NULL,
  service_name TEXT NOT NULL,
  camera_id TEXT,
  camera_name TEXT,
  camera_description TEXT,
  camera_latitude REAL,
  camera_longitude REAL,
  started_at INTEGER,
  ended_at INTEGER,
  sources TEXT NOT NULL,
  facts TEXT,
  expected_sha256 TEXT,
  created_at INTEGER NOT NULL,
  uploaded_at INTEGER,
  storage_key TEXT,
  sha256 TEXT,
  failure TEXT,
  UNIQUE (incident_id, path, generation)
) STRICT;
CREATE INDEX clips_by_state ON clips (state, size_bytes);
CREATE INDEX clips_by_incident ON clips (incident_id, state);

CREATE TABLE thumbnails (
  clip_id TEXT PRIMARY KEY REFERENCES clips (id),
  path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('queued', 'uploaded', 'failed')),
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  inode TEXT NOT NULL,
  device TEXT NOT NULL,
  service_name TEXT NOT NULL,
  storage_key TEXT,
  sha256 TEXT,
  failure TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE multiparts (
  clip_id TEXT PRIMARY KEY REFERENCES clips (id),
  storage_key TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  part_size_bytes INTEGER NOT NULL,
  part_count INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  inode TEXT NOT NULL,
  device TEXT NOT NULL,
  completing INTEGER NOT NULL DEFAULT 0,
  opened_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE parts (
  clip_id TEXT NOT NULL REFERENCES multiparts (clip_id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number BETWEEN 1 AND 10000),
  size_bytes INTEGER NOT NULL,
  etag TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (clip_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE orphans (
  id INTEGER PRIMARY KEY,
  incident_id TEXT NOT NULL,
  clip_id TEXT NOT NULL,
  storage_key TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  outcome TEXT
) STRICT;

CREATE TABLE jobs (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  pool TEXT NOT NULL,
  incident_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('blocked', 'ready', 'waiting', 'leased', 'failed')),
  priority INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  lease TEXT,
  leased_at INTEGER,
  failure TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (kind, subject)
) STRICT;
CREATE INDEX jobs_to_claim ON jobs (pool, priority, id) WHERE state = 'ready';
CREATE INDEX jobs_of_incident ON jobs (incident_id, state, pool, priority, id);
CREATE INDEX jobs_waiting ON jobs (due_at) WHERE state = 'waiting';
CREATE INDEX jobs_leased ON jobs (lease) WHERE state = 'leased';
`;

/** 1 when the clip is in the phase; see the column `phase`. */
const inPhase = (row: 'new' | 'old', phase: number): string => `(${row}.phase = ${phase})`;

/** The columns of `incident_tallies`, each with its phase. */
const tallied = [
  ['waiting', 0],
  ['held', 1],
  ['uploaded', 2],
  ['failed', 3],
] as const;

const tallyColumns = tallied.flatMap(([name]) => [name, `${name}_bytes`]).join(', ');
const tallySums = tallied
  .map(([, phase]) => `sum(phase = ${phase}), sum((phase = ${phase}) * size_bytes)`)
  .join(', ');
const added = tallied
  .map(
    ([name, phase]) => `${name} = ${name} + ${inPhase('new', phase)},
    ${name}_bytes = ${name}_bytes + ${inPhase('new', phase)} * new.size_bytes`,
  )
  .join(', ');
const moved = tallied
  .map(
    ([name, phase]) => `${name} = ${name} + ${inPhase('new', phase)} - ${inPhase('old', phase)},
    ${name}_bytes = ${name}_bytes + ${inPhase('new', phase)} * new.size_bytes - ${inPhase('old', phase)} * old.size_bytes`,
  )
  .join(', ');

/**
 * Commands of a person: everything paused (`desk.paused`), an incident paused with the clips still to come
 * (`incidents.paused`), a clip paused (`clips.held`; its jobs are in a pool named `held-`, which nobody claims from).
 * `held` is 1 only while the clip is queued.
 *
 * For lists: `number` is the order of arrival, which breaks ties; `phase` is 0 waiting, 1 held, 2 uploaded, 3 failed,
 * and is in each index beside its sort key, so that a page of any state is found without touching a row. Triggers count
 * the clips, so that no writer can forget to.
 */
export const ordersAndPages = `
ALTER TABLE desk ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;

ALTER TABLE incidents ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE incidents ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE incidents SET number = rowid;
CREATE INDEX incidents_by_creation ON incidents (created_at, number);
CREATE INDEX incidents_by_time ON incidents (incident_at, number);
CREATE INDEX incidents_by_title ON incidents (title COLLATE NOCASE, number);

ALTER TABLE clips ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN incident_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN phase INTEGER GENERATED ALWAYS AS
  (CASE state WHEN 'queued' THEN held WHEN 'uploaded' THEN 2 ELSE 3 END) VIRTUAL;
UPDATE clips SET number = rowid,
  incident_number = (SELECT number FROM incidents WHERE incidents.id = clips.incident_id);
DROP INDEX clips_by_state;
DROP INDEX clips_by_incident;
CREATE INDEX clips_failed ON clips (incident_id) WHERE state = 'failed';
CREATE INDEX clips_by_creation ON clips (created_at, number, phase, incident_number);
CREATE INDEX clips_by_start ON clips (started_at, number, phase, incident_number);
CREATE INDEX clips_by_size ON clips (size_bytes, number, phase, incident_number);
CREATE INDEX clips_by_path ON clips (path COLLATE NOCASE, number, phase, incident_number, camera_name);

CREATE TABLE incident_tallies (
  incident_number INTEGER PRIMARY KEY,
  ${tallied.map(([name]) => `${name} INTEGER NOT NULL DEFAULT 0, ${name}_bytes INTEGER NOT NULL DEFAULT 0`).join(',\n  ')}
) STRICT;
INSERT INTO incident_tallies (incident_number) SELECT number FROM incidents WHERE true;
INSERT OR REPLACE INTO incident_tallies (incident_number, ${tallyColumns})
  SELECT incident_number, ${tallySums} FROM clips GROUP BY incident_number;
CREATE TRIGGER incident_added AFTER INSERT ON incidents BEGIN
  INSERT INTO incident_tallies (incident_number) VALUES (new.number);
END;
CREATE TRIGGER clip_added AFTER INSERT ON clips BEGIN
  UPDATE incident_tallies SET ${added} WHERE incident_number = new.incident_number;
END;
CREATE TRIGGER clip_moved AFTER UPDATE OF state, held, size_bytes ON clips
WHEN old.phase <> new.phase OR old.size_bytes <> new.size_bytes BEGIN
  UPDATE incident_tallies SET ${moved} WHERE incident_number = new.incident_number;
END;
`;

/** From this many events on, the oldest are merged; the next merge is `MERGED_AT_ONCE` events later. */
const HISTORY_KEPT = 32;
const MERGED_AT_ONCE = 16;

/**
 * Events of clips, incidents (`number` is theirs) and the desk (0). Rows never change, with two exceptions: consecutive
 * parts share one row that grows, and old rows are merged into one. `sequence` counts without gaps, including the
 * merged row's `from`. Rows are small and in order of arrival, so what is written together is stored together. Merging
 * is a trigger, so that no writer can forget it: a subject has its first row, a merged one and at most 31 others.
 *
 * A try is written when it ends; its start is in its job (`jobs.leased_at`), written when the job is claimed.
 */
export const history = `
CREATE TABLE history (
  subject TEXT NOT NULL CHECK (subject IN ('clip', 'incident', 'desk')),
  number INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  started_at INTEGER,
  kind TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (subject, number, sequence)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER history_merged AFTER INSERT ON history
WHEN new.sequence >= ${HISTORY_KEPT} AND new.sequence % ${MERGED_AT_ONCE} = 0 AND new.kind <> 'merged' BEGIN
  INSERT OR REPLACE INTO history (subject, number, sequence, at, started_at, kind, detail)
    SELECT subject, number, max(sequence), max(at), min(coalesce(started_at, at)), 'merged', json_object('from', 2,
      'tries', sum(CASE kind WHEN 'tried' THEN 1 WHEN 'merged' THEN detail ->> '$.tries' ELSE 0 END),
      'lastCode', (SELECT coalesce(detail ->> '$.reason.code', detail ->> '$.lastCode') FROM history
        WHERE subject = new.subject AND number = new.number AND kind IN ('tried', 'merged')
          AND sequence BETWEEN 2 AND new.sequence - ${MERGED_AT_ONCE} ORDER BY sequence DESC LIMIT 1))
    FROM history WHERE subject = new.subject AND number = new.number
      AND sequence BETWEEN 2 AND new.sequence - ${MERGED_AT_ONCE};
  DELETE FROM history WHERE subject = new.subject AND number = new.number
    AND sequence BETWEEN 2 AND new.sequence - ${MERGED_AT_ONCE} - 1;
END;
INSERT INTO history SELECT 'incident', number, 1, created_at, NULL, 'queued', NULL FROM incidents ORDER BY number;
INSERT INTO history SELECT 'incident', number, 2, last_put_at, NULL, 'told', json_object('version', synced_version)
  FROM incidents WHERE last_put_at IS NOT NULL ORDER BY number;
INSERT INTO history SELECT 'clip', number, 1, created_at, NULL, 'queued', json_object('generation', generation)
  FROM clips ORDER BY number;
INSERT INTO history SELECT 'clip', number, 2, uploaded_at, NULL, 'uploaded', json_object('storageKey', storage_key)
  FROM clips WHERE state = 'uploaded' AND storage_key IS NOT NULL AND uploaded_at IS NOT NULL ORDER BY number;
INSERT INTO history SELECT 'clip', number, 2, coalesce((SELECT leased_at FROM jobs WHERE jobs.kind = 'send-clip'
    AND jobs.subject = clips.id), created_at), NULL, 'tried', json_object('end', 'given-up', 'reason',
    json_object('code', failure ->> '$.code', 'message', substr(failure ->> '$.message', 1, 300)))
  FROM clips WHERE state = 'failed' AND json_valid(failure) ORDER BY number;
`;

/** In order, never edited once released. */
export const migrations: readonly string[] = [firstSchema, ordersAndPages, history];
