import type { Failure } from '../../../shared/domain/failure.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import { withIds } from '../core/request-ids.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { JobRow } from '../store/job-rows.ts';
import { parseFailure, parseNumbers } from '../store/json-columns.ts';
import type { Tables } from '../store/tables.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import { type JobOutcome, notBegun, serviceOutcome, type Step } from '../queue/outcome.ts';
import { type ClipResults, orphanUpload } from '../queue/clip-results.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { Clock } from '../ports.ts';
import { etagsToComplete } from './large-upload.ts';

/** What completing needs. */
export interface CompleteDeps {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly results: ClipResults;
  readonly clock: Pick<Clock, 'now'>;
}

/** An upload whose parts are all with storage. */
interface SentUpload {
  readonly job: JobRow;
  readonly clip: ClipRow;
  readonly upload: MultipartRow;
  readonly sha256: string;
  /** Change time of the file after its last byte was read. */
  readonly ctimeNs: string;
}

/**
 * Completes an upload. That it was asked for is stored first: when the answer is lost the same call is made again, and
 * only an upload that the service does not know any more is begun anew (service.md gap 15). `end` aborts at the end of
 * the run only: a person's command waits for the answer, because without it a whole clip would be sent again, or left
 * behind in storage.
 */
export async function completeUpload(
  deps: CompleteDeps,
  { job, clip, upload, sha256, ctimeNs }: SentUpload,
  signal: AbortSignal,
  end: AbortSignal,
): Promise<JobOutcome> {
  const { tables, api, groupCommit, circuits, results } = deps;
  const etags = etagsToComplete(upload, tables.parts.ofClip(clip.id));
  if (etags === undefined) return startAnew(deps, clip, { failure: incomplete(clip.path) });
  if (signal.aborted) return { kind: 'interrupted' };
  if (!circuits.mayCall('complete', clip.id)) return notBegun;
  await groupCommit.commit(() => tables.multiparts.completing(clip.id));
  const handle = { storage_key: upload.storageKey, upload_id: upload.uploadId };
  const answer = await api.completeMultipartUpload(clip.incidentId, handle, etags, end);
  if (!answer.ok) return completeProblem(deps, { job, clip, upload }, answer.error, signal);
  if (answer.value.storage_key !== upload.storageKey)
    return { kind: 'refused', step: 'complete', failure: otherKey(clip.path) };
  circuits.succeeded('complete', clip.id);
  const proof = { startedAt: job.leasedAt, ctimeNs, ...withIds(answer.requestIds) };
  return {
    kind: 'done',
    commit: () => results.clipUploaded(clip.id, upload.storageKey, sha256, upload, proof),
  };
}

/** 404 and 410: unknown there. 400, 409, 412, 422: the store does not accept these parts; they are sent again. */
const beginAgainStatuses = new Set([400, 404, 409, 410, 412, 422]);

function completeProblem(
  deps: CompleteDeps,
  { job, clip, upload }: Pick<SentUpload, 'job' | 'clip' | 'upload'>,
  failure: Failure,
  signal: AbortSignal,
): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  if (failure.status === undefined || !beginAgainStatuses.has(failure.status)) {
    return serviceOutcome('complete', failure, signal);
  }
  const isUnknown = failure.status === 404 || failure.status === 410;
  const code = isUnknown ? 'STORAGE_NO_UPLOAD' : 'STORAGE_REJECTED';
  const advice =
    'The clip will be uploaded again automatically. If this keeps happening, tell the operator of the service.';
  const refused: Failure = { ...failure, code, retryable: true, advice };
  // Not the clip's doing, however often it happens
  if (isUnknown && mayBeCompleted(job, upload))
    return startAnew(deps, clip, { failure: refused, progressed: true });
  const twice = parseNumbers(deps.tables.live.takenOver(clip.id)?.twice ?? '[]');
  if (!isUnknown && twice.length > 0) return sendTwiceAgain(deps, clip, twice, refused);
  if (!isTimeToStartAnew(deps.circuits, 'complete', clip.id))
    return { kind: 'refused', step: 'complete', failure: refused };
  return startAnew(deps, clip, { step: 'complete', failure: refused });
}

/** A late PUT of what the file was before has overtaken what it is now: only parts that were sent twice can be wrong. */
function sendTwiceAgain(
  { tables }: CompleteDeps,
  { id }: ClipRow,
  twice: readonly number[],
  failure: Failure,
): JobOutcome {
  const commit = (): undefined => {
    for (const number of twice) tables.parts.removeOne(id, number);
    tables.live.judged(id, '[]');
    return undefined;
  };
  return { kind: 'retry', failure, progressed: true, delayMs: 0, commit };
}

/** The last call ended without a word on it, so it may have been carried out: then the upload is rightly unknown now. */
function mayBeCompleted({ failure }: JobRow, { completing }: MultipartRow): boolean {
  return completing === 1 && !beginAgainStatuses.has(parseFailure(failure)?.status ?? 0);
}

/**
 * A service that is in a bad way refuses uploads that it knows well, and a large clip is not to be sent again for each
 * such answer: after the 2nd, 4th, 8th ... such answer in a row.
 */
export function isTimeToStartAnew(circuits: Circuits, step: Step, clipId: string): boolean {
  return Number.isInteger(Math.log2(circuits.refusalsAlike(step, clipId) + 1) || Number.NaN);
}

/** Why a clip begins anew; without a step: for a reason that lies here. */
interface AnewReason {
  readonly step?: Step;
  readonly failure: Failure;
  /** No attempt is counted (default false). */
  readonly progressed?: boolean;
}

/** The clip begins again under the same id; what was sent of it is aborted. */
export function startAnew(
  deps: Pick<CompleteDeps, 'tables' | 'clock'>,
  clip: ClipRow,
  { step, failure, progressed = false }: AnewReason,
): JobOutcome {
  const commit = () => orphanUpload(deps, clip.incidentId, clip.id, failure.code);
  return step === undefined
    ? { kind: 'retry', failure, progressed, commit }
    : { kind: 'refused', step, failure, commit };
}

function incomplete(name: string): Failure {
  return {
    code: 'API_PARTS',
    message: `The parts of ${name} do not add up to the file.`,
    advice: 'The clip will be uploaded again automatically.',
    retryable: true,
  };
}

function otherKey(name: string): Failure {
  return {
    code: 'API_SHAPE',
    message: `Complete multipart upload: the answer has a different storage key for ${name}.`,
    advice: 'It will retry automatically. If this keeps happening, tell the operator of the service.',
    retryable: true,
  };
}
