import type { VmsIncidents } from '../service/vms-incidents.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { JobOutcome } from '../queue/outcome.ts';
import { serviceOutcome } from '../queue/service-outcome.ts';
import type { Clock } from '../ports.ts';

interface Parts {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly clock: Clock;
}

/** Aborts an orphan at the service. Safe to run twice: an upload that is unknown there is as good as aborted. */
export async function runAbortUpload(parts: Parts, job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
  const { tables, clock } = parts;
  const orphan = tables.orphans.byId(Number(job.subject));
  if (orphan === undefined || orphan.endedAt !== null) return { kind: 'done' };
  const handle = { storage_key: orphan.storageKey, upload_id: orphan.uploadId };
  const answer = await parts.api.abortMultipartUpload(orphan.incidentId, handle, signal);
  const isGone = !answer.ok && (answer.error.status === 404 || answer.error.status === 410);
  if (!answer.ok && !isGone) return serviceOutcome(answer.error, signal);
  return {
    kind: 'done',
    commit: () => void tables.orphans.end(orphan.id, answer.ok ? 'aborted' : 'unknown there', clock.now()),
  };
}
