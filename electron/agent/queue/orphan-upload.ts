import type { Clock } from '../ports.ts';
import type { Tables } from '../store/tables.ts';
import { PRIORITY } from './incident-jobs.ts';

/**
 * Enters the clip's open multipart upload into the ledger of orphans and forgets it as the clip's own; a job
 * aborts it until the service has answered (service.md gap 16). To be called inside a transaction.
 */
export function orphanUpload(
  { tables, clock }: { readonly tables: Tables; readonly clock: Pick<Clock, 'now'> },
  incidentId: string,
  clipId: string,
  reason: string,
): undefined {
  const upload = tables.multiparts.byClip(clipId);
  if (upload === undefined) return undefined;
  const now = clock.now();
  const { storageKey, uploadId } = upload;
  const id = tables.orphans.insert({ incidentId, clipId, storageKey, uploadId, reason, createdAt: now });
  tables.multiparts.remove(clipId);
  tables.jobs.put({
    kind: 'abort-upload',
    subject: String(id),
    pool: 'record',
    incidentId,
    state: 'ready',
    priority: PRIORITY.later,
    dueAt: now,
    createdAt: now,
  });
  return undefined;
}
