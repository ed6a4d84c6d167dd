import { forScope } from './clip-orders.ts';
import type { WriteDb } from './open-db.ts';

/** The kinds of jobs that move bytes: only these are held. */
export const SENDS = "('send-clip', 'send-thumbnail')";

/** True when the clip's jobs are held: it is itself, or the thumbnail of an incident that is paused. */
export function isHeld(kind: string, subject: string): string {
  return `(${kind} IN ${SENDS} AND EXISTS (SELECT 1 FROM clips JOIN incidents ON incidents.id = clips.incident_id
    WHERE clips.id = ${subject} AND (clips.held = 1 OR (${kind} = 'send-thumbnail' AND incidents.paused = 1))))`;
}

/** What a person orders about the jobs of clips. A job that runs changes its pool too: it is not claimed again. */
export function createJobOrders(db: WriteDb) {
  const hold = forScope(
    db,
    'subject',
    (where) => `UPDATE jobs SET pool = 'held-' || pool
      WHERE ${where} AND kind IN ${SENDS} AND pool IN ('large', 'small') AND state <> 'failed'`,
    (statement, value) => statement.run(value).changes,
  );
  const letGo = forScope(
    db,
    'subject',
    (where) => `UPDATE jobs SET pool = replace(pool, 'held-', '')
      WHERE ${where} AND kind IN ${SENDS} AND pool IN ('held-large', 'held-small')`,
    (statement, value) => statement.run(value).changes,
  );
  const toFront = forScope<number, [priority: number]>(
    db,
    'subject',
    (where) => `WITH scope AS MATERIALIZED (SELECT id FROM jobs WHERE ${where} AND kind IN ${SENDS})
      UPDATE jobs SET priority = ? WHERE id IN (SELECT id FROM scope)`,
    (statement, value, priority) => statement.run(value, priority).changes,
  );
  const front = db
    .prepare<[], number>(`SELECT coalesce(min(priority), 0) - 1 FROM jobs WHERE kind IN ${SENDS}`)
    .pluck();
  const failSends = db.prepare<[string, string]>(`UPDATE jobs SET state = 'failed', lease = NULL, failure = ?
    WHERE subject = ? AND (kind IN ${SENDS} OR kind = 'make-thumbnail')`);
  return {
    holdSends: hold,
    letGoSends: letGo,
    /** A priority before that of every upload, held ones included. */
    frontPriority: () => front.get() ?? 0,
    prioritiseSends: toFront,
    /** The jobs of a clip leave the queue; trying the clip again revives them. */
    failSends: (clipId: string, failure: string) => failSends.run(failure, clipId),
  };
}
