import type { FailureCode } from '../../../shared/domain/failure.ts';
import type { WriteDb } from './open-db.ts';
import { commitLazily } from './transactions.ts';
import { arrivalOf } from './deadline-rows.ts';
import { createJobCommands, isPaused, SENDS } from './job-commands.ts';

/**
 * What a job does. Its subject: a clip ID, an incident ID, or an orphan's row ID. `send-ahead`: the clip is not queued
 * yet. `confirm-record`: checks whether a record still lists our clips.
 */
export const jobKinds = [
  'send-clip',
  'send-thumbnail',
  'make-thumbnail',
  'check-incident',
  'put-incident',
  'confirm-record',
  'abort-upload',
  'send-ahead',
] as const;
export type JobKind = (typeof jobKinds)[number];
/** Jobs of a pool share its slots: large clips, batches of small files, records, thumbnails to make, growing clips. */
export type JobPool = 'large' | 'small' | 'record' | 'picture' | 'ahead';
/** Pools of jobs that a person has paused: nobody claims from them. */
export type PausedPool = 'held-large' | 'held-small';

/** A row of `jobs`. `blocked` waits for another job, `waiting` for `dueAt` (milliseconds since 1970). */
export interface JobRow {
  readonly id: number;
  readonly kind: JobKind;
  readonly subject: string;
  readonly pool: JobPool | PausedPool;
  readonly incidentId: string;
  readonly state: 'blocked' | 'ready' | 'waiting' | 'leased' | 'failed';
  readonly priority: number;
  readonly attempts: number;
  readonly dueAt: number;
  readonly failure: string | null;
  /** When it was last claimed, milliseconds since 1970. */
  readonly leasedAt: number | null;
  /** Of its clip when it was queued, bytes; 0 for other jobs. */
  readonly sendBytes: number;
}

/** `rule`: moved by a person, soon gone, newest incident, thumbnails, small clips. `any`: random among the next 500. */
export type ClaimOrder = 'rule' | 'age' | 'any';

/**
 * Which jobs of a pool may be claimed: only these kinds, not that subject, and no more than `mostBytes` together unless
 * it is one job.
 */
export interface ClaimFilter {
  readonly kinds?: readonly JobKind[];
  readonly but?: string;
  readonly order?: ClaimOrder;
  readonly mostBytes?: number;
}

/** The columns of a new job. */
export type NewJob = Pick<JobRow, 'kind' | 'subject' | 'incidentId' | 'state' | 'priority' | 'dueAt'> & {
  readonly pool: JobPool;
  readonly createdAt: number;
};

const columns = `id, kind, subject, pool, incident_id AS incidentId, state, priority, attempts, due_at AS dueAt, failure,
  leased_at AS leasedAt, send_bytes AS sendBytes`;

/** The statements on `jobs`. */
export function createJobRows(db: WriteDb) {
  return { ...createJobWrites(db), ...createJobClaims(db), ...createJobReads(db), ...createJobCommands(db) };
}

