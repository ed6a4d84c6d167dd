/**
 * Against sending anything twice. `kept_grants`: where files in one piece are being sent, kept before the first byte, so
 * that a PUT whose answer a kill cost goes to the same key again; the signed URL is encrypted. `seen_exports` knows
 * copies. What the service alone knows of a clip is not lost when its path or time changes: `sent_files` keeps the
 * SHA-256 that was read later. Clips that wait are found by size.
 */
export const nothingTwice = `
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
