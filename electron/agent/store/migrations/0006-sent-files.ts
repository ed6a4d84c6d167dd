/**
 * What was sent, kept apart from `clips` so that it outlives them: equal bytes are found by size and SHA-256 (service.md
 * gap 12). A trigger writes it, so that no writer can forget it. `sha256` is null where only the service knows the clip.
 * `copied_files`: files of an export that is a copy of a sent one and has no incident of its own.
 * `roots`: which folder of which disk stood at a root's path, and what a person said when it was another one.
 */
export const sentFiles = `
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
