import type { Failure } from '../../../shared/domain/failure.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import type { Tables } from '../store/tables.ts';
import type { AgentEvents } from '../events.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { AfterCommit, JobOutcome } from '../queue/outcome.ts';
import type { Clock, Logger } from '../ports.ts';
import { runAbortUpload } from './abort-upload.ts';
import { runCheckIncident } from './check-incident.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import { runPutIncident } from './put-incident.ts';

/** Two records at once: enough to keep the control room current, few enough to leave the line to the clips. */
const SLOTS = 2;

interface Parts {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly queue: IncidentQueue;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: AgentEvents;
}

/** The worker for calls of the service that move no bytes: checks, PUTs, aborts. */
export function createRecordWorker(parts: Parts): PoolWorker {
  async function runOne(job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
    if (job.kind === 'check-incident') return runCheckIncident(parts, job, signal);
    if (job.kind === 'abort-upload') return runAbortUpload(parts, job, signal);
    return runPutIncident(parts, job, signal);
  }

  return {
    pool: 'record',
    slots: SLOTS,
    batchSize: 1,
    circuits: ['service'],
    async run(jobs, settle, signal) {
      for (const job of jobs) {
        const outcome = await runOne(job, signal);
        if (outcome.kind === 'done') parts.circuits.succeeded('service');
        await settle(job, outcome);
      }
    },
    onGivenUp: (job, failure) => giveUp(parts, job, failure),
    onTrouble: () => undefined,
  };
}

/** A record that the service refuses is shown with its reason; its clips are safe in storage. */
function giveUp(parts: Parts, job: JobRow, failure: Failure): AfterCommit {
  // The orphan stays in the ledger as open; `retry --all` tries again.
  if (job.kind === 'abort-upload') return undefined;
  parts.tables.incidents.fail(job.incidentId, JSON.stringify(failure));
  return () => parts.events.emit({ event: 'warning', code: failure.code, message: failure.message });
}
