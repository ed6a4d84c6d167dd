import { forScope } from './clip-commands.ts';
import type { WriteDb } from './open-db.ts';

/** The kinds of jobs that move bytes: only these are paused. */
export const SENDS = "('send-clip', 'send-thumbnail')";

/** True when the clip is paused, or its incident for a thumbnail. With a join each call would be planned again. */
export function isPaused(kind: string, subject: string): string {
  return `(${kind} IN ${SENDS} AND EXISTS (SELECT 1 FROM clips WHERE clips.id = ${subject} AND (clips.held = 1
    OR (${kind} = 'send-thumbnail' AND (SELECT paused FROM incidents WHERE id = clips.incident_id) = 1))))`;
}

/** A person's commands about jobs of clips. A running job changes its pool too, so that it is not claimed again. */
export function createJobCommands(db: WriteDb) {
  const pause = forScope(
    db,
    'subject',
    (where) => `UPDATE jobs SET pool = 'held-' || pool
      WHERE ${where} AND kind IN ${SENDS} AND pool IN ('large', 'small') AND state <> 'failed'`,
    (statement, value) => statement.run(value).changes,
  );
  const resume = forScope(
    db,
    'subject',
    (where) => `UPDATE jobs SET pool = replace(pool, 'held-', '')
      WHERE ${where} AND kind IN ${SENDS} AND pool IN ('held-large', 'held-small')`,
    (statement, value) => statement.run(value).changes,
  );
  const resumeThumbnails = db.prepare<[string]>(`UPDATE jobs SET pool = 'small' WHERE kind = 'send-thumbnail'
    AND subject IN (SELECT value FROM json_each(?)) AND pool = 'held-small' AND NOT ${isPaused('kind', 'subject')}`);
  const toFront = forScope<number, [priority: number]>(
    db,
    'subject',
    (where) => `WITH scope AS MATERIALIZED (SELECT id FROM jobs WHERE ${where} AND kind IN ${SENDS})
      UPDATE jobs SET priority = ? WHERE id IN (SELECT id FROM scope)`,
    (statement, value, priority) => statement.run(value, priority).changes,
  );
  const front = db
    .prepare<[], number>(`SELECT min(coalesce(min(priority), 0), 0) - 1 FROM jobs WHERE kind IN ${SENDS}`)
    .pluck();
  const failSends = db.prepare<[string, string]>(`UPDATE jobs SET state = 'failed', lease = NULL, failure = ?
    WHERE subject = ? AND (kind IN ${SENDS} OR kind = 'make-thumbnail')`);
  return {
    pauseSends: pause,
    resumeSends: resume,
    /** Those that neither their clip nor their incident holds any more. */
    resumeThumbnails: (clipIds: readonly string[]) => resumeThumbnails.run(JSON.stringify(clipIds)),
    /** A priority before that of every upload, paused ones included. */
    frontPriority: () => front.get() ?? 0,
    prioritiseSends: toFront,
    /** Gives up the jobs of a clip; retrying the clip revives them. */
    failSends: (clipId: string, failure: string) => failSends.run(failure, clipId),
  };
}
