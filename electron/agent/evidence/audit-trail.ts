/**
 * The evidence module: the chain of rows about everything done at this desk, the key that it signs with, the chain's
 * head as published outside the database, and custody packs. Rows are written by `store/tables.ts` together with what
 * they are about, and by `calls/call.ts` for what a person asks for. Uploads never depend on anything here.
 */
import type { Clock, Logger } from '../ports.ts';
import { type AuditDetail, findBreak } from '../store/audit-rows.ts';
import type { Tables } from '../store/tables.ts';

export type { AuditDetail } from '../store/audit-rows.ts';

/** The record of what was done at this desk, kept in the queue database. */
export interface AuditTrail {
  /** Adds a row and returns its number once the row is on the disk. Throws if it cannot be written. */
  note(action: string, detail: AuditDetail): number;
  /** A line for each of the newest rows, oldest first, after one that says whether the trail is intact. */
  lines(): readonly string[];
  /** Number of the first row that was changed or is missing; undefined if there is none. */
  findBreak(): number | undefined;
}

interface Deps {
  readonly rows: Tables['audit'];
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info'>;
}

/** Most rows that are shown: some days of a desk. The database has all of them. */
const MOST_LINES = 500;
/** Fields that describe evidence or a key, or are long, are left out of what is given to support. */
const NOT_SHOWN = new Set([
  'path',
  'folder',
  'folders',
  'ended',
  'title',
  'before',
  'after',
  'from',
  'etags',
  'partSha256',
  'key',
  'fingerprint',
]);

/** Creates the trail over its table. */
export function createAuditTrail({ rows, clock, logger }: Deps): AuditTrail {
  return {
    note(action, detail) {
      const { sequence, hash } = rows.note(clock.now(), action, detail);
      // A second copy: rows that are cut off at the end of the table are still in the log
      logger.info('Recorded in the audit trail', { sequence, action, hash });
      return sequence;
    },
    lines() {
      const { anchor } = rows.ends();
      const broken = findBreak(rows.chain());
      const removed = anchor === undefined ? '' : ` (older rows, up to row ${anchor.sequence}, were removed)`;
      const count = rows.count();
      const all = `${count} ${count === 1 ? 'row' : 'rows'}${removed}`;
      const verdict = broken === undefined ? `${all}, intact` : `${all}, broken from row ${broken} onward`;
      return [
        verdict,
        ...rows
          .newest(MOST_LINES)
          .map(({ sequence, at, action, detail, hash }) =>
            [sequence, new Date(at).toISOString(), action, shown(detail), hash.slice(0, 16)].join(' '),
          ),
      ];
    },
    findBreak: () => findBreak(rows.chain()),
  };
}

/** The details of a row, without the fields that describe evidence. */
function shown(detail: string): string {
  try {
    return JSON.stringify(
      JSON.parse(detail, (name, value: unknown) => (NOT_SHOWN.has(name) ? undefined : value)),
    );
  } catch {
    // Somebody changed the row
    return '(not readable)';
  }
}
