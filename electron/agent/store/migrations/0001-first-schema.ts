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
