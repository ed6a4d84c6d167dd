/**
 * One chain for all that proves something. Rows of `format` 2 are hashed in two steps, so that a row can be left out of
 * what a third party gets while the chain still holds (electron/agent/store/audit-rows.ts). `desk_keys`: the keys that
 * this desk signed with, the one in use last. Rows of an incident are found by the id in their details.
 */
export const oneChain = `
ALTER TABLE audit ADD COLUMN format INTEGER NOT NULL DEFAULT 1;
CREATE INDEX audit_of_incident ON audit (detail ->> '$.incidentId', sequence)
  WHERE format = 2 AND detail ->> '$.incidentId' IS NOT NULL;
CREATE INDEX audit_anchored ON audit (sequence) WHERE action = 'chain.anchored';
CREATE INDEX audit_sent ON audit (sequence) WHERE action = 'chain.sent';
CREATE INDEX audit_packed ON audit (sequence) WHERE action = 'custody.packed';
CREATE TABLE desk_keys (
  number INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  since INTEGER NOT NULL,
  statement TEXT,
  signature TEXT
) STRICT;
`;
