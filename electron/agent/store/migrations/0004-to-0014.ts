/**
 * Thumbnails made from their clip, beside those that an export contains: `origin` tells them apart, `made` holds the
 * facts about one (JSON). Their files are in the data directory; `path` is the name there.
 */
const madeThumbnails = `
ALTER TABLE thumbnails ADD COLUMN origin TEXT NOT NULL DEFAULT 'export' CHECK (origin IN ('export', 'made'));
ALTER TABLE thumbnails ADD COLUMN made TEXT;
`;

/**
 * Commands that people gave at this desk, in rows that never change: `hash` covers the row and the hash before it
 * (electron/agent/store/audit-rows.ts). `at` is milliseconds since 1970, `detail` is JSON.
 */
const audit = `
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  action TEXT NOT NULL,
  detail TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_in_order BEFORE INSERT ON audit
WHEN new.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit)
BEGIN SELECT raise(ABORT, 'audit rows follow one another'); END;
CREATE TRIGGER audit_not_changed BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'audit rows stay as they are'); END;
CREATE TRIGGER audit_not_deleted BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'audit rows stay'); END;
`;

/**
 * Files that were sent, kept apart from `clips` to outlive them: equal bytes are found by size and SHA-256 (service.md
 * gap 12). A trigger writes the rows, so that no writer can forget to. `sha256` is null where only the service knows
 * the clip. `copied_files`: files of an export that is a copy of a sent one and has no incident of its own. `roots`:
 * which folder on which disk was at a root's path, and a person's answer when it was a different one.
 */
const sentFiles = `
CREATE TABLE sent_files (
  clip_id TEXT PRIMARY KEY,
  incident_id TEXT NOT NULL,
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  sha256 TEXT,
  storage_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sent_files_by_sum ON sent_files (size_bytes, sha256);
CREATE INDEX sent_files_of_incident ON sent_files (incident_id);
INSERT INTO sent_files SELECT id, incident_id, path, size_bytes, mtime_ns, sha256, storage_key FROM clips
  WHERE state = 'uploaded' AND storage_key IS NOT NULL;
CREATE TRIGGER clip_sent AFTER UPDATE OF state, path, size_bytes, mtime_ns, storage_key, sha256 ON clips
WHEN new.state = 'uploaded' AND new.storage_key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO sent_files
    VALUES (new.id, new.incident_id, new.path, new.size_bytes, new.mtime_ns, new.sha256, new.storage_key);
END;

CREATE TABLE copied_files (
  root_id TEXT NOT NULL,
  export_path TEXT NOT NULL,
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  inode TEXT NOT NULL,
  device TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (root_id, export_path, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE roots (
  root_id TEXT PRIMARY KEY,
  root_path TEXT NOT NULL,
  device TEXT NOT NULL,
  inode TEXT NOT NULL,
  asked_at INTEGER,
  answer TEXT CHECK (answer IN ('adopt', 'send'))
) STRICT, WITHOUT ROWID;

CREATE INDEX clips_by_time ON clips (mtime_ns, size_bytes);
CREATE INDEX incidents_by_folder ON incidents (export_path);
`;

/**
 * Exports that were seen in a folder and are not completely in the queue: from the first look until everything in them
 * was queued or their folder is gone. `print` describes the folder when it was judged: while it is equal, a restart
 * does not judge the export again. `pushed`: a person named the folder, and its root is not watched.
 */
const seenExports = `
CREATE TABLE seen_exports (
  root_id TEXT NOT NULL,
  export_path TEXT NOT NULL,
  root_path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('held', 'unrecognised', 'reading', 'writing', 'settling')),
  since INTEGER NOT NULL,
  settles_at INTEGER,
  print TEXT NOT NULL,
  facts TEXT NOT NULL,
  pushed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (root_id, export_path)
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_exports_in_order ON seen_exports (
  (CASE state WHEN 'held' THEN 0 WHEN 'unrecognised' THEN 1 WHEN 'reading' THEN 2 ELSE 3 END), since DESC, export_path);
CREATE INDEX seen_exports_by_state ON seen_exports (state);
CREATE INDEX incidents_refused ON incidents (id) WHERE failure IS NOT NULL;
`;

