/**
 * Incidents that are no folder of their own: a loose clip, or clips of several folders. `incidents.folder` is where the
 * paths of such an incident begin, inside its root; null: at `export_path`, as for every folder. Exports that wait for a marker
 * or for missing files, and those that are left out, are seen as well.
 */
export const units = `
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
