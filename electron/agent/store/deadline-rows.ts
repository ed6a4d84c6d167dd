import { MOST_AHEAD } from '../../../shared/domain/upload-history.ts';
import { createCleanUpRows } from './retention-rows.ts';
import type { WriteDb } from './open-db.ts';
import { commitLazily } from './transactions.ts';

/**
 * `jobs.arrival` of an incident with a deadline is this minus the deadline: larger than every number of an incident,
 * and the larger the sooner its files will be gone, so that the queue needs only one order.
 */
const BEFORE_ALL = Number.MAX_SAFE_INTEGER;
/** An arrival above this is that of a deadline. */
const LARGEST_NUMBER = 2 ** 52;

/** The position of the incident `id` (an SQL expression) in the order of the queue. */
export const arrivalOf = (id: string): string =>
  `coalesce((SELECT iif(deadline_at IS NULL, number, ${BEFORE_ALL} - deadline_at) FROM incidents WHERE id = ${id}), 0)`;

/** An incident with waiting clips, and what tells when its files will be gone. Times are milliseconds since 1970. */
export interface WaitingIncidentRow {
  readonly id: string;
  readonly rootId: string;
  readonly title: string;
  /** 0 where the file system has no birth times. */
  readonly birthMs: number;
  readonly createdAt: number;
  readonly deadlineAt: number | null;
  readonly clips: number;
  readonly waitingBytes: number;
  /** Bytes of clips that a person paused. */
  readonly heldBytes: number;
  /** 1: a person moved it to the front. */
  readonly isMoved: number;
}

/** Incidents that go before a job: newer ones, and those whose files will soon be gone; each up to `MOST_AHEAD`. */
interface JobsBefore {
  readonly newer: number;
  readonly leaving: number;
}

/** Most removals that are remembered per folder. */
const MOST_REMOVED = 50;

/** The statements about exports that leave their folders: removed by the recorder, or by clean-up. */
export const createLeavingRows = (db: WriteDb) => ({
  deadlines: createDeadlineRows(db),
  cleanUps: createCleanUpRows(db),
});

/** How long exports stay in their folders, and which incidents have to hurry because of it. */
function createDeadlineRows(db: WriteDb) {
  const add = db.prepare<[string, number, number]>(
    'INSERT INTO removed_exports (root_id, removed_at, age_ms) VALUES (?, ?, ?)',
  );
  const trim = db.prepare<[string, string]>(`DELETE FROM removed_exports WHERE root_id = ? AND number NOT IN
    (SELECT number FROM removed_exports WHERE root_id = ? ORDER BY removed_at DESC, number DESC LIMIT ${MOST_REMOVED})`);
  const ages = db
    .prepare<[string, number], number>(
      'SELECT age_ms FROM removed_exports WHERE root_id = ? AND removed_at >= ? ORDER BY age_ms',
    )
    .pluck();
  const waiting = db.prepare<[], WaitingIncidentRow>(`SELECT incidents.id, root_id AS rootId, title,
    birth_ms AS birthMs, created_at AS createdAt, deadline_at AS deadlineAt, waiting + held AS clips,
    waiting_bytes AS waitingBytes, held_bytes AS heldBytes,
    incidents.id IN (SELECT incident_id FROM jobs WHERE pool IN ('small', 'large') AND state = 'ready'
      AND min(priority, 0) < 0) AS isMoved
    FROM incident_tallies CROSS JOIN incidents ON incidents.number = incident_number
    WHERE waiting > 0 OR held > 0 ORDER BY isMoved DESC, incident_number DESC`);
  const marked = db.prepare<[], string>('SELECT id FROM incidents WHERE deadline_at IS NOT NULL').pluck();
  const set = db.prepare<[number | null, string]>('UPDATE incidents SET deadline_at = ? WHERE id = ?');
  const reorder = db.prepare<[string]>(
    `UPDATE jobs SET arrival = ${arrivalOf('jobs.incident_id')} WHERE incident_id = ?`,
  );
  // Counted apart, so that neither uses up the limit of the other
  const ahead = (which: string): string => `(SELECT count(*) FROM (SELECT DISTINCT incident_id FROM jobs
    WHERE pool = @pool AND state = 'ready' AND arrival > (SELECT arrival FROM jobs WHERE id = @id)
    AND arrival ${which} ${LARGEST_NUMBER} LIMIT ${MOST_AHEAD}))`;
  const before = db.prepare<{ id: number; pool: string }, JobsBefore>(
    `SELECT ${ahead('<=')} AS newer, ${ahead('>')} AS leaving`,
  );
  const deadlineOf = db
    .prepare<[string], number | null>('SELECT deadline_at FROM incidents WHERE id = ?')
    .pluck();
  return {
    /** Notes that an export disappeared from its folder. */
    removed(rootId: string, removedAt: number, ageMs: number): void {
      add.run(rootId, removedAt, Math.max(0, Math.round(ageMs)));
      trim.run(rootId, rootId);
    },
    /** How old the exports of a folder were that disappeared since then, youngest first, milliseconds. */
    agesOf: (rootId: string, since: number): readonly number[] => ages.all(rootId, since),
    /** In the order in which they would be sent without a deadline. */
    waiting: (): readonly WaitingIncidentRow[] => waiting.all(),
    /** Incidents that have a deadline. */
    marked: (): readonly string[] => marked.all(),
    /** Sets or removes the deadline of an incident; its jobs move to their new position. */
    set(incidentId: string, deadlineAt: number | null): void {
      set.run(deadlineAt, incidentId);
      // If it is lost, the next look finds it again
      commitLazily(db, () => reorder.run(incidentId));
    },
    of: (incidentId: string) => deadlineOf.get(incidentId) ?? undefined,
    /** What goes before this job. */
    before: ({ id, pool }: { readonly id: number; readonly pool: string }): JobsBefore =>
      before.get({ id, pool }) ?? { newer: 0, leaving: 0 },
  };
}
