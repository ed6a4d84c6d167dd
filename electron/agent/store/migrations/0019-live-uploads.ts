/**
 * Parts that are sent while the file is still written. `live_uploads` and `live_parts` are what `multiparts` and `parts`
 * are for a clip that is in the queue; a part without an etag was begun, and may still reach storage. When the clip is
 * queued they become its own, and `taken_over` says so until it was sent: parts sent `twice` (JSON list) may have been
 * overtaken by what was on the line. `live_results` is what came of each: how much was sent, and how much of it in vain.
 */
export const liveUploads = `
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
