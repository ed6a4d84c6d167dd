/** 1 when the clip is in the phase; see the column `phase`. */
const inPhase = (row: 'new' | 'old', phase: number): string => `(${row}.phase = ${phase})`;

/** The columns of `incident_tallies`, each with its phase. */
const tallied = [
  ['waiting', 0],
  ['held', 1],
  ['uploaded', 2],
  ['failed', 3],
] as const;

const tallyColumns = tallied.flatMap(([name]) => [name, `${name}_bytes`]).join(', ');
const tallySums = tallied
  .map(([, phase]) => `sum(phase = ${phase}), sum((phase = ${phase}) * size_bytes)`)
  .join(', ');
const added = tallied
  .map(
    ([name, phase]) => `${name} = ${name} + ${inPhase('new', phase)},
    ${name}_bytes = ${name}_bytes + ${inPhase('new', phase)} * new.size_bytes`,
  )
  .join(', ');
const moved = tallied
  .map(
    ([name, phase]) => `${name} = ${name} + ${inPhase('new', phase)} - ${inPhase('old', phase)},
    ${name}_bytes = ${name}_bytes + ${inPhase('new', phase)} * new.size_bytes - ${inPhase('old', phase)} * old.size_bytes`,
  )
  .join(', ');

/**
 * What a person ordered: everything paused (`desk.paused`), an incident with the clips that are still to come
 * (`incidents.paused`), a clip (`clips.held`; its jobs are in a pool named `held-`, which nobody claims from).
 * `held` is 1 only while the clip is queued.
 *
 * For lists: `number` is the order of arrival, which breaks ties; `phase` is 0 waiting, 1 held, 2 uploaded, 3 failed,
 * in each index beside its sort key, so that a page of any state is found without touching a row. Clips are
 * counted by triggers, so that no writer can forget it.
 */
export const ordersAndPages = `
ALTER TABLE desk ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;

ALTER TABLE incidents ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE incidents ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE incidents SET number = rowid;
CREATE INDEX incidents_by_creation ON incidents (created_at, number);
CREATE INDEX incidents_by_time ON incidents (incident_at, number);
CREATE INDEX incidents_by_title ON incidents (title COLLATE NOCASE, number);

ALTER TABLE clips ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN incident_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clips ADD COLUMN phase INTEGER GENERATED ALWAYS AS
  (CASE state WHEN 'queued' THEN held WHEN 'uploaded' THEN 2 ELSE 3 END) VIRTUAL;
UPDATE clips SET number = rowid,
  incident_number = (SELECT number FROM incidents WHERE incidents.id = clips.incident_id);
DROP INDEX clips_by_state;
DROP INDEX clips_by_incident;
CREATE INDEX clips_failed ON clips (incident_id) WHERE state = 'failed';
CREATE INDEX clips_by_creation ON clips (created_at, number, phase, incident_number);
CREATE INDEX clips_by_start ON clips (started_at, number, phase, incident_number);
CREATE INDEX clips_by_size ON clips (size_bytes, number, phase, incident_number);
CREATE INDEX clips_by_path ON clips (path COLLATE NOCASE, number, phase, incident_number, camera_name);

CREATE TABLE incident_tallies (
  incident_number INTEGER PRIMARY KEY,
  ${tallied.map(([name]) => `${name} INTEGER NOT NULL DEFAULT 0, ${name}_bytes INTEGER NOT NULL DEFAULT 0`).join(',\n  ')}
) STRICT;
INSERT INTO incident_tallies (incident_number) SELECT number FROM incidents WHERE true;
INSERT OR REPLACE INTO incident_tallies (incident_number, ${tallyColumns})
  SELECT incident_number, ${tallySums} FROM clips GROUP BY incident_number;
CREATE TRIGGER incident_added AFTER INSERT ON incidents BEGIN
  INSERT INTO incident_tallies (incident_number) VALUES (new.number);
END;
CREATE TRIGGER clip_added AFTER INSERT ON clips BEGIN
  UPDATE incident_tallies SET ${added} WHERE incident_number = new.incident_number;
END;
CREATE TRIGGER clip_moved AFTER UPDATE OF state, held, size_bytes ON clips
WHEN old.phase <> new.phase OR old.size_bytes <> new.size_bytes BEGIN
  UPDATE incident_tallies SET ${moved} WHERE incident_number = new.incident_number;
END;
`;
