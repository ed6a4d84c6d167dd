/**
 * How clips were read, and what became of every file. `clips.reading` numbers the rules that read a clip: what is in the
 * queue is not read anew by an update. `clips.flags` is a JSON list of what is odd about it; `incidents.files` the
 * account of the export's files.
 */
export const readings = `
ALTER TABLE clips ADD COLUMN reading INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN flags TEXT NOT NULL DEFAULT '[]';
ALTER TABLE incidents ADD COLUMN files TEXT;
`;