/**
 * For desks that run for years. `desk.queue_id` and `desk.starts` are in desk.json too, so that a queue that vanished,
 * or was replaced by another or an older one, is noticed. `kept_exports` and `kept_clips` are the remains of incidents
 * that left the database: enough to recognise their files and send none of them twice; `gone_at` is when their folder
 * disappeared. `audit_anchor` stands for the removed rows of the audit trail: number and hash of the last one, from
 * which the chain continues; `audit_tail` names the last row, so that one that was cut off is missed.
 */
const lastingDesk = `
ALTER TABLE desk ADD COLUMN queue_id TEXT;
ALTER TABLE desk ADD COLUMN starts INTEGER NOT NULL DEFAULT 0;

CREATE TABLE kept_exports (
  number INTEGER PRIMARY KEY,
  incident_id TEXT NOT NULL UNIQUE,
  root_id TEXT NOT NULL,
  export_path TEXT NOT NULL,
  birth_ms INTEGER NOT NULL,
  kept_at INTEGER NOT NULL,
  gone_at INTEGER
) STRICT;
CREATE INDEX kept_exports_by_export ON kept_exports (root_id, export_path, birth_ms);
CREATE INDEX kept_exports_gone ON kept_exports (gone_at) WHERE gone_at IS NOT NULL;
CREATE TABLE kept_clips (
  export_number INTEGER NOT NULL REFERENCES kept_exports (number) ON DELETE CASCADE,
  path TEXT NOT NULL,
  generation INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  PRIMARY KEY (export_number, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX orphans_ended ON orphans (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX clips_by_upload ON clips (uploaded_at) WHERE uploaded_at IS NOT NULL;
CREATE INDEX clips_queued ON clips (number) WHERE state = 'queued';

CREATE TABLE audit_anchor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TABLE audit_tail (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sequence INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
DROP TRIGGER audit_in_order;
CREATE TRIGGER audit_in_order BEFORE INSERT ON audit
WHEN new.sequence IS NOT max(coalesce((SELECT max(sequence) FROM audit), 0),
  coalesce((SELECT sequence FROM audit_tail), 0)) + 1
BEGIN SELECT raise(ABORT, 'audit rows follow one another'); END;
DROP TRIGGER audit_not_deleted;
CREATE TRIGGER audit_not_deleted BEFORE DELETE ON audit
WHEN old.sequence > coalesce((SELECT sequence FROM audit_anchor), 0)
  OR old.sequence = (SELECT max(sequence) FROM audit)
BEGIN SELECT raise(ABORT, 'audit rows stay'); END;
`;

/**
 * So that nothing is sent twice. `kept_grants`: where files in one piece are being sent, stored before the first byte,
 * so that a PUT whose answer was lost in a kill goes to the same key again; the signed URL is encrypted. `seen_exports`
 * has a state for copies. Facts that only the service knows about a clip survive a change of its path or time:
 * `sent_files` keeps the SHA-256 that was read later. Waiting clips are found by size.
 */
const nothingTwice = `
CREATE TABLE kept_grants (
  file_id TEXT PRIMARY KEY,
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  storage_key TEXT NOT NULL,
  use_until INTEGER NOT NULL,
  sealed_url TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE seen_exports_with_copies (
  root_id TEXT NOT NULL,
  export_path TEXT NOT NULL,
  root_path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('held', 'unrecognised', 'reading', 'writing', 'settling', 'copy')),
  since INTEGER NOT NULL,
  settles_at INTEGER,
  print TEXT NOT NULL,
  facts TEXT NOT NULL,
  pushed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (root_id, export_path)
) STRICT, WITHOUT ROWID;
INSERT INTO seen_exports_with_copies SELECT root_id, export_path, root_path, state, since, settles_at, print, facts,
  pushed FROM seen_exports;
DROP TABLE seen_exports;
ALTER TABLE seen_exports_with_copies RENAME TO seen_exports;
CREATE INDEX seen_exports_in_order ON seen_exports (
  (CASE state WHEN 'held' THEN 0 WHEN 'unrecognised' THEN 1 WHEN 'reading' THEN 2 WHEN 'copy' THEN 4 ELSE 3 END),
  since DESC, export_path);
CREATE INDEX seen_exports_by_state ON seen_exports (state);

DROP TRIGGER clip_sent;
CREATE TRIGGER clip_sent AFTER UPDATE OF state, path, size_bytes, mtime_ns, storage_key, sha256 ON clips
WHEN new.state = 'uploaded' AND new.storage_key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO sent_files VALUES (new.id, new.incident_id, new.path, new.size_bytes, new.mtime_ns,
    coalesce(new.sha256, (SELECT sha256 FROM sent_files WHERE clip_id = new.id)), new.storage_key);
END;
CREATE INDEX sent_files_unread ON sent_files (clip_id) WHERE sha256 IS NULL;
CREATE INDEX clips_waiting_by_size ON clips (size_bytes) WHERE state = 'queued';
`;

