import type { Failure } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import { bareEtag } from './etag-cache.ts';
import { isSameVersion, type FileVersion } from '../core/settle/file-seen.ts';
import { withIds } from '../core/text/redact.ts';
import { planParts, type PartPlan } from '../core/parts/plan-parts.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { Clock } from '../ports.ts';
import type { ClipResults } from '../queue/clip-results.ts';
import { orphanUpload } from '../queue/orphan-uploads.ts';
import type { JobRow } from '../store/job-rows.ts';
import { parseFailure, parseNumbers } from '../store/json-columns.ts';
import { type JobOutcome, notBegun, serviceOutcome, type Step } from '../queue/outcome.ts';

/** How large clips are split; see the settings. */
export interface LargeRules {
  readonly thresholdBytes: number;
  readonly partSizeBytes: number | undefined;
  readonly concurrentParts: number;
}

interface Deps {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly rules: LargeRules;
}

/** The multipart plan of a size: a clip that fell below the threshold since it was queued still goes in parts. */
export function multipartPlan(sizeBytes: number, rules: LargeRules): Exclude<PartPlan, { kind: 'single' }> {
  const plan = planParts(sizeBytes, {
    thresholdBytes: Math.min(rules.thresholdBytes, sizeBytes),
    ...(rules.partSizeBytes === undefined ? {} : { partSizeBytes: rules.partSizeBytes }),
  });
  if (plan.kind === 'single') throw new Error('A file at the threshold must be split into parts');
  return plan;
}

/**
 * The clip's open multipart upload, or a new one. Handle and part plan are stored before the first byte is sent; an
 * upload of another version of the file becomes an orphan. The inode that a share reports does not matter: the parts
 * that storage has are proven by reading the file again.
 */
export async function openMultipart(
  deps: Deps,
  clip: ClipRow,
  version: Pick<FileVersion, 'sizeBytes' | 'mtimeNs'>,
  plan: PartPlan & { kind: 'multipart' },
  signal: AbortSignal,
): Promise<Result<MultipartRow, Failure>> {
  const { tables, api, groupCommit, clock } = deps;
  const existing = tables.multiparts.byClip(clip.id);
  if (existing !== undefined && isSameVersion(existing, version)) return ok(existing);
  const answer = await api.createMultipartUpload(clip.incidentId, clip.id, clip.serviceName, signal);
  if (!answer.ok) return answer;
  deps.circuits.succeeded('create', clip.id);
  await groupCommit.commit(() => {
    orphanUpload(deps, clip.incidentId, clip.id, 'the file changed');
    tables.multiparts.insert({
      clipId: clip.id,
      storageKey: answer.value.storage_key,
      uploadId: answer.value.upload_id,
      partSizeBytes: plan.partSizeBytes,
      partCount: plan.partCount,
      sizeBytes: version.sizeBytes,
      mtimeNs: version.mtimeNs,
      openedAt: clock.now(),
    });
    const { storage_key: storageKey, upload_id: uploadId } = answer.value;
    const ids = withIds(answer.requestIds);
    tables.history.clip(clip.id, {
      at: clock.now(),
      facts: { kind: 'opened', uploadId, storageKey, parts: plan.partCount, ...ids },
    });
  });
  const stored = tables.multiparts.byClip(clip.id);
  if (stored === undefined) throw new Error('The upload that was just stored cannot be found');
  return ok(stored);
}

/**
 * Etags in part order, only when parts 1..N are all present, once each, and their bytes add up to the file: a store may
 * silently complete a shorter object.
 */
export function etagsToComplete(
  upload: MultipartRow,
  rows: readonly PartRow[],
): readonly string[] | undefined {
  const isOrdered = rows.every((row, index) => row.number === index + 1);
  const bytes = rows.reduce((sum, row) => sum + row.sizeBytes, 0);
  if (!isOrdered || rows.length !== upload.partCount || bytes !== upload.sizeBytes) return undefined;
  return rows.map((row) => bareEtag(row.etag));
}

/** What completing needs. */
export interface CompleteDeps {
  readonly tables: Tables;
  readonly api: VmsIncidents;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly results: ClipResults;
  readonly clock: Pick<Clock, 'now'>;
}

/** An upload whose parts storage has all received. */
interface SentUpload {
  readonly job: JobRow;
  readonly clip: ClipRow;
  readonly upload: MultipartRow;
  readonly sha256: string;
  /** Change time of the file after its last byte was read. */
  readonly ctimeNs: string;
}

/**
 * Completes an upload. The request is noted first: when its answer is lost the same call is made again, and only an
 * upload that the service no longer knows starts over (service.md gap 15). `end` aborts only at the end of the run: a
 * person's command waits for the answer, because without it a whole clip would be sent again, or left behind in
 * storage.
 */
export async function completeUpload(
  deps: CompleteDeps,
  { job, clip, upload, sha256, ctimeNs }: SentUpload,
  signal: AbortSignal,
  end: AbortSignal,
): Promise<JobOutcome> {
  const { tables, api, groupCommit, circuits, results } = deps;
  const etags = etagsToComplete(upload, tables.parts.ofClip(clip.id));
  if (etags === undefined) return startNewUpload(deps, clip, { failure: incomplete(clip.path) });
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
  const advice = 'If this still fails after several automatic retries, tell the operator of the service.';
  const refused: Failure = { ...failure, code, retryable: true, advice };
  // Not the clip's fault, however often it happens
  if (isUnknown && mayBeCompleted(job, upload))
    return startNewUpload(deps, clip, { failure: refused, progressed: true });
  const twice = parseNumbers(deps.tables.live.takenOver(clip.id)?.twice ?? '[]');
  if (!isUnknown && twice.length > 0) return sendTwiceAgain(deps, clip, twice, refused);
  if (!isRestartDue(deps.circuits, 'complete', clip.id, failure))
    return { kind: 'refused', step: 'complete', failure: refused };
  return startNewUpload(deps, clip, { step: 'complete', failure: refused });
}

/** Sends parts again that were sent twice: only there can a late PUT of old bytes have overwritten the new ones. */
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

/** Whether the last call got no clear answer, so it may have succeeded: then the upload is rightly unknown now. */
function mayBeCompleted({ failure }: JobRow, { completing }: MultipartRow): boolean {
  return completing === 1 && !beginAgainStatuses.has(parseFailure(failure)?.status ?? 0);
}

/**
 * Whether to start over now: after the 2nd, 4th, 8th ... such answer in a row. A failing service refuses uploads that
 * it knows well, and a large clip should not be sent again for each such answer.
 */
export function isRestartDue(circuits: Circuits, step: Step, clipId: string, { status }: Failure): boolean {
  return Number.isInteger(Math.log2(circuits.refusalsAlike(step, clipId, status) + 1) || Number.NaN);
}

/** Why a clip starts over; without a step: for a local reason. */
interface AnewReason {
  readonly step?: Step;
  readonly failure: Failure;
  /** No attempt is counted (default false). */
  readonly progressed?: boolean;
}

/** Starts the clip over under the same ID; what was sent of it is aborted. */
export function startNewUpload(
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
    message: `The parts of ${name} that were sent do not add up to the whole file.`,
    advice: 'If the clip still fails after several automatic retries, tell the operator of the service.',
    retryable: true,
  };
}

function otherKey(name: string): Failure {
  return {
    code: 'API_SHAPE',
    message: `Complete multipart upload: the response has a different storage key for ${name}.`,
    advice: 'If this still fails after several automatic retries, tell the operator of the service.',
    retryable: true,
  };
}
