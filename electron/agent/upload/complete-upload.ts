import type { Failure } from '../../../shared/domain/failure.ts';
import { withIds } from '../core/request-ids.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import { type JobOutcome, serviceOutcome } from '../queue/outcome.ts';
import { orphanUpload } from '../queue/orphan-upload.ts';
import { etagsToComplete } from './large-upload.ts';
import type { LargeParts, LargeRun } from './large-run.ts';

/**
 * Completes an upload whose parts are all with storage. That it was asked for is stored first: when the answer is
 * lost the same call is made again, and only an upload that the service does not know any more is begun anew
 * (service.md gap 15).
 */
export async function completeUpload(
  parts: LargeRun,
  clip: ClipRow,
  upload: MultipartRow,
  sha256: string,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { tables, api, groupCommit, circuits, facts } = parts;
  const etags = etagsToComplete(upload, tables.parts.ofClip(clip.id));
  if (etags === undefined) return anew(parts, clip, incomplete(clip.path));
  if (signal.aborted) return { kind: 'interrupted' };
  await groupCommit.commit(() => tables.multiparts.completing(clip.id));
  const handle = { storage_key: upload.storageKey, upload_id: upload.uploadId };
  // A person's order waits for the answer: without it a whole clip would be sent again, or left behind in storage.
  const answer = await api.completeMultipartUpload(clip.incidentId, handle, etags, parts.end);
  if (!answer.ok) return completeTrouble(parts, clip, answer.error, signal);
  if (answer.value.storage_key !== upload.storageKey) return { kind: 'retry', failure: otherKey(clip.path) };
  circuits.succeeded('service');
  const proof = { startedAt: parts.job.leasedAt, ...withIds(answer.requestIds) };
  return {
    kind: 'done',
    commit: () => facts.clipUploaded(clip.id, upload.storageKey, sha256, upload, proof),
  };
}

/** 404 and 410: unknown there. 400, 409, 412, 422: the store does not accept these parts; they are sent again. */
const beginAgainStatuses = new Set([400, 404, 409, 410, 412, 422]);

function completeTrouble(
  parts: LargeParts,
  clip: ClipRow,
  failure: Failure,
  signal: AbortSignal,
): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  if (failure.status === undefined || !beginAgainStatuses.has(failure.status)) {
    return serviceOutcome(failure, signal);
  }
  const code = failure.status === 404 || failure.status === 410 ? 'STORAGE_NO_UPLOAD' : 'STORAGE_REJECTED';
  return anew(parts, clip, {
    ...failure,
    code,
    retryable: true,
    advice: 'The clip is uploaded anew by itself; if it stays, tell the operator of the service.',
  });
}

function anew(parts: LargeParts, clip: ClipRow, failure: Failure): JobOutcome {
  return {
    kind: 'retry',
    failure,
    commit: () => orphanUpload(parts, clip.incidentId, clip.id, failure.code),
  };
}

function incomplete(name: string): Failure {
  return {
    code: 'API_PARTS',
    message: `The parts of ${name} do not add up to the file.`,
    advice: 'The clip is uploaded anew by itself.',
    retryable: true,
  };
}

function otherKey(name: string): Failure {
  return {
    code: 'API_SHAPE',
    message: `Complete multipart upload: the answer for ${name} names another storage key.`,
    advice: 'It is tried again by itself; if it stays, tell the operator of the service.',
    retryable: true,
  };
}
