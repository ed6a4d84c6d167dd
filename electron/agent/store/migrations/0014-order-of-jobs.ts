/**
 * The order in which jobs are claimed. `arrival` is the number of the incident: the newest goes first. What a person moved
 * to the front has a priority below zero; until now it was below 40, which no upload has by itself. Records go by what they are for, uploads by incident, then pictures before
 * clips, then small before large. `jobs_by_age` is for the slots that go by age alone.
 */
export const orderOfJobs = `
ALTER TABLE jobs ADD COLUMN arrival INTEGER NOT NULL DEFAULT 0;
ALTER TABLE jobs ADD COLUMN send_bytes INTEGER NOT NULL DEFAULT 0;
UPDATE jobs SET arrival = coalesce((SELECT number FROM incidents WHERE incidents.id = jobs.incident_id), 0),
  send_bytes = coalesce((SELECT clips.size_bytes FROM clips WHERE jobs.kind = 'send-clip' AND clips.id = jobs.subject), 0);
UPDATE jobs SET priority = priority - 40 WHERE kind IN ('send-clip', 'send-thumbnail') AND priority < 40;
DROP INDEX jobs_to_claim;
CREATE INDEX jobs_to_claim ON jobs (pool, min(priority, 0), iif(pool = 'record', priority, 0), arrival DESC, priority,
  send_bytes, id) WHERE state = 'ready';
CREATE INDEX jobs_by_age ON jobs (pool, id) WHERE state = 'ready';
`;
