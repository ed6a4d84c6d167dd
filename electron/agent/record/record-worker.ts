import type { Failure } from '../../../shared/domain/failure.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import { parseKept } from '../service/decode.ts';
import type { Tables } from '../store/tables.ts';
import type { AgentEvents } from '../events.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { ClipResults } from '../queue/clip-results.ts';
import { type AfterCommit, type JobOutcome, serviceOutcome, notBegun } from '../queue/outcome.ts';
import type { Clock, Logger } from '../ports.ts';
import { isGoneThere, isUnknownThere, runCheckIncident, runConfirmRecord } from './check-incident.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';
import { sentDetailsSchema, videoListsSchema, type WireIncident } from '../../../shared/service/incident.ts';
import {
  buildIncidentRecord,
  changedDetails,
  incidentDetails,
  foreignVideos,
  lacksTitle,
  wholeDetails,
  type RecordClip,
  type RemoteVideos,
  type WireDetails,
} from '../core/records/incident-record.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { DeskId } from '../../../shared/domain/ids.ts';
import { incidentIdOf } from '../core/records/derived-ids.ts';
import { withIds } from '../core/text/redact.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { IncidentRow } from '../store/incident-rows.ts';
import { alterationText } from '../core/settle/settle-rule.ts';
import { parseAltered, parseFailure } from '../store/json-columns.ts';
import { adoptListed, type ListedDeps } from '../queue/listed-clips.ts';

interface Deps extends ListedDeps {
  readonly api: VmsIncidents;
  readonly queue: IncidentQueue;
  readonly clock: Clock;
  readonly events: AgentEvents;
  readonly circuits: Circuits;
  readonly deskId: DeskId;
  /** How often in a row each record was rewritten because it had been overwritten. */
  readonly restored: Map<string, number>;
  /**
   * `erases`: the response to a PUT lacked the title that the PUT left out, so it may have been erased; `unanswered`:
   * incidents whose earlier PUT got no answer.
   */
  readonly seen: { erases: boolean; readonly unanswered: Set<string> };
}

/**
 * Writes the incident to the service as it is now. It is read there first: videos that others listed since stay, those
 * they removed stay removed. A write of theirs between this GET and this PUT is overwritten: the service has no
 * condition that could prevent it. Another desk notices that when it confirms its record, and lists its clips again.
 * Safe to run twice: the body contains the whole row, and a version that changes meanwhile makes the job due again
 * (service.md gaps 13 and 14).
 */
export async function runPutIncident(deps: Deps, job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
  const { tables, api, circuits, seen } = deps;
  const found = await api.get(job.subject, signal);
  if (!found.ok && !isUnknownThere(found.error)) return serviceOutcome('get', found.error, signal);
  circuits.succeeded('get', job.subject);
  await tables.held();
  const incident = tables.incidents.byId(job.subject);
  if (incident === undefined) return { kind: 'done' };
  if (!circuits.mayCall('put', incident.id)) return notBegun;
  if (found.ok) tables.writeUnsynced(() => adoptListed(deps, incident.id, found.value));
  const clips = tables.clips.ofIncident(incident.id);
  const details = incidentDetails(incident);
  // If the incident was deleted there, its details are gone too
  const changed = changedDetails(details, found.ok ? sentDetails(incident) : {});
  const ours = recordClips(tables, incident.id, clips);
  const there = found.ok ? listsOf(found.value) : remoteVideos(incident);
  // Nothing may be listed that a power cut could still undo
  await tables.synced();
  const put = (isWhole: boolean) => {
    const toSend = isWhole && found.ok ? wholeDetails(changed, details, found.value) : changed;
    return api.put(incident.id, buildIncidentRecord(incident, toSend, ours, there), signal);
  };
  // Whether a PUT erases what it leaves out shows only afterwards, if at all (service.md gap 13)
  const isUntitled = found.ok && lacksTitle(found.value);
  let answer = await put(seen.erases || isUntitled);
  if (answer.ok && found.ok && !isUntitled && !seen.erases && lacksTitle(answer.value)) {
    seen.erases = true;
    answer = await put(true);
  }
  if (!answer.ok) {
    if (mayComeLate(answer.error)) seen.unanswered.add(incident.id);
    return serviceOutcome('put', answer.error, signal);
  }
  circuits.succeeded('put', incident.id);
  return {
    kind: 'done',
    commit() {
      tables.incidents.seenThere(incident.id, JSON.stringify(foreignVideos(ours, there)));
      const written = { kind: 'told', version: incident.version, ...withIds(answer.requestIds) } as const;
      const row = { at: deps.clock.now(), startedAt: job.leasedAt, facts: written };
      tables.history.incident(incident.id, row);
      const announce = storeSynced(deps, incident, JSON.stringify(details), clips);
      const wasUnanswered = seen.unanswered.delete(incident.id);
      if (wasUnanswered || isWrittenByOthers(deps, incident, foreignVideos(ours, there)))
        deps.queue.confirmLater(incident.id);
      return () => {
        announce();
        if (clips.every((clip) => clip.state !== 'queued'))
          warnOfListing(deps.events, incident, ours, there, answer.value);
      };
    },
  };
}

