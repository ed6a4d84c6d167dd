import { userInfo } from 'node:os';
import type { AgentEvents } from '../events.ts';
import type { Tables } from '../store/tables.ts';
import type { Clock, Logger } from '../ports.ts';
import { findBreak } from '../store/audit-rows.ts';

/** Facts of a row: ids, names of fields, codes; never names of people, texts or secrets. */
export type AuditDetail = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** What people did at this desk, kept in the queue database. */
export interface AuditTrail {
  /** Adds a row, on the disk when it returns, and answers its number. Throws when it cannot be written. */
  note(action: string, detail: AuditDetail): number;
  /** A line for each of the newest rows, oldest first, below one that says whether the trail is whole. */
  lines(): readonly string[];
  /** Number of the first row that was changed or is missing; undefined when there is none. */
  findBreak(): number | undefined;
}

interface Deps {
  readonly rows: Tables['audit'];
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<Logger, 'info'>;
}

/** Rows that are shown: some weeks of a desk. The database has all of them. */
const MOST_LINES = 500;

/** Makes the trail over its table. */
export function createAuditTrail({ rows, clock, logger }: Deps): AuditTrail {
  const account = accountName();
  return {
    note(action, detail) {
      const { sequence, hash } = rows.add({
        at: clock.now(),
        account,
        action,
        detail: JSON.stringify(detail),
      });
      // A second place: rows that are cut off at the end of the table still stand here
      logger.info('Noted in the audit trail', { sequence, action, hash });
      return sequence;
    },
    lines() {
      const chain = rows.chain();
      const { rows: all, anchor } = chain;
      const broken = findBreak(chain);
      const removed = anchor === undefined ? '' : ` and ${anchor.sequence} removed by age`;
      const verdict =
        broken === undefined
          ? `${all.length} rows${removed}, whole`
          : `${all.length} rows${removed}, not whole from row ${broken} on`;
      const shown = all.slice(-MOST_LINES);
      return [
        verdict,
        ...shown.map(({ sequence, at, action, detail, hash }) =>
          [sequence, new Date(at).toISOString(), action, detail, hash.slice(0, 16)].join(' '),
        ),
      ];
    },
    findBreak: () => findBreak(rows.chain()),
  };
}

/** Makes the trail and warns at once when it is not as it was written. */
export function openAuditTrail({ events, ...deps }: Deps & { readonly events: AgentEvents }): AuditTrail {
  const trail = createAuditTrail(deps);
  const row = trail.findBreak();
  if (row !== undefined) {
    events.emit({
      event: 'warning',
      code: 'AUDIT_BROKEN',
      message: `The audit trail of this desk is not as it was written, from row ${row} on: somebody changed the queue database. Uploads go on; the diagnostics in Health show the trail.`,
    });
  }
  return trail;
}

/** An account without an entry, as containers have it, has a number at least. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
