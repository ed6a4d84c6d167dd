import type { Failure } from '../../../shared/domain/failure.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import type { Tables } from '../store/tables.ts';
import type { AgentEvents } from '../events.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { ClipResults } from '../queue/clip-results.ts';
import { type AfterCommit, type JobOutcome, serviceOutcome } from '../queue/outcome.ts';
import type { Clock, Logger } from '../ports.ts';
import { runCheckIncident } from './check-incident.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import { runPutIncident } from './put-incident.ts';

/** Two records at once: enough to keep the control room current, few enough to leave the line to the clips. */
const SLOTS = 2;
/** Records more while some wait for an answer that does not come. */
const SPARE_SLOTS = 4;
/** Refusals in a row after which a person is told of a record that others pass. */
const TOLD_AFTER = 3;

export interface RecordDeps {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly queue: IncidentQueue;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
  readonly results: Pick<ClipResults, 'incidentGivenUp'>;
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
    spareSlots: SPARE_SLOTS,
    batchSize: 1,
    steps: { 'check-incident': ['get'], 'put-incident': ['get', 'put'], 'abort-upload': ['abort'] },
    async run(jobs, settle, signal) {
      for (const job of jobs) await settle(job, await runOne(job, signal));
    },
    onGivenUp: (job, failure) => giveUp(deps, job, failure),
    onRetry: () => undefined,
    onRefused(job, { code, message }, times) {
      if (job.kind === 'abort-upload' || times !== TOLD_AFTER) return undefined;
      return () => deps.events.emit({ event: 'warning', code, message });
    },
  };
}

/** A record that the service refuses is shown with its reason; clips that were still to be sent fail with it. */
function giveUp(deps: RecordDeps, job: JobRow, failure: Failure): AfterCommit {
  // The orphan stays in the ledger as open; `retry --all` tries again.
  if (job.kind === 'abort-upload') return undefined;
  deps.tables.incidents.fail(job.incidentId, JSON.stringify(failure));
  // Nothing is sent of an incident that the service was not asked about, so its clips are not left waiting without a word
  const announce =
    job.kind === 'check-incident' ? deps.results.incidentGivenUp(job.incidentId, failure) : undefined;
  return () => {
    deps.events.emit({ event: 'warning', code: failure.code, message: failure.message });
    announce?.();
  };
}

/** Aborts an orphan at the service. Safe to run twice: an upload that is unknown there is as good as aborted. */
async function runAbortUpload(
  deps: Pick<RecordDeps, 'tables' | 'api' | 'clock' | 'circuits'>,
  job: JobRow,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { tables, clock } = deps;
  const orphan = tables.orphans.byId(Number(job.subject));
  if (orphan === undefined || orphan.endedAt !== null) return { kind: 'done' };
  const handle = { storage_key: orphan.storageKey, upload_id: orphan.uploadId };
  const answer = await deps.api.abortMultipartUpload(orphan.incidentId, handle, signal);
  const isGone = !answer.ok && (answer.error.status === 404 || answer.error.status === 410);
  if (!answer.ok && !isGone) return serviceOutcome('abort', answer.error, signal);
  deps.circuits.succeeded('abort', job.subject);
  return {
    kind: 'done',
    commit: () => void tables.orphans.end(orphan.id, answer.ok ? 'aborted' : 'unknown there', clock.now()),
  };
}