/**
 * A clip's file as it was found: its change time and, if it was hashed then, its SHA-256. Both stay as they were;
 * `altered` is JSON of both sums once different bytes turned out to have been sent.
 */
const foundFiles = `
ALTER TABLE clips ADD COLUMN found_ctime_ns TEXT;
ALTER TABLE clips ADD COLUMN found_sha256 TEXT;
ALTER TABLE clips ADD COLUMN altered TEXT;
`;

/**
 * A single chain for all evidence. Rows of `format` 2 are hashed in two steps, so that a row can be left out of a third
 * party's copy while the chain stays verifiable (electron/agent/store/audit-rows.ts). `desk_keys`: the keys that this
 * desk has signed with, the current one last. Rows of an incident are found by the ID in their details.
 */
const oneChain = `
ALTER TABLE audit ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
CREATE INDEX audit_of_incident ON audit (detail ->> '$.incidentId', sequence)
  WHERE format = 2 AND detail ->> '$.incidentId' IS NOT NULL;
CREATE INDEX audit_anchored ON audit (sequence) WHERE action = 'chain.anchored';
CREATE INDEX audit_sent ON audit (sequence) WHERE action = 'chain.sent';
CREATE INDEX audit_packed ON audit (sequence) WHERE action = 'custody.packed';
CREATE TABLE desk_keys (
  number INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  since INTEGER NOT NULL,
  statement TEXT,
  signature TEXT
) STRICT;
`;

/**
 * How clips were read, and what became of every file. `clips.reading` numbers the rules that read a clip: an update
 * does not reread queued clips. `clips.flags` is a JSON list of what is odd about the clip; `incidents.files` is the
 * account of the export's files.
 */
const readings = `
ALTER TABLE clips ADD COLUMN reading INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN flags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE incidents ADD COLUMN files TEXT;
`;

/** `parts.from_start`: 1 where `sha256` covers the file from its first byte to the part's end; 0: the part alone. */
const partSums = `
ALTER TABLE parts ADD COLUMN from_start INTEGER NOT NULL DEFAULT 0;
`;

/**
 * The order in which jobs are claimed. `arrival` is the number of the incident: the newest goes first. Jobs that a
 * person moved to the front have a priority below zero (until now below 40, which no upload has by default). Records go
 * by their purpose; uploads by incident, then thumbnails before clips, then small before large. `jobs_by_age` is for
 * the slots that go by age alone.
 */
const orderOfJobs = `
ALTER TABLE jobs ADD COLUMN arrival INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN send_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET arrival = coalesce((SELECT number FROM incidents WHERE incidents.id = jobs.incident_id), 0),
  send_bytes = coalesce((SELECT clips.size_bytes FROM clips WHERE jobs.kind = 'send-clip' AND clips.id = jobs.subject), 0);
UPDATE jobs SET priority = priority - 40 WHERE kind IN ('send-clip', 'send-thumbnail') AND priority < 40;
DROP INDEX jobs_to_claim;
CREATE INDEX jobs_to_claim ON jobs (pool, min(priority, 0), iif(pool = 'record', priority, 0), arrival DESC, priority,
  send_bytes, id) WHERE state = 'ready';
CREATE INDEX jobs_by_age ON jobs (pool, id) WHERE state = 'ready';
`;

/** In order, never edited once released. */
export const migrations: readonly string[] = [
  madeThumbnails,
  audit,
  sentFiles,
  seenExports,
  lastingDesk,
  nothingTwice,
  foundFiles,
  oneChain,
  readings,
  partSums,
  orderOfJobs,
];
