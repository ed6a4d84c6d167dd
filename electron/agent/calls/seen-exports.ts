import { join } from 'node:path';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { SeenCounts, SeenExport, SeenPage, SeenState } from '../../../shared/domain/seen-export.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { describeSeen } from '../core/settle/describe-seen.ts';
import { unknownId } from '../queue/retry-clips.ts';
import { parseSeenFacts } from '../store/json-columns.ts';
import type { ListedSeenRow } from '../store/seen-export-rows.ts';
import type { Tables } from '../store/tables.ts';

/** What the windows show of exports that were seen and are not wholly in the queue. */
export interface SeenReads {
  listExports(window: { readonly offset: number; readonly limit: number }): SeenPage;
  /** Errors: NOT_FOUND, also once it is in the queue. */
  getExport(id: string): Result<SeenExport, Failure>;
}

/** Makes the reads over the agent's own connection. */
export function createSeenReads(tables: Pick<Tables, 'seenExports' | 'read'>): SeenReads {
  const { seenExports } = tables;
  return {
    listExports: ({ offset, limit }) =>
      tables.read(() => {
        const counts = seenCounts(seenExports.counts());
        const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
        return { total, counts, rows: seenExports.page(limit, offset).map(seenView) };
      }),
    getExport(id) {
      const cut = id.indexOf('/');
      const row = seenExports.one(id.slice(0, cut), id.slice(cut + 1));
      return row === undefined ? err(unknownId(id)) : ok(seenView(row));
    },
  };
}

/** Counts by state, with the states that are missing. */
export function seenCounts(
  rows: readonly { readonly state: SeenState; readonly found: number }[],
): SeenCounts {
  const of = (state: SeenState): number => rows.find((row) => row.state === state)?.found ?? 0;
  return {
    held: of('held'),
    unrecognised: of('unrecognised'),
    reading: of('reading'),
    writing: of('writing'),
    settling: of('settling'),
    copy: of('copy'),
    missing: of('missing'),
    onHold: of('onHold'),
    ignored: of('ignored'),
  };
}

/** A row as it is shown. */
export function seenView(row: ListedSeenRow): SeenExport {
  const facts = parseSeenFacts(row.facts);
  const settlesAt = row.settlesAt === null ? undefined : new Date(row.settlesAt).toISOString();
  return {
    id: `${row.rootId}/${row.exportPath}`,
    name: row.exportPath,
    folder: join(row.rootPath, row.exportPath),
    state: row.state,
    since: new Date(row.since).toISOString(),
    facts,
    ...describeSeen(row.state, row.exportPath, facts),
    ...knownFields<Partial<SeenExport>>({ settlesAt, incidentId: row.incidentId }),
  };
}
