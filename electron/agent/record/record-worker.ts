import type { Failure } from '../../../shared/domain/failure.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import type { Tables } from '../store/tables.ts';
import type { AgentEvents } from '../events.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type AfterCommit, type JobOutcome, serviceOutcome } from '../queue/outcome.ts';
import type { Clock, Logger } from '../ports.ts';
import { runCheckIncident } from './check-incident.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import { runPutIncident } from './put-incident.ts';

/** Two records at once: enough to keep the control room current, few enough to leave the line to the clips. */
const SLOTS = 2;

export interface RecordDeps {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly queue: IncidentQueue;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
}

/** The worker for calls of the service that move no bytes: checks, PUTs, aborts. */
export function createRecordWorker(deps: RecordDeps): PoolWorker {
  async function runOne(job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
    if (job.kind === 'check-incident') return runCheckIncident(deps, job, signal);
    if (job.kind === 'abort-upload') return runAbortUpload(deps, job, signal);
    return runPutIncident(deps, job, signal);
  }

  return {
    pool: 'record',
    slots: SLOTS,
    batchSize: 1,
    circuits: ['service'],
    async run(jobs, settle, signal) {
      for (const job of jobs) {
        const outcome = await runOne(job, signal);
        if (outcome.kind === 'done') deps.circuits.succeeded('service');
        await settle(job, outcome);
      }
    },
    onGivenUp: (job, failure) => giveUp(deps, job, failure),
    onRetry: () => undefined,
  };
}

/** A record that the service refuses is shown with its reason; its clips are safe in storage. */
function giveUp(deps: RecordDeps, job: JobRow, failure: Failure): AfterCommit {
  // The orphan stays in the ledger as open; `retry --all` tries again.
  if (job.kind === 'abort-upload') return undefined;
  deps.tables.incidents.fail(job.incidentId, JSON.stringify(failure));
  return () => deps.events.emit({ event: 'warning', code: failure.code, message: failure.message });
}

/** Aborts an orphan at the service. Safe to run twice: an upload that is unknown there is as good as aborted. */
async function runAbortUpload(
  deps: Pick<RecordDeps, 'tables' | 'api' | 'clock'>,
  job: JobRow,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { tables, clock } = deps;
  const orphan = tables.orphans.byId(Number(job.subject));
  if (orphan === undefined || orphan.endedAt !== null) return { kind: 'done' };
  const handle = { storage_key: orphan.storageKey, upload_id: orphan.uploadId };
  const answer = await deps.api.abortMultipartUpload(orphan.incidentId, handle, signal);
  const isGone = !answer.ok && (answer.error.status === 404 || answer.error.status === 410);
  if (!answer.ok && !isGone) return serviceOutcome(answer.error, signal);
  return {
    kind: 'done',
    commit: () => void tables.orphans.end(orphan.id, answer.ok ? 'aborted' : 'unknown there', clock.now()),
  };
}
