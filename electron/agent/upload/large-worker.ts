import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { fileTooLarge, fileTouched } from '../core/failures/upload-failure.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import { type JobOutcome, serviceOutcome } from '../queue/outcome.ts';
import type { HashPool } from '../files/hashing/hash-pool.ts';
import { orphanUpload } from '../queue/orphan-upload.ts';
import { completeUpload } from './complete-upload.ts';
import { createFileHash } from './file-hash.ts';
import { multipartPlan, openMultipart } from './large-upload.ts';
import { createPartUrls } from './upload-urls.ts';
import { fileOutcome } from './send-outcome.ts';
import { sendParts } from './send-parts.ts';
import { openSource, type SourceFile } from '../files/source-file.ts';
import type { LargeParts, LargeRun } from './large-run.ts';

/**
 * The worker for clips that go in parts. Safe to run twice: what storage acknowledged is in the part rows and is
 * not sent again; "complete" is repeated until it is answered (service.md gap 15).
 */
export function createLargeWorker(parts: LargeParts, concurrentFiles: number): PoolWorker {
  return {
    pool: 'large',
    slots: concurrentFiles,
    batchSize: 1,
    circuits: ['service', 'storage'],
    async run(jobs, settle, signal, end) {
      for (const job of jobs) await settle(job, await sendClip({ ...parts, end, job }, signal));
    },
    onGivenUp: (job, failure) => parts.facts.givenUp(job, failure),
    onTrouble: (job, failure, delayMs) => parts.facts.trouble(job, failure, delayMs),
  };
}

async function sendClip(parts: LargeRun, signal: AbortSignal): Promise<JobOutcome> {
  const { tables, job } = parts;
  const clip = tables.clips.byId(job.subject);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip?.state !== 'queued' || incident === undefined) return { kind: 'done' };
  const { rootPath, exportPath } = incident;
  const isFolderGone = incident.folderGone === 1;
  const source = { rootPath, exportPath, path: clip.path, version: clip, isFolderGone };
  const opened = await openSource(parts.gates, source, signal);
  if (!opened.ok) return signal.aborted ? { kind: 'interrupted' } : fileTrouble(parts, clip, opened.error);
  try {
    return await sendOpened(parts, clip, rootPath, opened.value, signal);
  } finally {
    parts.meter.ended(clip.id);
    opened.value.letGo();
  }
}

async function sendOpened(
  parts: LargeRun,
  clip: ClipRow,
  rootPath: string,
  evidence: SourceFile,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const plan = multipartPlan(evidence.version.sizeBytes, parts.rules);
  if (plan.kind === 'too-large') {
    const failure = fileTooLarge(clip.path, evidence.version.sizeBytes, plan.limitBytes);
    return { kind: 'failed', failure };
  }
  // Its answer is heard in any case: an upload that nobody knows of would stay open with storage.
  const opened = await openMultipart(parts, clip, evidence.version, plan, parts.end);
  if (!opened.ok) return serviceOutcome(opened.error, signal);
  return transfer(
    parts,
    clip,
    { evidence, upload: opened.value, hashPool: parts.hashPools.of(rootPath) },
    signal,
  );
}

/** Sends what is missing, hashes the whole beside it, and completes. */
async function transfer(
  parts: LargeRun,
  clip: ClipRow,
  file: { readonly evidence: SourceFile; readonly upload: MultipartRow; readonly hashPool: HashPool },
  signal: AbortSignal,
): Promise<JobOutcome> {
  const { evidence, upload, hashPool } = file;
  const urls = createPartUrls(parts, clip.incidentId, upload);
  const hash = createFileHash(hashPool, evidence, upload, signal);
  try {
    const sent = await sendParts({ ...parts, ...file, clip, urls, hash, storing: [] }, signal);
    if (sent.kind === 'stop') return sent.outcome;
    if (sent.kind === 'file-trouble') return fileTrouble(parts, clip, sent.failure);
    if (sent.kind === 'start-anew') return startAnew(parts, clip, sent.failure);
    const sum = await hash.digest();
    if (!sum.ok) return signal.aborted ? { kind: 'interrupted' } : fileTrouble(parts, clip, sum.error);
    const unchanged = await evidence.verifyUnchanged();
    if (!unchanged.ok) return fileTrouble(parts, clip, unchanged.error);
    // Name, rights or times changed and nothing else, it seems: the parts are with storage, and the next run proves
    // them by reading the file again.
    if (unchanged.value.isTouched) return { kind: 'retry', failure: fileTouched(clip.path), delayMs: 0 };
    return await completeUpload(parts, clip, upload, sum.value, signal);
  } finally {
    hash.close();
  }
}

/** A file that changed, shrank or vanished is never completed: what was sent of it is aborted. */
function fileTrouble(parts: LargeParts, clip: ClipRow, failure: Failure): JobOutcome {
  const outcome = fileOutcome(failure);
  if (outcome.kind !== 'retry' || agentPolicyOf(failure.code).file !== 'changed') return outcome;
  return { ...outcome, commit: () => orphanUpload(parts, clip.incidentId, clip.id, failure.code) };
}

/** The service no longer knows the upload: the same clip begins again under the same id. */
function startAnew(parts: LargeParts, clip: ClipRow, failure: Failure): JobOutcome {
  return {
    kind: 'retry',
    failure,
    commit: () => orphanUpload(parts, clip.incidentId, clip.id, failure.code),
  };
}
