import { z } from 'zod';
import { ACTIVITY_SCANNED, type Activity, type ActivityEntry } from '../../../shared/ipc/calls/health.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import type { AuditRow } from '../store/audit-rows.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';

const text = z.string().optional().catch(undefined);
const count = z.int().min(0).optional().catch(undefined);

/** What of a row's facts is told; a row that somebody changed tells nothing. */
const detailSchema = z.object({
  state: z.enum(['asked', 'done', 'refused', 'broken']).optional().catch(undefined),
  of: count,
  incidentId: text,
  clipId: text,
  title: text,
  path: text,
  sizeBytes: count,
  code: text,
  clips: count,
  incidents: count,
  folders: count,
});
type Detail = z.infer<typeof detailSchema>;

/** Longest row that is shown whole, characters: a clip of 10,000 parts names each of them. */
const MOST_DETAIL = 2000;
const HASH_SHOWN = 16;

type ReadTables = Pick<Tables, 'clips' | 'incidents' | 'read'> & {
  readonly audit: Pick<Tables['audit'], 'between' | 'ends' | 'rowAt'>;
};

/** The newest rows of the chain that stand before a number, with the names of what they are about. */
export function readActivity(tables: ReadTables, before: number | undefined): Activity {
  return tables.read(() => {
    const { anchor, tail } = tables.audit.ends();
    const to = before === undefined ? (tail?.sequence ?? 0) : before - 1;
    const from = Math.max((anchor?.sequence ?? 0) + 1, to - ACTIVITY_SCANNED + 1);
    const rows = to < from ? [] : tables.audit.between(from, to);
    const nameIncident = remembered((id) => tables.incidents.byId(id)?.title);
    return {
      entries: rows.map((row) => entryOf(row, tables, nameIncident)).toReversed(),
      ...(from > (anchor?.sequence ?? 0) + 1 && { before: from }),
    };
  });
}

function entryOf(
  row: AuditRow,
  { audit, clips }: ReadTables,
  nameIncident: (id: string) => string | undefined,
): ActivityEntry {
  const own = readDetail(row.detail);
  const asked = own.state === 'done' && own.of !== undefined ? audit.rowAt(own.of) : undefined;
  // What a command was about stands in the row with which it began
  const detail: Detail = { ...(asked === undefined ? {} : readDetail(asked.detail)), ...defined(own) };
  const { incidentId, clipId, code } = detail;
  const clip = clipId === undefined || code === undefined ? undefined : clips.byId(clipId);
  const failure = parseFailure(clip?.failure ?? null);
  return {
    sequence: row.sequence,
    at: new Date(row.at).toISOString(),
    account: row.account,
    action: row.action,
    detail: row.detail.length > MOST_DETAIL ? `${row.detail.slice(0, MOST_DETAIL)}…` : row.detail,
    hash: row.hash.slice(0, HASH_SHOWN),
    ...knownFields<Partial<ActivityEntry>>({
      state: detail.state,
      incidentId,
      clipId,
      title: (incidentId === undefined ? undefined : nameIncident(incidentId)) ?? detail.title,
      file: detail.path,
      sizeBytes: detail.sizeBytes,
      named: detail.clips ?? detail.incidents ?? detail.folders,
      code,
      reason: failure?.code === code ? failure?.message : undefined,
    }),
  };
}

function readDetail(json: string): Detail {
  try {
    return detailSchema.parse(JSON.parse(json));
  } catch {
    return {};
  }
}

const defined = (detail: Detail): Detail =>
  Object.fromEntries(Object.entries(detail).filter(([, value]) => value !== undefined));

function remembered(read: (id: string) => string | undefined): (id: string) => string | undefined {
  const known = new Map<string, string | undefined>();
  return (id) => {
    if (!known.has(id)) known.set(id, read(id));
    return known.get(id);
  };
}
