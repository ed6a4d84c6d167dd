/**
 * How the rows of the audit trail hold each other. A row's hash covers the row and the hash before it; whoever changes,
 * removes or adds one changes every hash after it, and the newest one stands outside of the database too (anchors).
 */
import { createHash } from 'node:crypto';

/** What one row says. */
export interface AuditEntry {
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
  /** How its hash was made: 1 until version 0.1, 2 since. */
  readonly format: number;
}

/** What stands before the first row. */
export const FIRST_HASH = '';

/** The text that the digest of a row is made of: one line, without tabs. */
export function rowText({ sequence, at, account, action, detail }: AuditEntry): string {
  return JSON.stringify([sequence, at, account, action, detail]);
}

/** SHA-256 of a text in UTF-8, as lower-case hexadecimal. */
export const sha256Of = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex');

/** The hash that follows `before` for a row with this digest: both are hexadecimal, so that any shell can compute it. */
export const linkHash = (before: string, digest: string): string => sha256Of(before + digest);

/** The hash of a row after `before`, in the format of the row. */
export function auditHash(before: string, row: AuditEntry & { readonly format: number }): string {
  if (row.format === 2) return linkHash(before, sha256Of(rowText(row)));
  const { sequence, at, account, action, detail } = row;
  return sha256Of(JSON.stringify([before, sequence, at, account, action, detail]));
}

/** A row by number and hash. */
export interface AuditMark {
  readonly sequence: number;
  readonly hash: string;
}

/** Where the chain begins and ends, as the tables beside it say. */
export interface ChainEnds {
  /** The end of what was removed by age: the chain goes on from its hash. Undefined while nothing was removed. */
  readonly anchor: AuditMark | undefined;
  /** The last row that was written; undefined before the first one. */
  readonly tail: AuditMark | undefined;
}

/** The trail as it is stored, oldest first. */
export interface AuditChain extends ChainEnds {
  readonly rows: readonly AuditRow[];
}

/** Walks a chain slice by slice, from its first row on. */
export interface ChainWalk {
  /** Takes the next rows; false once a row is not as it was written. */
  take(rows: readonly AuditRow[]): boolean;
  /** The number of the first row that is not as it was written, or is missing; undefined when all are right. */
  end(): number | undefined;
}

/** Begins a walk. Rows that were removed by age count as right when a later row notes their removal. */
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

function notesTrim({ action, detail }: AuditRow, { sequence, hash }: AuditMark): boolean {
  return action === 'audit.trimmed' && detail === JSON.stringify({ upTo: sequence, hash });
}
