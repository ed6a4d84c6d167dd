/**
 * Failed clips that a person leaves out of what waits for somebody, and since when. They stay failed, in the record as
 * well; `left_out` counts those of an incident, which are among `failed`.
 */
export const leftOut = `
ALTER TABLE clips ADD COLUMN left_out_at INTEGER;
CREATE INDEX clips_left_out ON clips (left_out_at) WHERE left_out_at IS NOT NULL;
ALTER TABLE incident_tallies ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER clip_left_out AFTER UPDATE OF left_out_at ON clips
WHEN (old.left_out_at IS NULL) <> (new.left_out_at IS NULL) BEGIN
  UPDATE incident_tallies SET left_out = left_out + (new.left_out_at IS NOT NULL) - (old.left_out_at IS NOT NULL)
    WHERE incident_number = new.incident_number;
END;
`;
