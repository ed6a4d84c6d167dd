/**
 * What keeps a desk whole over years. `desk.queue_id` and `desk.starts` are in desk.json too, so that a queue that
 * vanished, or was replaced by another or an older one, is noticed. `kept_exports` and `kept_clips` are what stays of
 * incidents that left the database: enough to know their files again, and to send none of them twice; `gone_at` is when
 * their folder was. `audit_anchor` stands for the rows of the audit trail that were removed: the last one's number and
 * hash, from which the chain goes on; `audit_tail` names the last row, so that one that was cut off is missed.
 */
export const lastingDesk = `
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