function createJobWrites(db: WriteDb) {
  const put = db.prepare<NewJob>(`INSERT INTO jobs
    (kind, subject, pool, incident_id, state, priority, due_at, created_at, arrival, send_bytes)
    VALUES (@kind, @subject, CASE WHEN ${isPaused('@kind', '@subject')} THEN 'held-' || @pool ELSE @pool END,
      @incidentId, @state, @priority, @dueAt, @createdAt,
      ${arrivalOf('@incidentId')},
      coalesce((SELECT size_bytes FROM clips WHERE id = @subject AND @kind = 'send-clip'), 0))
    ON CONFLICT (kind, subject) DO UPDATE SET state = excluded.state, pool = excluded.pool, attempts = 0,
      due_at = excluded.due_at, priority = min(priority, excluded.priority), failure = NULL,
      send_bytes = excluded.send_bytes
    WHERE jobs.state <> 'leased'`);
  const remove = db.prepare<[number]>('DELETE FROM jobs WHERE id = ?');
  const removeOf = db.prepare<[JobKind, string]>('DELETE FROM jobs WHERE kind = ? AND subject = ?');
  const later = db.prepare<{ id: number; dueAt: number; attempts: number; failure: string | null }>(
    `UPDATE jobs SET state = 'waiting', lease = NULL, due_at = @dueAt, attempts = @attempts, failure = @failure
     WHERE id = @id`,
  );
  const release = db.prepare<[number]>(
    "UPDATE jobs SET state = 'ready', lease = NULL WHERE id = ? AND state = 'leased'",
  );
  const fail = db.prepare<[string, number]>(
    "UPDATE jobs SET state = 'failed', lease = NULL, failure = ? WHERE id = ?",
  );
  const block = db.prepare<[string]>(
    `UPDATE jobs SET state = 'blocked' WHERE incident_id = ? AND state IN ('ready', 'waiting') AND kind IN ${SENDS}`,
  );
  const unblock = db.prepare<[string]>(
    "UPDATE jobs SET state = 'ready' WHERE incident_id = ? AND state = 'blocked'",
  );
  const revive = db.prepare<[JobKind, string]>(
    `UPDATE jobs SET attempts = 0, failure = NULL,
       state = CASE WHEN kind IN ${SENDS} AND (SELECT checked_at FROM incidents WHERE id = jobs.incident_id) IS NULL
         THEN 'blocked' ELSE 'ready' END,
       pool = CASE WHEN ${isPaused('kind', 'subject')} THEN 'held-' ELSE '' END || replace(pool, 'held-', '')
     WHERE kind = ? AND subject = ? AND state = 'failed'`,
  );
  const wantThumbnails = db.prepare<{ now: number; priority: number }>(`INSERT INTO jobs
    (kind, subject, pool, incident_id, state, priority, due_at, created_at, arrival)
    SELECT 'make-thumbnail', id, 'picture', incident_id, 'ready', @priority, @now, @now, incident_number FROM clips
    WHERE state = 'queued' AND id NOT IN (SELECT clip_id FROM thumbnails) ON CONFLICT DO NOTHING`);
  const reviveRecords = db
    .prepare<[], string>(
      `UPDATE jobs SET state = 'ready', attempts = 0, failure = NULL WHERE state = 'failed' AND pool = 'record'
      RETURNING CASE WHEN kind = 'abort-upload' THEN '' ELSE incident_id END`,
    )
    .pluck();
  return {
    /** Makes a job due again that was given up; an upload only after the service was asked what it has. */
    revive: (kind: JobKind, subject: string) => revive.run(kind, subject).changes,
    /** Queues a thumbnail for each waiting clip without one; jobs that were given up stay so. */
    wantThumbnails: (now: number, priority: number) => wantThumbnails.run({ now, priority }).changes,
    /** Makes record jobs that were given up due again; returns how many incidents that concerns. */
    reviveRecords: () => new Set(reviveRecords.all().filter((id) => id !== '')).size,
    /** Adds the job, or makes it due again; a running job stays as it is, and a paused one stays paused. */
    put: (row: NewJob) => put.run(row),
    remove: (id: number) => remove.run(id),
    removeOf: (kind: JobKind, subject: string) => removeOf.run(kind, subject),
    later: (id: number, dueAt: number, attempts: number, failure: string | null) =>
      later.run({ id, dueAt, attempts, failure }),
    release: (id: number) => release.run(id),
    fail: (id: number, failure: string) => fail.run(failure, id),
    /** Makes uploads of the incident that are not in progress wait for its check. */
    block: (incidentId: string) => block.run(incidentId),
    unblock: (incidentId: string) => unblock.run(incidentId),
  };
}

interface ReadyJobs {
  readonly pool: JobPool;
  readonly kinds: string | null;
  readonly but: string | null;
}

