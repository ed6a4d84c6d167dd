import type { WriteDb } from './open-db.ts';
import { createHash } from 'node:crypto';

/** What one row of the audit trail says. */
interface AuditEntry {
  /** Counts from 1 without gaps. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The account of the system under which the agent ran. */
  readonly account: string;
  readonly action: string;
  /** JSON, as it is stored. */
  readonly detail: string;
}

/** A row with the hash that ties it to all before it. */
export interface AuditRow extends AuditEntry {
  readonly hash: string;
}

/** What stands before the first row. */
const FIRST_HASH = '';

/** SHA-256 of the row and of the hash before it, as hex. */
export function auditHash(before: string, { sequence, at, account, action, detail }: AuditEntry): string {
  const row = JSON.stringify([before, sequence, at, account, action, detail]);
  return createHash('sha256').update(row).digest('hex');
}

/** The end of what was removed from the front of the trail: the chain goes on from its hash. */
export interface AuditAnchor {
  readonly sequence: number;
  readonly hash: string;
}

/** The trail as it is stored. */
export interface AuditChain {
  /** Oldest first. */
  readonly rows: readonly AuditRow[];
  /** Undefined while nothing was removed. */
  readonly anchor: AuditAnchor | undefined;
  /** The last row that was written; undefined before the first one of this version. */
  readonly tail: AuditAnchor | undefined;
}

/**
 * The number of the first row that is not as it was written, or is missing; undefined when all are right. Rows that were
 * removed by age count as right when a later row notes their removal.
 */
export function findBreak({ rows, anchor, tail }: AuditChain): number | undefined {
  const first = (anchor?.sequence ?? 0) + 1;
  let before = anchor?.hash ?? FIRST_HASH;
  for (const [index, row] of rows.entries()) {
    if (row.sequence !== first + index || row.hash !== auditHash(before, row)) return first + index;
    before = row.hash;
  }
  if (anchor !== undefined && !rows.some((row) => notesTrim(row, anchor))) return anchor.sequence;
  const end = first + rows.length - 1;
  return tail !== undefined && tail.sequence > end ? end + 1 : undefined;
}

function notesTrim({ action, detail }: AuditRow, { sequence, hash }: AuditAnchor): boolean {
  return action === 'audit.trimmed' && detail === JSON.stringify({ upTo: sequence, hash });
}

/** The statements on `audit`: rows are added at the end, removed by age from the front, and never changed. */
export function createAuditRows(db: WriteDb) {
  const columns = 'sequence, at, account, action, detail, hash';
  const last = db.prepare<[], AuditRow>(`SELECT ${columns} FROM audit ORDER BY sequence DESC LIMIT 1`);
  const all = db.prepare<[], AuditRow>(`SELECT ${columns} FROM audit ORDER BY sequence`);
  const insert = db.prepare<AuditRow>(
    'INSERT INTO audit VALUES (@sequence, @at, @account, @action, @detail, @hash)',
  );
  const mark = (table: string) => ({
    get: db.prepare<[], AuditAnchor>(`SELECT sequence, hash FROM ${table}`),
    set: db.prepare<AuditAnchor>(`INSERT INTO ${table} (id, sequence, hash) VALUES (1, @sequence, @hash)
      ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash`),
  });
  const anchor = mark('audit_anchor');
  const tail = mark('audit_tail');
  // Up to the first row that is young, and never the last one
  const old = db.prepare<{ before: number; limit: number }, AuditAnchor>(`SELECT sequence, hash FROM
    (SELECT sequence, hash, at FROM audit WHERE sequence < (SELECT max(sequence) FROM audit)
     ORDER BY sequence LIMIT @limit)
    WHERE sequence < coalesce((SELECT min(sequence) FROM audit WHERE at >= @before), sequence + 1)
    ORDER BY sequence DESC LIMIT 1`);
  const remove = db.prepare<[number]>('DELETE FROM audit WHERE sequence <= ?');
  const add = db.transaction((entry: Omit<AuditEntry, 'sequence'>): AuditRow => {
    // Where the end was cut off, the gap stays: the next row follows the one that was written last
    const before = [last.get(), tail.get.get()].toSorted(
      (a, b) => (b?.sequence ?? 0) - (a?.sequence ?? 0),
    )[0];
    const numbered = { ...entry, sequence: (before?.sequence ?? 0) + 1 };
    const row = { ...numbered, hash: auditHash(before?.hash ?? FIRST_HASH, numbered) };
    insert.run(row);
    tail.set.run({ sequence: row.sequence, hash: row.hash });
    return row;
  });
  return {
    /** Adds a row after the last one; on the disk when it returns. */
    add: (entry: Omit<AuditEntry, 'sequence'>): AuditRow => add.immediate(entry),
    chain: (): AuditChain => ({ rows: all.all(), anchor: anchor.get.get(), tail: tail.get.get() }),
    /**
     * Removes up to `limit` rows from before that time and answers where the chain goes on, to be noted in the same
     * transaction; undefined when fewer than `least` are old.
     */
    trim(
      before: number,
      least: number,
      limit: number,
    ): (AuditAnchor & { readonly rows: number }) | undefined {
      const end = old.get({ before, limit });
      if (end === undefined || end.sequence - (anchor.get.get()?.sequence ?? 0) < least) return undefined;
      anchor.set.run({ sequence: end.sequence, hash: end.hash });
      return { ...end, rows: remove.run(end.sequence).changes };
    },
  };
}
