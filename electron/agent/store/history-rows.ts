import { z } from 'zod';
import { historyFactsSchema, type HistoryFacts } from '../../../shared/domain/upload-history.ts';
import { forScope, type ClipScope } from './clip-commands.ts';
import type { WriteDb } from './open-db.ts';

/** A row of `history`. Times are milliseconds since 1970; `startedAt` is when the event that ended here began. */
export interface HistoryRow {
  readonly sequence: number;
  readonly at: number;
  readonly startedAt: number | null;
  readonly facts: HistoryFacts;
}

/** A new row: its facts, when it happened, and when the event that it ends began. */
export interface NewHistory {
  readonly at: number;
  readonly startedAt?: number | null;
  readonly facts: HistoryFacts;
}

/** The end of a try after which storage has the clip. */
export interface SentHistory extends NewHistory {
  readonly id: string;
  readonly facts: HistoryFacts & { readonly kind: 'uploaded' };
}

interface RawRow {
  readonly sequence: number;
  readonly at: number;
  readonly startedAt: number | null;
  readonly kind: string;
  readonly detail: string | null;
}

/** Parameters by name. */
interface Columns {
  readonly id: string;
  readonly at: number;
  readonly startedAt: number | null;
  readonly kind: string;
  readonly detail: string | null;
}

const detailSchema = z.record(z.string(), z.unknown());

/** The next sequence number in the history of the subject. */
const nextSequence = (subject: string, number: string): string =>
  `(SELECT coalesce(max(sequence), 0) + 1 FROM history WHERE subject = ${subject} AND number = ${number})`;

/** The statements on `history`; each write belongs in the transaction of the state change that it records. */
export function createHistoryRows(db: WriteDb) {
  return { ...createHistoryWrites(db), ...createScopeWrites(db), ...createHistoryReads(db) };
}

function createHistoryWrites(db: WriteDb) {
  const append = (subject: 'clip' | 'incident', table: string) =>
    db.prepare<Columns>(`INSERT INTO history (subject, number, sequence, at, started_at, kind, detail)
      SELECT '${subject}', number, ${nextSequence(`'${subject}'`, `${table}.number`)}, @at, @startedAt, @kind, @detail
      FROM ${table} WHERE id = @id`);
  const ofClip = append('clip', 'clips');
  const ofIncident = append('incident', 'incidents');
  const ofDesk = db.prepare<Omit<Columns, 'id'>>(`INSERT INTO history
    (subject, number, sequence, at, started_at, kind, detail)
    VALUES ('desk', 0, ${nextSequence("'desk'", '0')}, @at, @startedAt, @kind, @detail)`);
  const ofClips = db.prepare<[string]>(`INSERT INTO history
    (subject, number, sequence, at, started_at, kind, detail)
    SELECT 'clip', number, ${nextSequence("'clip'", 'clips.number')}, row.value ->> 1, row.value ->> 2, row.value ->> 3,
      row.value ->> 4 FROM json_each(?) AS row CROSS JOIN clips ON clips.id = row.value ->> 0`);
  const lastOfClip = db.prepare<[string], RawRow & { number: number }>(`SELECT history.number, sequence, at,
    started_at AS startedAt, kind, detail FROM history WHERE subject = 'clip'
    AND number = (SELECT number FROM clips WHERE id = ?) ORDER BY sequence DESC LIMIT 1`);
  const grow = db.prepare<[number, string | null, number, number]>(
    "UPDATE history SET at = ?, detail = ? WHERE subject = 'clip' AND number = ? AND sequence = ?",
  );
  return {
    clip: (id: string, row: NewHistory) => ofClip.run({ id, ...columnsOf(row) }),
    incident: (id: string, row: NewHistory) => ofIncident.run({ id, ...columnsOf(row) }),
    /** Adds rows for clips that are all different, in one statement. */
    sent: (rows: readonly SentHistory[]): void => {
      const values = rows.map((row) => {
        const { at, startedAt, kind, detail } = columnsOf(row);
        return [row.id, at, startedAt, kind, detail];
      });
      ofClips.run(JSON.stringify(values));
    },
    desk: (row: NewHistory) => ofDesk.run(columnsOf(row)),
    /** Adds a part that storage acknowledged: it joins those acknowledged before it in the same try. */
    part: (id: string, at: number, part: HistoryFacts & { kind: 'parts' }) => {
      const last = lastOfClip.get(id);
      const before = last === undefined ? undefined : readRow(last).facts;
      if (last === undefined || before?.kind !== 'parts') {
        ofClip.run({ id, ...columnsOf({ at, startedAt: at, facts: part }) });
        return;
      }
      const { detail } = columnsOf({ at, facts: joined(before, part) });
      grow.run(at, detail, last.number, last.sequence);
    },
  };
}

