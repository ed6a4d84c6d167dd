import { userInfo } from 'node:os';
import { hash } from 'node:crypto';
import type { Json } from '../../../shared/lib/json-text.ts';
import type { ReadDb, WriteDb } from './open-db.ts';

/**
 * How the rows of the audit trail are linked. A row's hash covers the row and the hash before it: changing, removing or
 * adding a row changes every hash after it, and the newest hash is kept outside the database too (anchors).
 */

/** The contents of a row. */
interface AuditEntry {
  /** Counts from 1 without gaps. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The system account that the agent ran under. */
  readonly account: string;
  readonly action: string;
  /** JSON, exactly as stored. */
  readonly detail: string;
}

/** A row with the hash that links it to all rows before it. */
export interface AuditRow extends AuditEntry {
  readonly hash: string;
  /** How its hash was computed: 1 until version 0.1, 2 since. */
  readonly format: number;
}

/** The hash before the first row. */
export const FIRST_HASH = '';

/** The text that the digest of a row is computed from: one line, without tabs. */
export function rowText({ sequence, at, account, action, detail }: AuditEntry): string {
  return JSON.stringify([sequence, at, account, action, detail]);
}

/** SHA-256 of a text in UTF-8, as lower-case hexadecimal. */
export const sha256Of = (text: string | Uint8Array): string => hash('sha256', text, 'hex');

/**
 * The hash that follows `before` for a row with this digest: both are hexadecimal, so that any shell can compute it.
 */
export const linkHash = (before: string, digest: string): string => sha256Of(before + digest);

/** The hash of a row after `before`, in the format of the row. */
export function auditHash(before: string, row: AuditEntry & { readonly format: number }): string {
  if (row.format === 2) return linkHash(before, sha256Of(rowText(row)));
  const { sequence, at, account, action, detail } = row;
  return sha256Of(JSON.stringify([before, sequence, at, account, action, detail]));
}

/** A row by number and hash. */
interface AuditMark {
  readonly sequence: number;
  readonly hash: string;
}

/** Where the chain begins and ends according to the tables beside it. */
interface ChainEnds {
  /** The last row that was removed by age: the chain continues from its hash. Undefined while nothing was removed. */
  readonly anchor: AuditMark | undefined;
  /** The last row that was written; undefined before the first one. */
  readonly tail: AuditMark | undefined;
}

/** The trail as it is stored, oldest first. */
interface AuditChain extends ChainEnds {
  readonly rows: readonly AuditRow[];
}

/** Walks a chain slice by slice, starting with its first row. */
interface ChainWalk {
  /** Checks the next rows; false once a row is not as it was written. */
  take(rows: readonly AuditRow[]): boolean;
  /** The number of the first row that is missing or not as it was written; undefined when all are right. */
  end(): number | undefined;
}

/** Starts a walk. Rows that were removed by age count as right when a later row notes their removal. */
export function walkChain({ anchor, tail }: ChainEnds): ChainWalk {
  const first = (anchor?.sequence ?? 0) + 1;
  let next = first;
  let before = anchor?.hash ?? FIRST_HASH;
  let broken: number | undefined;
  let isTrimNoted = anchor === undefined;
  return {
    take(rows) {
      for (const row of rows) {
        if (broken !== undefined) return false;
        if (row.sequence !== next || row.hash !== auditHash(before, row)) broken = next;
        if (anchor !== undefined && notesTrim(row, anchor)) isTrimNoted = true;
        before = row.hash;
        next += 1;
      }
      return broken === undefined;
    },
    end() {
      if (broken !== undefined) return broken;
      if (anchor !== undefined && !isTrimNoted) return anchor.sequence;
      return tail !== undefined && tail.sequence >= next ? next : undefined;
    },
  };
}

/** As `walkChain`, for a chain in memory. */
export function findBreak(chain: AuditChain): number | undefined {
  const walk = walkChain(chain);
  walk.take(chain.rows);
  return walk.end();
}

/** Whether the row records that all rows up to the mark were removed by age. */
export function notesTrim({ action, detail }: AuditRow, { sequence, hash }: AuditMark): boolean {
  return action === 'audit.trimmed' && detail === JSON.stringify({ upTo: sequence, hash });
}

/** The details of a row. */
export type AuditDetail = Readonly<Record<string, Json | undefined>>;

