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

/**
 * The number of the first row that is not as it was written, or is missing; undefined when all are right. Rows that were
 * cut off at the end leave no mark here: the log names number and hash of each row too.
 */
export function findBreak(rows: readonly AuditRow[]): number | undefined {
  let before = FIRST_HASH;
  for (const [index, row] of rows.entries()) {
    if (row.sequence !== index + 1 || row.hash !== auditHash(before, row)) return index + 1;
    before = row.hash;
  }
  return undefined;
}

/** The statements on `audit`: rows are added and read, never changed. */
export function createAuditRows(db: WriteDb) {
  const columns = 'sequence, at, account, action, detail, hash';
  const last = db.prepare<[], AuditRow>(`SELECT ${columns} FROM audit ORDER BY sequence DESC LIMIT 1`);
  const all = db.prepare<[], AuditRow>(`SELECT ${columns} FROM audit ORDER BY sequence`);
  const insert = db.prepare<AuditRow>(
    'INSERT INTO audit VALUES (@sequence, @at, @account, @action, @detail, @hash)',
  );
  const add = db.transaction((entry: Omit<AuditEntry, 'sequence'>): AuditRow => {
    const before = last.get();
    const numbered = { ...entry, sequence: (before?.sequence ?? 0) + 1 };
    const row = { ...numbered, hash: auditHash(before?.hash ?? FIRST_HASH, numbered) };
    insert.run(row);
    return row;
  });
  return {
    /** Adds a row after the last one; on the disk when it returns. */
    add: (entry: Omit<AuditEntry, 'sequence'>): AuditRow => add.immediate(entry),
    /** Oldest first. */
    all: (): readonly AuditRow[] => all.all(),
  };
}
