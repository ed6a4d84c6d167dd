/**
 * Incidents that are not a folder of their own: a loose clip, or clips of several folders. `incidents.folder` is the
 * folder inside the root that such an incident's paths are relative to; null: `export_path`, as for every folder.
 * Exports that wait for a marker or for missing files, and those that are left out, are seen exports as well.
 */
const units = `
ALTER TABLE incidents ADD COLUMN folder TEXT;
CREATE INDEX incidents_without_folder ON incidents (root_id) WHERE folder IS NOT NULL;
CREATE TABLE seen_exports_with_markers (
  root_id TEXT NOT NULL,
  export_path TEXT NOT NULL,
  root_path TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN
    ('held', 'missing', 'unrecognised', 'reading', 'writing', 'settling', 'copy', 'onHold', 'ignored')),
  since INTEGER NOT NULL,
  settles_at INTEGER,
  print TEXT NOT NULL,
  facts TEXT NOT NULL,
  pushed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (root_id, export_path)
) STRICT, WITHOUT ROWID;
INSERT INTO seen_exports_with_markers SELECT root_id, export_path, root_path, state, since, settles_at, print, facts,
  pushed FROM seen_exports;
DROP TABLE seen_exports;
ALTER TABLE seen_exports_with_markers RENAME TO seen_exports;
CREATE INDEX seen_exports_in_order ON seen_exports (
  (CASE state WHEN 'held' THEN 0 WHEN 'missing' THEN 1 WHEN 'unrecognised' THEN 2 WHEN 'reading' THEN 3
    WHEN 'copy' THEN 5 WHEN 'onHold' THEN 6 WHEN 'ignored' THEN 7 ELSE 4 END), since DESC, export_path);
CREATE INDEX seen_exports_by_state ON seen_exports (state);
`;

/**
 * Failed clips that a person has left out of those needing attention, and since when. They stay failed, in the record
 * as well; `left_out` counts those of an incident, which are included in `failed`.
 */
const leftOut = `
ALTER TABLE clips ADD COLUMN left_out_at INTEGER;
CREATE INDEX clips_left_out ON clips (left_out_at) WHERE left_out_at IS NOT NULL;
ALTER TABLE incident_tallies ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER clip_left_out AFTER UPDATE OF left_out_at ON clips
WHEN (old.left_out_at IS NULL) <> (new.left_out_at IS NULL) BEGIN
  UPDATE incident_tallies SET left_out = left_out + (new.left_out_at IS NOT NULL) - (old.left_out_at IS NOT NULL)
    WHERE incident_number = new.incident_number;
END;
`;

/** SHA-256 of the list of cameras that the queue was last brought up to date with; null: none yet. */
const camerasApplied = `
ALTER TABLE desk ADD COLUMN cameras TEXT;
`;

/**
 * Early ends that were wrong, by watched folder and container: a clip was queued because its container proved it
 * closed, and changed within the settle time after all. `wrong` counts them, `wrong_at` is when the last one was seen.
 */
const earlyEnds = `
CREATE TABLE sooner_ends (
  root_id TEXT NOT NULL,
  container TEXT NOT NULL,
  wrong INTEGER NOT NULL,
  wrong_at INTEGER NOT NULL,
  PRIMARY KEY (root_id, container)
) STRICT, WITHOUT ROWID;
`;

/**
 * Parts that are sent while the file is still being written. `live_uploads` and `live_parts` are the counterparts of
 * `multiparts` and `parts` for a clip that is not in the queue yet; a part without an etag was begun, and may still
 * reach storage. When the clip is queued they become its own, and `taken_over` says so until it was sent: parts sent
 * `twice` (JSON list) may have been overtaken by a late PUT. `live_results` is the outcome of each: how much was sent,
 * and how much of it in vain.
 */
const liveUploads = `
CREATE TABLE live_uploads (
  clip_id TEXT PRIMARY KEY,
  incident_id TEXT NOT NULL,
  root_id TEXT NOT NULL,
  root_path TEXT NOT NULL,
  export_path TEXT NOT NULL,
  folder TEXT NOT NULL,
  path TEXT NOT NULL,
  container TEXT NOT NULL,
  inode TEXT NOT NULL,
  device TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  grown_at INTEGER NOT NULL,
  part_size_bytes INTEGER NOT NULL,
  storage_key TEXT,
  upload_id TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX live_uploads_by_export ON live_uploads (root_id, export_path);

CREATE TABLE live_parts (
  clip_id TEXT NOT NULL REFERENCES live_uploads (clip_id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number BETWEEN 2 AND 10000),
  etag TEXT,
  sha256 TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  PRIMARY KEY (clip_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE taken_over (
  clip_id TEXT PRIMARY KEY REFERENCES multiparts (clip_id) ON DELETE CASCADE,
  container TEXT NOT NULL,
  judged INTEGER NOT NULL DEFAULT 0,
  twice TEXT NOT NULL DEFAULT '[]'
) STRICT, WITHOUT ROWID;

CREATE TABLE live_results (
  id INTEGER PRIMARY KEY,
  root_id TEXT NOT NULL,
  container TEXT NOT NULL,
  at INTEGER NOT NULL,
  sent_bytes INTEGER NOT NULL,
  void_bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX live_results_by_kind ON live_results (root_id, container, at);
`;