/** Whether the outcome is unknown: the service may store it after the next one, which it would then overwrite. */
const mayComeLate = ({ status }: Failure): boolean => status === undefined || status >= 500;

/** Whether another client knows the incident: it shares the id, got it from the exporter, or has listed something. */
function isWrittenByOthers(
  { deskId, isShared = false }: Pick<Deps, 'deskId' | 'isShared'>,
  { id, rootId, exportPath, birthMs }: IncidentRow,
  { uploaded, failed }: RemoteVideos,
): boolean {
  return (
    isShared ||
    uploaded.length + failed.length > 0 ||
    id !== incidentIdOf(deskId, rootId, exportPath, birthMs)
  );
}

/** Warns if the service lists a clip twice before this PUT, or does not list one that it has just accepted. */
function warnOfListing(
  events: AgentEvents,
  { title }: IncidentRow,
  ours: readonly RecordClip[],
  before: RemoteVideos,
  after: WireIncident,
): void {
  const sent = ours.filter((clip) => clip.state === 'uploaded').map((clip) => clip.id);
  const times = (id: string): number => before.uploaded.filter((video) => video.id === id).length;
  const twice = sent.filter((id) => times(id) > 1).length;
  if (twice > 0) {
    const message = `The service listed ${twice === 1 ? '1 clip' : `${twice} clips`} of the incident "${visibleName(title)}" more than once. ${twice === 1 ? 'It is' : 'Each is'} now listed once.`;
    events.emit({ event: 'warning', code: 'SERVER_DUPLICATE', message });
  }
  // An answer without a list says nothing
  const listed = new Set(after.uploaded_videos?.map((video) => video.id) ?? sent);
  const missing = sent.filter((id) => !listed.has(id)).length;
  if (missing > 0) {
    const message = `The service accepted the incident "${visibleName(title)}" but does not list ${missing === 1 ? '1 clip that was sent. It is' : `${missing} clips that were sent. They are`} in storage; tell the operator of the service.`;
    events.emit({ event: 'warning', code: 'UPLOAD_UNCONFIRMED', message });
  }
}

function storeSynced(
  deps: Deps,
  incident: IncidentRow,
  details: string,
  clips: readonly ClipRow[],
): () => void {
  const { tables, clock, events } = deps;
  tables.incidents.synced(incident.id, clock.now(), incident.version, details);
  const isWhole = clips.every((clip) => clip.state !== 'queued');
  deps.queue.arm(incident.id, isWhole ? 'afterInterval' : 'atOnce');
  const count = (state: ClipRow['state']) => clips.filter((clip) => clip.state === state).length;
  return () =>
    events.emit({
      event: 'incident.synced',
      incidentId: incident.id,
      title: incident.title,
      uploaded: count('uploaded'),
      failed: count('failed'),
      pending: count('queued'),
    });
}

function recordClips(tables: Tables, incidentId: string, clips: readonly ClipRow[]): readonly RecordClip[] {
  const images = new Map(tables.thumbnails.ofIncident(incidentId).map((image) => [image.clipId, image]));
  return clips.map((clip) => {
    const failure = parseFailure(clip.failure);
    return {
      ...clip,
      thumbnailKey: images.get(clip.id)?.storageKey ?? null,
      warningText: clip.altered === null ? undefined : alterationText(parseAltered(clip.altered)),
      failureText: failure === undefined ? undefined : `${failure.message} ${failure.advice}`,
    };
  });
}