/** One of this many next jobs is picked where the order does not matter. */
const JOBS_IN_ANY_ORDER = 500;
function createJobClaims(db: WriteDb) {
  const promote = db.prepare<[number]>(
    "UPDATE jobs SET state = 'ready' WHERE state = 'waiting' AND due_at <= ?",
  );
  const isMeant =
    '(@kinds IS NULL OR kind IN (SELECT value FROM json_each(@kinds))) AND (@but IS NULL OR subject <> @but)';
  // `+` keeps SQLite from planning again for each pool; the order is that of the index `jobs_to_claim`
  const ready = `SELECT incident_id AS incidentId, min(priority, 0) AS moved FROM jobs
    WHERE pool = +@pool AND state = 'ready' AND ${isMeant}`;
  const byRule =
    "min(priority, 0), iif(pool = 'record', priority, 0), arrival DESC, priority, send_bytes, id";
  const firstReady = db.prepare<ReadyJobs, { incidentId: string }>(`${ready} ORDER BY ${byRule} LIMIT 1`);
  const oldestReady = db.prepare<ReadyJobs, { incidentId: string }>(`${ready} ORDER BY id LIMIT 1`);
  const anyReady = db.prepare<ReadyJobs, { incidentId: string }>(
    `SELECT incidentId FROM (${ready} ORDER BY ${byRule} LIMIT ${JOBS_IN_ANY_ORDER})
     ORDER BY moved, random() LIMIT 1`,
  );
  const ofIncident = db.prepare<
    ReadyJobs & { incidentId: string; limit: number; order: ClaimOrder },
    Pick<JobRow, 'id' | 'sendBytes'>
  >(`SELECT id, send_bytes AS sendBytes FROM jobs
     WHERE incident_id = @incidentId AND state = 'ready' AND pool = @pool AND ${isMeant}
     ORDER BY iif(@order = 'age', id, priority),
       CASE @order WHEN 'any' THEN random() WHEN 'age' THEN id ELSE send_bytes END, id LIMIT @limit`);
  const lease = db.prepare<
    { ids: string; lease: string; now: number },
    JobRow
  >(`UPDATE jobs SET state = 'leased', lease = @lease, leased_at = @now
     WHERE id IN (SELECT value FROM json_each(@ids)) AND state = 'ready' RETURNING ${columns}`);
  const readyAfter = db.prepare<[number, string]>(`UPDATE jobs SET due_at = ?
    WHERE state = 'waiting' AND failure ->> 'code' IN (SELECT value FROM json_each(?))`);
  const freeOthers = db.prepare<[string]>(
    "UPDATE jobs SET state = 'ready', lease = NULL WHERE state = 'leased' AND lease <> ?",
  );
  const capDue = db.prepare<[number, number]>(
    "UPDATE jobs SET due_at = ? WHERE state = 'waiting' AND due_at > ?",
  );
  const pageEnd = db
    .prepare<[number, number], number>(
      'SELECT max(id) FROM (SELECT id FROM jobs WHERE id > ? ORDER BY id LIMIT ?)',
    )
    .pluck();
  const readyOfRoot = db.prepare<{ after: number; last: number; rootId: string; codes: string; now: number }>(
    `UPDATE jobs SET state = 'ready', due_at = @now WHERE id > @after AND id <= @last AND state = 'waiting'
     AND failure ->> 'code' IN (SELECT value FROM json_each(@codes))
     AND incident_id IN (SELECT id FROM incidents WHERE root_id = @rootId)`,
  );
  return {
    /** ID of the last of the next `limit` jobs after the one with this ID; undefined when there is none. */
    pageEnd: (after: number, limit: number) => pageEnd.get(after, limit) ?? undefined,
    /** Makes the root's jobs after `after` up to `last` ready that wait because of one of these codes. */
    readyOfRoot: (
      page: { readonly after: number; readonly last: number },
      root: { readonly id: string; readonly codes: readonly FailureCode[] },
      now: number,
    ) => readyOfRoot.run({ ...page, rootId: root.id, codes: JSON.stringify(root.codes), now }).changes,
    capDue: (dueAt: number) => commitLazily(db, () => capDue.run(dueAt, dueAt).changes),
    promoteDue: (now: number) => commitLazily(db, () => promote.run(now).changes),
    /** Makes every job that waits because of one of these codes due now. */
    readyAfter: (codes: readonly string[], now: number) => readyAfter.run(now, JSON.stringify(codes)).changes,
    /** Leases up to `limit` ready jobs of the pool, all of one incident, in order. */
    claim: (
      pool: JobPool,
      limit: number,
      leaseName: string,
      now: number,
      { kinds, but, order = 'rule', mostBytes = Infinity }: ClaimFilter = {},
    ): readonly JobRow[] => {
      const which = { pool, kinds: kinds === undefined ? null : JSON.stringify(kinds), but: but ?? null };
      const first = { rule: firstReady, age: oldestReady, any: anyReady }[order].get(which);
      if (first === undefined) return [];
      const next = ofIncident.all({ ...which, incidentId: first.incidentId, limit, order });
      const ids = JSON.stringify(firstOf(next, mostBytes));
      // A lease ends with its process: nothing is lost if it never reaches the disk
      const rows = commitLazily(db, () => lease.all({ ids, lease: leaseName, now }));
      return rows.toSorted((a, b) => a.priority - b.priority || a.sendBytes - b.sendBytes || a.id - b.id);
    },
    /** Frees jobs leased by a process that is gone: this process owns the data directory. */
    freeLeasesOfOthers: (leaseName: string) => freeOthers.run(leaseName).changes,
  };
}

