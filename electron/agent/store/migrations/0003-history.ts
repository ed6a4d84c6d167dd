/** From this many events on the oldest are merged; between two merges this many come. */
export const HISTORY_KEPT = 32;
const MERGED_AT_ONCE = 16;

/**
 * What happened to clips, incidents (`number` is theirs) and the desk (0), never changed but for two things: parts that
 * follow each other are one row that grows, and old rows become one. `sequence` counts without gaps, the merged row's
 * `from` included. Small rows in the order of arrival: what is written together lies together. Merging is a trigger,
 * so that no writer can forget it: a subject has its first row, a merged one and at most 31 others.
 *
 * A try is written when it ends; when it began is said by its job (`jobs.leased_at`), which is written when it is claimed.
 */
export const history = `
CREATE TABLE history (
  subject TEXT NOT NULL CHECK (subject IN ('clip', 'incident', 'desk')),
  number INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  started_at INTEGER,
  kind TEXT NOT NULL,
  detail TEXT,
  PRIMARY KEY (subject, number, sequence)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER history_merged AFTER INSERT ON history
WHEN new.sequence >= ${HISTORY_KEPT} AND new.sequence % ${MERGED_AT_ONCE} = 0 AND new.kind <> 'merged' BEGIN
  INSERT OR REPLACE INTO history (subject, number, sequence, at, started_at, kind, detail)
    SELECT subject, number, max(sequence), max(at), min(coalesce(started_at, at)), 'merged', json_object('from', 2,
      'tries', sum(CASE kind WHEN 'tried' THEN 1 WHEN 'merged' THEN detail ->> '$.tries' ELSE 0 END),
      'lastCode', (SELECT coalesce(detail ->> '$.reason.code', detail ->> '$.lastCode') FROM history
        WHERE subject = new.subject AND number = new.number AND kind IN ('tried', 'merged')
          AND sequence BETWEEN 2 AND new.sequence - ${MERGED_AT_ONCE} ORDER BY sequence DESC LIMIT 1))
    FROM history WHERE subject = new.subject AND number = new.number
      AND sequence BETWEEN 2 AND new.sequence - ${MERGED_AT_ONCE};
  DELETE FROM history WHERE subject = new.subject AND number = new.number
    AND sequence BETWEEN 2 AND new.sequence - ${MERGED_AT_ONCE} - 1;
END;
INSERT INTO history SELECT 'incident', number, 1, created_at, NULL, 'queued', NULL FROM incidents ORDER BY number;
INSERT INTO history SELECT 'incident', number, 2, last_put_at, NULL, 'told', json_object('version', synced_version)
  FROM incidents WHERE last_put_at IS NOT NULL ORDER BY number;
INSERT INTO history SELECT 'clip', number, 1, created_at, NULL, 'queued', json_object('generation', generation)
  FROM clips ORDER BY number;
INSERT INTO history SELECT 'clip', number, 2, uploaded_at, NULL, 'uploaded', json_object('storageKey', storage_key)
  FROM clips WHERE state = 'uploaded' AND storage_key IS NOT NULL AND uploaded_at IS NOT NULL ORDER BY number;
INSERT INTO history SELECT 'clip', number, 2, coalesce((SELECT leased_at FROM jobs WHERE jobs.kind = 'send-clip'
    AND jobs.subject = clips.id), created_at), NULL, 'tried', json_object('end', 'given-up', 'reason',
    json_object('code', failure ->> '$.code', 'message', substr(failure ->> '$.message', 1, 300)))
  FROM clips WHERE state = 'failed' AND json_valid(failure) ORDER BY number;
`;
