import type { Failure } from '../../../shared/domain/failure.ts';
import type { WireIncident } from '../../../shared/service/incident.ts';
import type { Answered, VmsIncidents } from '../service/vms-incidents.ts';
import { incidentDetails, type WireDetails } from '../core/records/incident-record.ts';
import { withIds } from '../core/text/redact.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { parseOrigins } from '../store/json-columns.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type JobOutcome, serviceOutcome } from '../queue/outcome.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import { adoptListed, type ListedDeps } from '../queue/listed-clips.ts';

interface Deps extends ListedDeps {
  readonly api: VmsIncidents;
  readonly queue: IncidentQueue;
  readonly circuits: Circuits;
}

/**
 * Asks the service what it already has of an incident that is new in this database. After a lost database, the same ids
 * are derived again (service.md gap 11), and what is already there is not sent twice. Safe to run twice: it only reads,
 * and stores the same facts.
 */
export async function runCheckIncident(deps: Deps, job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
  const answer = await deps.api.get(job.subject, signal);
  if (!answer.ok && !isUnknownThere(answer.error)) return serviceOutcome('get', answer.error, signal);
  deps.circuits.succeeded('get', job.subject);
  return { kind: 'done', commit: () => storeAnswer(deps, job, answer) };
}

/** A record is rewritten at most this often before it is seen to list everything. */
const MOST_RESTORED = 3;

/** How often in a row each record was rewritten because it had been overwritten. */
interface Restored {
  readonly restored: Map<string, number>;
}

/**
 * Checks, some time after a PUT, whether the record still lists our clips: another client that had read it before that
 * PUT may have overwritten it. The record is then due again, with what that client listed, but only a few times: a
 * service may never list them. Safe to run twice: it reads, and makes a PUT due.
 */
export async function runConfirmRecord(
  deps: Deps & Restored,
  job: JobRow,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { tables, restored } = deps;
  const found = await deps.api.get(job.subject, signal);
  if (!found.ok && !isGoneThere(found.error)) return serviceOutcome('get', found.error, signal);
  deps.circuits.succeeded('get', job.subject);
  // An incident that was deleted there is recreated by the next change here, not by this check
  if (!found.ok) return { kind: 'done' };
  const { uploaded_videos: uploaded, failed_videos: failed } = found.value;
  const listed = new Set([...(uploaded ?? []), ...(failed ?? [])].map(({ id }) => id));
  return {
    kind: 'done',
    commit() {
      const clips = tables.clips.ofIncident(job.subject).filter(({ state }) => state !== 'queued');
      const times = restored.get(job.subject) ?? 0;
      if (clips.every(({ id }) => listed.has(id))) return void restored.delete(job.subject);
      if (times >= MOST_RESTORED) return undefined;
      restored.set(job.subject, times + 1);
      deps.logger.info('Another client overwrote an incident in the service; it is being sent again', {
        incident: job.subject,
      });
      deps.queue.touch(job.subject);
      return undefined;
    },
  };
}

/** Whether the service has no such incident. One that was deleted there (410) is not silently recreated. */
export function isUnknownThere({ status }: Failure): boolean {
  return status === 404;
}

/** Whether the service has nothing to read or abort: it never existed there or was deleted. */
export function isGoneThere(failure: Failure): boolean {
  return isUnknownThere(failure) || failure.status === 410;
}

function storeAnswer(deps: Deps, job: JobRow, answer: Answered<WireIncident>): undefined {
  const { tables, clock } = deps;
  const incidentId = job.subject;
  const now = clock.now();
  const ids = withIds(answer.ok ? answer.requestIds : answer.error.requestIds);
  tables.history.incident(incidentId, {
    at: now,
    startedAt: job.leasedAt,
    facts: { kind: 'checked', isKnown: answer.ok, ...ids },
  });
  const uploaded = answer.ok ? (answer.value.uploaded_videos ?? []) : [];
  const failed = answer.ok ? (answer.value.failed_videos ?? []) : [];
  adoptListed(deps, incidentId, { uploaded_videos: uploaded });
  const incident = tables.incidents.byId(incidentId);
  const remote = answer.ok ? JSON.stringify({ uploaded, failed }) : null;
  // Details that the service has stay unchanged: only those it lacks and later changes made here are sent
  const first =
    answer.ok && incident !== undefined ? JSON.stringify(derivedDetails(incident, answer.value)) : null;
  const sent = incident?.sentDetails ?? first;
  tables.incidents.checked(incidentId, now, remote, sent);
  tables.jobs.unblock(incidentId);
  deps.queue.arm(incidentId);
}

/**
 * The details without those still to be sent: the ones that the service lacks, and ones that a person set here before
 * it was asked.
 */
function derivedDetails(incident: IncidentRow, there: WireIncident): WireDetails {
  const origins = parseOrigins(incident.sources);
  const edited = new Set(
    Object.entries(origins).flatMap(([field, { source }]) => (source === 'person' ? [field] : [])),
  );
  if (edited.delete('incidentAt')) edited.add('incident_at');
  const known = new Map<string, unknown>(Object.entries(there));
  const derived = Object.entries(incidentDetails(incident)).filter(
    ([name]) => !edited.has(name) && known.get(name) != null,
  );
  return Object.fromEntries(derived);
}
