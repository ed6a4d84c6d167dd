/**
 * What people ordered at this desk, one row after the other and never changed: `hash` is made of the row and of the hash
 * before it (electron/agent/store/audit-rows.ts). `at` is milliseconds since 1970, `detail` is JSON.
 */
export const audit = `
CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  action TEXT NOT NULL,
  detail TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_in_order BEFORE INSERT ON audit
WHEN new.sequence IS NOT (SELECT coalesce(max(sequence), 0) + 1 FROM audit)
BEGIN SELECT raise(ABORT, 'audit rows follow one another'); END;
CREATE TRIGGER audit_not_changed BEFORE UPDATE ON audit BEGIN SELECT raise(ABORT, 'audit rows stay as they are'); END;
CREATE TRIGGER audit_not_deleted BEFORE DELETE ON audit BEGIN SELECT raise(ABORT, 'audit rows stay'); END;
`;
