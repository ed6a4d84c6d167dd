import { MOST_HANDED_OVER, type HandedFailure, type Handover } from '../../../shared/domain/handover.ts';
import { knownFields } from '../../../shared/lib/known-fields.ts';
import { parseFailure } from '../store/json-columns.ts';
import type { ShiftFailureRow } from '../store/status-reads.ts';
import type { Tables } from '../store/tables.ts';
import { iso } from './clip-details.ts';
import type { UploadReads } from './upload-reads.ts';

/** Reads what one shift tells the next, as one moment of the database. `sinceMs` and `nowMs` since 1970. */
export function readHandover(
  tables: Pick<Tables, 'clips' | 'incidents' | 'read' | 'shifts'>,
  reads: Pick<UploadReads, 'listExports' | 'listIncidents'>,
  sinceMs: number,
  nowMs: number,
): Handover {
  const { clips, incidents, shifts } = tables;
  return tables.read(() => {
    const since = new Date(sinceMs).toISOString();
    const newest = reads.listIncidents({
      sort: 'createdAt',
      order: 'descending',
      offset: 0,
      limit: MOST_HANDED_OVER,
    });
    const totals = clips.totals();
    const queued = totals.find(({ state }) => state === 'queued');
    const failed = totals.find(({ state }) => state === 'failed');
    const { total, rows } = reads.listExports({ offset: 0, limit: MOST_HANDED_OVER });
    return {
      since,
      at: new Date(nowMs).toISOString(),
      arrived: {
        incidents: shifts.arrivedSince(sinceMs),
        rows: newest.rows.filter(({ createdAt }) => createdAt >= since),
      },
      sent: shifts.sentSince(sinceMs),
      failed: {
        clips: failed?.clips ?? 0,
        records: incidents.countRefused(),
        leftOut: shifts.leftOutSince(sinceMs),
        rows: [...shifts.refusedRecords(MOST_HANDED_OVER), ...shifts.failedClips(MOST_HANDED_OVER)]
          .slice(0, MOST_HANDED_OVER)
          .map(failureView),
      },
      waiting: { clips: queued?.clips ?? 0, bytes: queued?.bytes ?? 0, ...unsent(reads) },
      exports: { total, rows },
    };
  });
}

/** Incidents of which something is still to be sent and nothing needs a person. */
function unsent({ listIncidents }: Pick<UploadReads, 'listIncidents'>) {
  const pages = (['uploading', 'waiting', 'paused'] as const).map((state) =>
    listIncidents({ state, sort: 'createdAt', order: 'ascending', offset: 0, limit: MOST_HANDED_OVER }),
  );
  return {
    incidents: pages.reduce((sum, { total }) => sum + total, 0),
    rows: pages.flatMap(({ rows }) => rows).slice(0, MOST_HANDED_OVER),
  };
}

function failureView({ incidentId, title, clipId, path, cameraName, failure, failedAt }: ShiftFailureRow) {
  return {
    incidentId,
    title,
    ...knownFields<Partial<HandedFailure>>({
      clipId,
      file: path,
      camera: cameraName,
      failure: parseFailure(failure),
      failedAt: iso(failedAt),
    }),
  };
}
