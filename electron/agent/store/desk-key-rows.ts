import type { ReadDb, WriteDb } from './open-db.ts';

/** A key that the desk signs or signed with. A key that followed another one has that one's word for it, or none. */
export interface DeskKeyRow {
  /** SHA-256 of the public key (SubjectPublicKeyInfo, DER), lower-case hexadecimal. */
  readonly fingerprint: string;
  /** PEM. */
  readonly publicKey: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** What the key before signed about it: canonical JSON; null for the first key and after a loss. */
  readonly statement: string | null;
  /** Base64. */
  readonly signature: string | null;
}

const columns = 'fingerprint, public_key AS publicKey, since, statement, signature';

/** The statements on `desk_keys`. */
export function createDeskKeyRows(db: WriteDb) {
  const add = db.prepare<DeskKeyRow>(`INSERT INTO desk_keys
    (fingerprint, public_key, since, statement, signature)
    VALUES (@fingerprint, @publicKey, @since, @statement, @signature)`);
  return { add: (row: DeskKeyRow) => add.run(row), ...createDeskKeyReads(db) };
}

/** The reads of `desk_keys`. */
export function createDeskKeyReads(db: ReadDb) {
  const all = db.prepare<[], DeskKeyRow>(`SELECT ${columns} FROM desk_keys ORDER BY number`);
  return { all: (): readonly DeskKeyRow[] => all.all() };
}