/** IDs of the first jobs that send no more than so many bytes together; at least one. */
function firstOf(jobs: readonly Pick<JobRow, 'id' | 'sendBytes'>[], mostBytes: number): readonly number[] {
  let bytes = 0;
  const taken = jobs.filter(({ sendBytes }, index) => (bytes += sendBytes) <= mostBytes || index === 0);
  return taken.map(({ id }) => id);
}

function createJobReads(db: WriteDb) {
  const nextDue = db.prepare<[], number>("SELECT min(due_at) FROM jobs WHERE state = 'waiting'").pluck();
  const open = db.prepare<{ codes: string | null }, Pick<JobRow, 'failure'> & { readonly count: number }>(
    `SELECT count(*) AS count, max(failure) AS failure FROM jobs WHERE state <> 'failed'
       AND pool NOT IN ('held-large', 'held-small', 'picture', 'ahead') AND kind <> 'confirm-record'
       AND (pool = 'record' OR NOT EXISTS (SELECT 1 FROM desk WHERE paused = 1))
       AND (@codes IS NULL OR failure ->> 'code' IN (SELECT value FROM json_each(@codes)))`,
  );
  const openThumbnails = db
    .prepare<[], number>("SELECT count(*) FROM jobs WHERE state <> 'failed' AND pool = 'picture'")
    .pluck();
  const of = db.prepare<[JobKind, string], JobRow>(
    `SELECT ${columns} FROM jobs WHERE kind = ? AND subject = ?`,
  );
  return {
    nextDueAt: () => nextDue.get() ?? undefined,
    /** How many thumbnails are still to be made. */
    countOpenThumbnails: () => openThumbnails.get() ?? 0,
    /** Jobs that will run without a person, now or later, except thumbnails to make and records to confirm. */
    countOpen: () => open.get({ codes: null })?.count ?? 0,
    /** Those of them that were put back for one of these codes, with the failure of one of them. */
    openWith: (codes: readonly FailureCode[]) => open.get({ codes: JSON.stringify(codes) }),
    of: (kind: JobKind, subject: string) => of.get(kind, subject),
  };
}
