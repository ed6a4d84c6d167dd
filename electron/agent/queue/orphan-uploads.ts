import type { Clock } from '../ports.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { Tables } from '../store/tables.ts';
import { PRIORITY } from './incident-jobs.ts';

/**
 * Moves the clip's open multipart upload to the orphans; a job tries to abort it until the service has answered
 * (service.md gap 16). Call inside a transaction.
 */
export function orphanUpload(
  { tables, clock }: { readonly tables: Tables; readonly clock: Pick<Clock, 'now'> },
  incidentId: string,
  clipId: string,
  reason: string,
): undefined {
  const upload = tables.multiparts.byClip(clipId);
  if (upload === undefined) return undefined;
  const { storageKey, uploadId } = upload;
  orphanHandle({ tables, clock }, { incidentId, clipId, storageKey, uploadId }, reason);
  tables.multiparts.remove(clipId);
  return undefined;
}

/** As `orphanUpload`, for an upload that has no row at its clip. */
export function orphanHandle(
  { tables, clock }: { readonly tables: Tables; readonly clock: Pick<Clock, 'now'> },
  upload: Pick<MultipartRow, 'clipId' | 'storageKey' | 'uploadId'> & Pick<ClipRow, 'incidentId'>,
  reason: string,
): void {
  const now = clock.now();
  const id = tables.orphans.insert({ ...upload, reason, createdAt: now });
  tables.jobs.put({
    kind: 'abort-upload',
    subject: String(id),
    pool: 'record',
    incidentId: upload.incidentId,
    state: 'ready',
    priority: PRIORITY.later,
    dueAt: now,
    createdAt: now,
  });
}
