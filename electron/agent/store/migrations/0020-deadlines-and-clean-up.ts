/**
 * `incidents.deadline_at`: when its files will be gone, set while the incident would have its turn too late; its jobs go
 * first then. `removed_exports`: how old exports were when they disappeared from a watched folder. `clean_ups`: how far
 * an export is on its way out of its folder; `print` is a digest of what was found stored, `plan` the act under way.
 */
export const deadlinesAndCleanUp = `
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