type NewEntry = Omit<AuditEntry, 'sequence'>;

/** A piece of evidence; `at` is milliseconds since 1970. */
export interface EvidenceNote {
  readonly at: number;
  readonly action: string;
  readonly detail: AuditDetail;
}

const columns = 'sequence, at, account, action, detail, hash, format';
/** The format of new rows. */
const FORMAT = 2;

/** The statements on `audit`: rows are added at the end, removed by age from the front, and never changed. */
export function createAuditRows(db: WriteDb) {
  const last = db.prepare<[], AuditRow>(`SELECT ${columns} FROM audit ORDER BY sequence DESC LIMIT 1`);
  const insert = db.prepare<[string]>(`INSERT INTO audit (sequence, at, account, action, detail, hash, format)
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
    FROM json_each(?) ORDER BY key`);
  const setMark = (table: string) =>
    db.prepare<AuditMark>(`INSERT INTO ${table} (id, sequence, hash) VALUES (1, @sequence, @hash)
      ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash`);
  const setAnchor = setMark('audit_anchor');
  const setTail = setMark('audit_tail');
  // Up to the first row that is not old, and never the last one
  const old = db.prepare<{ before: number; limit: number }, AuditMark>(`SELECT sequence, hash FROM
    (SELECT sequence, hash, at FROM audit WHERE sequence < (SELECT max(sequence) FROM audit)
     ORDER BY sequence LIMIT @limit)
    WHERE sequence < coalesce((SELECT min(sequence) FROM audit WHERE at >= @before), sequence + 1)
    ORDER BY sequence DESC LIMIT 1`);
  const remove = db.prepare<[number]>('DELETE FROM audit WHERE sequence <= ?');
  const reads = createAuditReads(db);
  const account = accountName();
  let clockOffsetMs: () => number | undefined = () => undefined;

  const append = db.transaction((entries: readonly NewEntry[]): readonly AuditRow[] => {
    // If the end was cut off, the gap stays: the next row follows the one that was written last
    const before = [last.get(), reads.ends().tail].toSorted(
      (a, b) => (b?.sequence ?? 0) - (a?.sequence ?? 0),
    )[0];
    let { sequence, hash }: AuditMark = before ?? { sequence: 0, hash: FIRST_HASH };
    const rows = entries.map((entry): AuditRow => {
      sequence += 1;
      const numbered = { ...entry, sequence, format: FORMAT };
      hash = auditHash(hash, numbered);
      return { ...numbered, hash };
    });
    const values = rows.map((row) => [
      row.sequence,
      row.at,
      row.account,
      row.action,
      row.detail,
      row.hash,
      row.format,
    ]);
    insert.run(JSON.stringify(values));
    setTail.run({ sequence, hash });
    return rows;
  });
  const addAll = (entries: readonly NewEntry[]): readonly AuditRow[] =>
    db.inTransaction ? append(entries) : append.immediate(entries);
  const addNow = (entry: NewEntry): AuditRow => {
    const [row] = addAll([entry]);
    if (row === undefined) throw new Error('A row of the chain was not written');
    return row;
  };
  const textOf = (detail: AuditDetail): string => {
    const offsetMs = clockOffsetMs();
    return JSON.stringify(offsetMs === undefined ? detail : { ...detail, clockOffsetMs: offsetMs });
  };

  return {
    ...reads,
    /** Adds a row after the last one; on the disk when it returns, or with the current transaction. */
    add: addNow,
    /** As `add`, under the account of this process. `at` is milliseconds since 1970. */
    note: (at: number, action: string, detail: AuditDetail): AuditRow =>
      addNow({ at, account, action, detail: JSON.stringify(detail) }),
    /**
     * As `note`, for several notes, in order, adding how far the service's clock was ahead of this PC's where that is
     * known.
     */
    noteEvidenceOf(notes: readonly EvidenceNote[]): void {
      if (notes.length === 0) return;
      addAll(notes.map(({ at, action, detail }) => ({ at, account, action, detail: textOf(detail) })));
    },
    /** Adds the clock offset to evidence from now on. Milliseconds; undefined until the service has answered. */
    observeClock(offsetMs: () => number | undefined): void {
      clockOffsetMs = offsetMs;
    },
    /**
     * Removes up to `limit` rows from before that time and returns where the chain continues, to be noted in the same
     * transaction; undefined when fewer than `least` are old.
     */
    trim(before: number, least: number, limit: number): (AuditMark & { readonly rows: number }) | undefined {
      const end = old.get({ before, limit });
      if (end === undefined || end.sequence - (reads.ends().anchor?.sequence ?? 0) < least) return undefined;
      setAnchor.run({ sequence: end.sequence, hash: end.hash });
      return { ...end, rows: remove.run(end.sequence).changes };
    },
  };
}