/** Whether a clip was named in a command itself, or through its incident. */
type CommandedBy = 'clip' | 'incident';

/** Rows for many clips or jobs at once. */
function createScopeWrites(db: WriteDb) {
  const scoped = (kind: 'paused' | 'resumed', held: 0 | 1) =>
    forScope<number, [at: number, detail: string]>(
      db,
      'id',
      (where) => `WITH scope AS MATERIALIZED
          (SELECT number FROM clips WHERE ${where} AND state = 'queued' AND held = ${held} ORDER BY number)
        INSERT INTO history (subject, number, sequence, at, kind, detail)
        SELECT 'clip', number, ${nextSequence("'clip'", 'scope.number')}, ?, '${kind}', ? FROM scope`,
      (statement, value, ...more) => statement.run(value, ...more).changes,
    );
  const paused = scoped('paused', 0);
  const resumed = scoped('resumed', 1);
  const lost = (subject: 'clip' | 'incident', table: string, kinds: string, where: string) =>
    db.prepare<
      [number, string | number]
    >(`INSERT INTO history (subject, number, sequence, at, started_at, kind, detail)
      SELECT '${subject}', ${table}.number, ${nextSequence(`'${subject}'`, `${table}.number`)}, ?, jobs.leased_at,
        'tried', '{"end":"lost"}'
      FROM jobs CROSS JOIN ${table} ON ${table}.id = jobs.subject
      WHERE jobs.state = 'leased' AND jobs.kind IN ${kinds} AND ${where} ORDER BY ${table}.number`);
  const lostBy = (where: string) => [
    lost('clip', 'clips', "('send-clip')", where),
    lost('incident', 'incidents', "('check-incident', 'put-incident')", where),
  ];
  const ofOthers = lostBy('jobs.lease <> ?');
  const ofJob = lostBy('jobs.id = ?');
  return {
    /** Call before the clips of the scope that are not held yet become held. */
    clipsPaused: (scope: ClipScope, at: number, by: CommandedBy) => paused(scope, at, `{"by":"${by}"}`),
    /** Call before the clips of the scope that are paused are resumed. */
    clipsResumed: (scope: ClipScope, at: number, by: CommandedBy) => resumed(scope, at, `{"by":"${by}"}`),
    /** Call before the leases of other processes are freed. */
    lostByOthers: (leaseName: string, at: number) => {
      for (const statement of ofOthers) statement.run(at, leaseName);
    },
    /** Call before a job is released whose result could not be stored. */
    lostJob: (jobId: number, at: number) => {
      for (const statement of ofJob) statement.run(at, jobId);
    },
  };
}

function createHistoryReads(db: WriteDb) {
  const columns = 'sequence, at, started_at AS startedAt, kind, detail';
  const of = (subject: string, table: string) =>
    db.prepare<[string], RawRow>(`SELECT ${columns} FROM history WHERE subject = '${subject}'
      AND number = (SELECT number FROM ${table} WHERE id = ?) ORDER BY sequence`);
  const clip = of('clip', 'clips');
  const incident = of('incident', 'incidents');
  const desk = db.prepare<[], RawRow>(
    `SELECT ${columns} FROM history WHERE subject = 'desk' ORDER BY sequence`,
  );
  return {
    /** Oldest first, as for the two below. */
    ofClip: (id: string): readonly HistoryRow[] => clip.all(id).map(readRow),
    ofIncident: (id: string): readonly HistoryRow[] => incident.all(id).map(readRow),
    ofDesk: (): readonly HistoryRow[] => desk.all().map(readRow),
  };
}

function joined(before: HistoryFacts & { kind: 'parts' }, part: HistoryFacts & { kind: 'parts' }) {
  return {
    ...part,
    first: Math.min(before.first, part.first),
    last: Math.max(before.last, part.last),
    count: before.count + part.count,
    sizeBytes: before.sizeBytes + part.sizeBytes,
  };
}

function columnsOf({ at, startedAt, facts: { kind, ...detail } }: NewHistory): Omit<Columns, 'id'> {
  const isBare = Object.keys(detail).length === 0;
  return { at, startedAt: startedAt ?? null, kind, detail: isBare ? null : JSON.stringify(detail) };
}

function readRow({ sequence, at, startedAt, kind, detail }: RawRow): HistoryRow {
  const fields = detail === null ? {} : detailSchema.parse(JSON.parse(detail));
  return { sequence, at, startedAt, facts: historyFactsSchema.parse({ ...fields, kind }) };
}
