import { z } from 'zod';
import { FIRST_HASH, rowText, sha256Of, type AuditRow, type AuditReads } from '../../store/audit-rows.ts';

/** Rows that name nothing of another incident: they stand whole in every pack. */
const OPEN_ACTIONS = /^(?:agent|audit|chain|key|lock|queue)\./;
/** Stands for nothing, in a line that any shell can read. */
const NOTHING = '-';

/** The rows of an incident, and where the chain leads from its first row to its head. */
export interface ChainPath {
  /** Whole rows of the incident. */
  readonly rows: readonly AuditRow[];
  /** The lines of chain.txt, each: number, hash before, hash, digest, and the row itself or "-" for one of others. */
  readonly lines: readonly string[];
}

/**
 * The shortest way through the chain from the first row about the incident to `head`, which is a row `chain.anchored`:
 * from one such row to the next, which names it, no row in between is needed.
 */
export function chainPath(
  reads: AuditReads,
  incidentId: string,
  clipIds: ReadonlySet<string>,
  head: AuditRow,
): ChainPath {
  const own = reads.ofIncident(incidentId);
  const first = own[0] ?? head;
  const anchored = reads.anchoredAfter(first.sequence).filter(({ sequence }) => sequence < head.sequence);
  const needed = [...own, head];
  const path = new Map<number, AuditRow>();
  const ownNumbers = new Set(own.map(({ sequence }) => sequence));
  let last = first;
  path.set(first.sequence, first);
  for (const next of needed) {
    const between = anchored.filter(({ sequence }) => sequence > last.sequence && sequence < next.sequence);
    const stops = [...between, next];
    const [door = next] = stops;
    const exit = between.at(-1) ?? last;
    for (const row of reads.between(last.sequence, door.sequence)) path.set(row.sequence, row);
    for (const row of between) path.set(row.sequence, row);
    for (const row of reads.between(exit.sequence, next.sequence)) path.set(row.sequence, row);
    last = next;
  }
  const rows = [...path.values()].toSorted((one, other) => one.sequence - other.sequence);
  const isOpen = (row: AuditRow): boolean =>
    ownNumbers.has(row.sequence) || OPEN_ACTIONS.test(row.action) || namesOneOf(row, clipIds);
  let before: AuditRow | undefined;
  const lines = rows.map((row) => {
    const hashBefore =
      before?.sequence === row.sequence - 1
        ? before.hash
        : (reads.rowAt(row.sequence - 1)?.hash ?? hashAt(reads, row));
    before = row;
    const text = rowText(row);
    const shown = isOpen(row) ? text : NOTHING;
    return [
      row.sequence,
      hashBefore === FIRST_HASH ? NOTHING : hashBefore,
      row.hash,
      sha256Of(text),
      shown,
    ].join('\t');
  });
  return { rows: rows.filter(isOpen), lines };
}

/** The hash before the oldest row that is left. */
const hashAt = (reads: AuditReads, { sequence }: AuditRow): string => {
  const { anchor } = reads.ends();
  return anchor?.sequence === sequence - 1 ? anchor.hash : FIRST_HASH;
};

const namesSchema = z.object({ clipIds: z.array(z.string()).default([]) });

/** A command about several clips, one of this incident among them; it is shown when all of them are. */
function namesOneOf({ action, detail }: AuditRow, clipIds: ReadonlySet<string>): boolean {
  if (!action.startsWith('uploads.')) return false;
  const { clipIds: named } = namesSchema.parse(JSON.parse(detail));
  return named.length > 0 && named.every((id) => clipIds.has(id));
}
