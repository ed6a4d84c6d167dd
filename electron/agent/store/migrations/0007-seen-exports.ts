/**
 * Exports that were seen in a folder and are not wholly in the queue: from the first look until everything in them was
 * taken, or their folder is gone. `print` says how the folder stood when it was judged: as long as it is equal, a
 * restart does not begin to wonder anew. `pushed`: the folder was named by a person and its root is not watched.
 */
export const seenExports = `
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
