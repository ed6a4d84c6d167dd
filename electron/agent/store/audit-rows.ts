import { auditHash, FIRST_HASH, type AuditEntry, type AuditRow } from './audit-chain.ts';
import type { WriteDb } from './open-db.ts';

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