function listsOf({ uploaded_videos: uploaded, failed_videos: failed }: WireIncident): RemoteVideos {
  return { uploaded: uploaded ?? [], failed: failed ?? [] };
}

/** What others had listed when the service was last asked; used if it no longer knows the incident. */
function remoteVideos(incident: IncidentRow): RemoteVideos {
  if (incident.remoteVideos === null) return { uploaded: [], failed: [] };
  return videoListsSchema.parse(parseKept(incident.remoteVideos));
}

function sentDetails(incident: IncidentRow): WireDetails {
  return incident.sentDetails === null ? {} : sentDetailsSchema.parse(JSON.parse(incident.sentDetails));
}

/** Two records at once: enough to keep the control room current, few enough to leave the bandwidth to the clips. */
const SLOTS = 2;
/** Additional records while some wait for an answer that does not come. */
const SPARE_SLOTS = 4;
/** Refusals in a row after which a person is notified of a record while others pass. */
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
  /** The desk, or the site that several desks share (service.md gap 11). */
  readonly deskId: DeskId;
  readonly isShared?: boolean;
}

/** The worker for calls to the service that transfer no files: checks, PUTs, aborts. */
export function createRecordWorker(deps: RecordDeps): PoolWorker {
  const recordDeps = {
    ...deps,
    restored: new Map<string, number>(),
    seen: { erases: false, unanswered: new Set<string>() },
  };

  async function runOne(job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
    if (job.kind === 'check-incident') return runCheckIncident(deps, job, signal);
    if (job.kind === 'abort-upload') return runAbortUpload(deps, job, signal);
    if (job.kind === 'confirm-record') return runConfirmRecord(recordDeps, job, signal);
    return runPutIncident(recordDeps, job, signal);
  }

  return {
    pool: 'record',
    slots: SLOTS,
    spareSlots: SPARE_SLOTS,
    batchSize: 1,
    steps: {
      'check-incident': ['get'],
      'put-incident': ['get', 'put'],
      'confirm-record': ['get'],
      'abort-upload': ['abort'],
    },
    async run(jobs, settle, { signal }) {
      for (const job of jobs) await settle(job, await runOne(job, signal));
    },
    onGivenUp: (job, failure) => giveUp(deps, job, failure),
    onRetry: () => undefined,
    onRefused(job, { code, message }, times) {
      if (job.kind === 'abort-upload' || job.kind === 'confirm-record' || times !== TOLD_AFTER)
        return undefined;
      return () => deps.events.emit({ event: 'warning', code, message });
    },
  };
}

/** A record that the service refuses is shown with its reason; clips that were still to be sent fail with it. */
function giveUp(deps: RecordDeps, job: JobRow, failure: Failure): AfterCommit {
  // The orphan stays in the ledger as open; `retry --all` tries again.
  if (job.kind === 'abort-upload') return undefined;
  // The next PUT is followed by another check; if this job stayed, it would keep the incident in the database
  if (job.kind === 'confirm-record')
    return () => void deps.tables.write(() => deps.tables.jobs.remove(job.id));
  deps.tables.incidents.fail(job.incidentId, JSON.stringify(failure));
  // Nothing of an incident is sent before the service was asked about it, so its clips are not left waiting silently
  const announce =
    job.kind === 'check-incident' ? deps.results.incidentGivenUp(job.incidentId, failure) : undefined;
  return () => {
    deps.events.emit({ event: 'warning', code: failure.code, message: failure.message });
    announce?.();
  };
}

/** Aborts an orphan at the service. Safe to run twice: an upload that is unknown there counts as aborted. */
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
  if (!answer.ok && !isGoneThere(answer.error)) return serviceOutcome('abort', answer.error, signal);
  deps.circuits.succeeded('abort', job.subject);
  return {
    kind: 'done',
    commit: () => void tables.orphans.end(orphan.id, answer.ok ? 'aborted' : 'unknown there', clock.now()),
  };
}