/**
 * `incidents.deadline_at`: when its files will be gone, set while the incident would otherwise be sent too late; its
 * jobs then go first. `removed_exports`: how old exports were when they disappeared from a watched folder. `clean_ups`:
 * how far an export is on its way out of its folder; `print` is a digest of what was found stored, `plan` the operation
 * in progress.
 */
const deadlinesAndCleanUp = `
ALTER TABLE incidents ADD COLUMN deadline_at INTEGER;
CREATE INDEX incidents_with_deadline ON incidents (deadline_at) WHERE deadline_at IS NOT NULL;
CREATE INDEX tallies_open ON incident_tallies (incident_number) WHERE waiting > 0 OR held > 0;
CREATE TABLE removed_exports (
  number INTEGER PRIMARY KEY,
  root_id TEXT NOT NULL,
  removed_at INTEGER NOT NULL,
  age_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_exports_of_root ON removed_exports (root_id, removed_at);
CREATE TABLE clean_ups (
  incident_id TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('looked', 'proved', 'acting', 'done', 'refused')),
  looked_at INTEGER NOT NULL,
  proved_at INTEGER,
  next_at INTEGER NOT NULL,
  print TEXT NOT NULL,
  plan TEXT,
  reason TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX clean_ups_due ON clean_ups (next_at) WHERE state <> 'done';
`;

/** For lists of what is not fully sent, beside a million clips that are: see `openIncidents` in `incident-pages.ts`. */
const openIncidents = `
CREATE INDEX incidents_unsynced ON incidents (number) WHERE synced_version < version;
CREATE INDEX tallies_failed ON incident_tallies (incident_number) WHERE failed > left_out;
`;

/** `clips.ends`: a digest of the first and last bytes of its file, set once a new clip was compared with it. */
const clipEnds = `
ALTER TABLE clips ADD COLUMN ends TEXT;
DROP INDEX clips_waiting_by_size;
CREATE INDEX clips_waiting_by_ends ON clips (size_bytes, ends, incident_number) WHERE state = 'queued';
`;

/** `desk.last_sent_at`: when a clip that has left the database since was last sent. */
const lastSent = `
ALTER TABLE desk ADD COLUMN last_sent_at INTEGER;
`;

/** Columns that reveal a rewritten file of the same size and time, see `isRewritten`; unknown for earlier rows. */
const keptVersions = `
ALTER TABLE copied_files ADD COLUMN ctime_ns TEXT;
ALTER TABLE kept_clips ADD COLUMN inode TEXT NOT NULL DEFAULT '';
ALTER TABLE kept_clips ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE kept_clips ADD COLUMN ctime_ns TEXT;
`;

/**
 * `clips.ends` of a small file is now the digest of the whole file: earlier values are cleared and read again.
 *
 * Rows of `sent_files` are stored in the order in which they were sent, and the index keeps those of an incident
 * together: in the order of random IDs, each clip changed three more pages.
 */
const sentInOrder = `
UPDATE clips SET ends = NULL WHERE ends IS NOT NULL AND size_bytes <= 256 * 1024;

DROP TRIGGER clip_sent;
CREATE TABLE sent_files_in_order (
  number INTEGER PRIMARY KEY,
  clip_id TEXT NOT NULL,
  incident_id TEXT NOT NULL,
  path TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns TEXT NOT NULL,
  sha256 TEXT,
  storage_key TEXT NOT NULL,
  UNIQUE (incident_id, clip_id)
) STRICT;
INSERT INTO sent_files_in_order (clip_id, incident_id, path, size_bytes, mtime_ns, sha256, storage_key)
  SELECT clip_id, incident_id, path, size_bytes, mtime_ns, sha256, storage_key FROM sent_files
  ORDER BY incident_id, clip_id;
DROP TABLE sent_files;
ALTER TABLE sent_files_in_order RENAME TO sent_files;
CREATE INDEX sent_files_by_sum ON sent_files (size_bytes, sha256);
CREATE INDEX sent_files_unread ON sent_files (clip_id) WHERE sha256 IS NULL;
CREATE TRIGGER clip_sent AFTER UPDATE OF state, path, size_bytes, mtime_ns, storage_key, sha256 ON clips
WHEN new.state = 'uploaded' AND new.storage_key IS NOT NULL BEGIN
  INSERT OR REPLACE INTO sent_files (clip_id, incident_id, path, size_bytes, mtime_ns, sha256, storage_key)
    VALUES (new.id, new.incident_id, new.path, new.size_bytes, new.mtime_ns,
      coalesce(new.sha256, (SELECT sha256 FROM sent_files WHERE incident_id = new.incident_id AND clip_id = new.id)),
      new.storage_key);
END;
`;

/** Size and time identify the file version of an upload: a share that is mounted again may number its files anew. */
const partsOfAnyInode = `
ALTER TABLE multiparts DROP COLUMN inode;
ALTER TABLE multiparts DROP COLUMN device;
`;

/** In order, never edited once released. */
export const migrations: readonly string[] = [
  units,
  leftOut,
  camerasApplied,
  earlyEnds,
  liveUploads,
  deadlinesAndCleanUp,
  openIncidents,
  clipEnds,
  lastSent,
  keptVersions,
  sentInOrder,
  partsOfAnyInode,
];