/** The reads of `audit`, also for processes that inspect the chain beside the agent. */
export function createAuditReads(db: ReadDb) {
  const all = db.prepare<[], AuditRow>(`SELECT ${columns} FROM audit ORDER BY sequence`);
  const page = db.prepare<[number, number], AuditRow>(
    `SELECT ${columns} FROM audit WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const newest = db.prepare<[number], AuditRow>(
    `SELECT * FROM (SELECT ${columns} FROM audit ORDER BY sequence DESC LIMIT ?) ORDER BY sequence`,
  );
  const count = db.prepare<[], number>('SELECT count(*) FROM audit').pluck();
  const at = db.prepare<[number], AuditRow>(`SELECT ${columns} FROM audit WHERE sequence = ?`);
  const between = db.prepare<[number, number], AuditRow>(
    `SELECT ${columns} FROM audit WHERE sequence BETWEEN ? AND ? ORDER BY sequence`,
  );
  const ofIncident = db.prepare<[string], AuditRow>(`SELECT ${columns} FROM audit
    WHERE format = 2 AND detail ->> '$.incidentId' IS NOT NULL AND detail ->> '$.incidentId' = ? ORDER BY sequence`);
  const anchored = db.prepare<[number], AuditRow>(`SELECT ${columns} FROM audit
    WHERE action = 'chain.anchored' AND sequence > ? ORDER BY sequence`);
  const lastOf = (action: 'chain.anchored' | 'chain.sent' | 'custody.packed' | 'roots.watched') =>
    db.prepare<[], AuditRow>(
      `SELECT ${columns} FROM audit WHERE action = '${action}' ORDER BY sequence DESC LIMIT 1`,
    );
  const lastAnchored = lastOf('chain.anchored');
  const lastSent = lastOf('chain.sent');
  const lastPacked = lastOf('custody.packed');
  const lastWatched = lastOf('roots.watched');
  const hasAction = db
    .prepare<[string, string], number>('SELECT 1 FROM audit WHERE action = ? AND detail = ? LIMIT 1')
    .pluck();
  const mark = (table: string) => db.prepare<[], AuditMark>(`SELECT sequence, hash FROM ${table}`);
  const anchor = mark('audit_anchor');
  const tail = mark('audit_tail');
  const ends = (): ChainEnds => ({ anchor: anchor.get(), tail: tail.get() });
  return {
    chain: (): AuditChain => ({ rows: all.all(), ...ends() }),
    ends,
    /** The next rows after a number. */
    after: (sequence: number, limit: number): readonly AuditRow[] => page.all(sequence, limit),
    /** The newest rows, oldest first. */
    newest: (limit: number): readonly AuditRow[] => newest.all(limit),
    count: () => count.get() ?? 0,
    rowAt: (sequence: number) => at.get(sequence),
    between: (from: number, to: number): readonly AuditRow[] => between.all(from, to),
    /** Rows about an incident and its clips. */
    ofIncident: (incidentId: string): readonly AuditRow[] => ofIncident.all(incidentId),
    /** Rows with the action `chain.anchored` after a number. */
    anchoredAfter: (sequence: number): readonly AuditRow[] => anchored.all(sequence),
    lastAnchored: () => lastAnchored.get(),
    /** The row that noted when the head last went to a channel of the service. */
    lastSent: () => lastSent.get(),
    lastPacked: () => lastPacked.get(),
    /** The row that noted which folders were watched from then on. */
    lastWatched: () => lastWatched.get(),
    hasRow: (action: string, detail: AuditDetail) => hasAction.get(action, JSON.stringify(detail)) === 1,
  };
}

/** Reads of the chain. */
export type AuditReads = ReturnType<typeof createAuditReads>;

/** The name of this account, or at least its number when it has no entry, as in containers. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
