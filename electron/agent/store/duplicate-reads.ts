import type { ReadDb } from './open-db.ts';

/** A clip of the queue whose bytes are, or are said to be, the same. */
export interface SameClipRow {
  readonly clipId: string;
  readonly incidentId: string;
  readonly incidentTitle: string;
  readonly path: string;
  readonly mtimeNs: string;
  readonly sha256: string | null;
  readonly expectedSha256: string | null;
}

/** What is known of a file that may be in the queue already. */
export interface SameClipQuestion {
  readonly sizeBytes: number;
  readonly mtimeNs: string;
  /** SHA-256 that the exporter stated, lower-case hexadecimal. */
  readonly sha256: string | null;
}

/** Most rows for one file: a person reads no more. */
const MOST_ROWS = 10;

/** Reads that find clips which the queue has already. */
export function createDuplicateReads(db: Pick<ReadDb, 'prepare'>) {
  // All states are named so that the index on state and size serves: a look at every row would take too long
  const same = db.prepare<SameClipQuestion, SameClipRow>(`SELECT clips.id AS clipId,
    clips.incident_id AS incidentId, incidents.title AS incidentTitle, clips.path, clips.mtime_ns AS mtimeNs,
    clips.sha256, clips.expected_sha256 AS expectedSha256
    FROM clips JOIN incidents ON incidents.id = clips.incident_id
    WHERE clips.state IN ('queued', 'uploaded', 'failed') AND clips.size_bytes = @sizeBytes
      AND (clips.mtime_ns = @mtimeNs OR clips.sha256 = @sha256 OR clips.expected_sha256 = @sha256)
    ORDER BY clips.created_at, clips.id LIMIT ${MOST_ROWS}`);
  return {
    /** Clips of that size with that time or sum, oldest first. */
    same: (question: SameClipQuestion) => same.all(question),
  };
}
