/**
 * Incidents that are no folder of their own: a loose clip, or clips of several folders. `incidents.folder` is where the
 * paths of such an incident begin, inside its root; null: at `export_path`, as for every folder. `export_answers` are what
 * a person said of an export before it was taken in: `missing` (send it without what is missing), `unknown` (send its
 * unknown files as evidence), `ignore`, and `program` of one file.
 */
export const units = `
ALTER TABLE incidents ADD COLUMN folder TEXT;
CREATE INDEX incidents_without_folder ON incidents (root_id) WHERE folder IS NOT NULL;
CREATE TABLE export_answers (
  root_id TEXT NOT NULL,
  export_path TEXT NOT NULL,
  answer TEXT NOT NULL,
  path TEXT NOT NULL,
  print TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (root_id, export_path, answer, path)
) WITHOUT ROWID;
`;
