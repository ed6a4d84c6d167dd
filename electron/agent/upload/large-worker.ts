import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { fileTooLarge, fileTouched } from '../core/failures/upload-failure.ts';
import type { HashPools } from '../files/hashing/hash-pool.ts';
import type { RootGates } from '../files/root-gate.ts';
import { openSource, type SourceFile } from '../files/source-file.ts';
import type { Clock } from '../ports.ts';
import { alsoNoting, serviceOutcome, type JobOutcome } from '../queue/outcome.ts';
import { createSiteCheck, type SiteCheck, type SiteDeps } from '../queue/listed-clips.ts';
import { noteRefused } from '../queue/live-uploads.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { BufferPool } from '../service/signed-put-body.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { MultipartRow } from '../store/multipart-rows.ts';
import {
  completeUpload,
  startNewUpload,
  type CompleteDeps,
  multipartPlan,
  openMultipart,
  type LargeRules,
} from './large-upload.ts';
import type { EtagCache } from './etag-cache.ts';
import { readTwice } from './file-hash.ts';
import { fileOutcome } from './send-outcome.ts';
import { proveAhead } from './prove-ahead.ts';
import { sendParts, type ClipBytes, type SendPartsDeps } from './send-parts.ts';
import { canReadOnce, readOnce } from './read-once.ts';
import { wantedSums, type WantedSums } from './send-range.ts';
import { createPartUrls, type UploadUrls } from './upload-urls.ts';

/** Additional clips while some wait for an answer that does not come. */
const SPARE_SLOTS = 2;
/** On a slow line a piece of a part takes seconds, and storage needs time to complete an upload. */
const SLOW_AFTER_MS = 30_000;

/** What sending large clips needs. */
interface LargeDeps extends SendPartsDeps, CompleteDeps, Omit<SiteDeps, 'api'> {
  readonly clock: Clock;
  readonly serviceClock: ServiceClock;
  readonly uploadUrls: UploadUrls;
  readonly hashPools: HashPools;
  readonly gates: RootGates;
  readonly etags: EtagCache;
  /** Memory for parts that are read once. */
  readonly slots: BufferPool;
  readonly rules: LargeRules;
  /** Sends parts of clips that are still being written. */
  readonly ahead?: { ended(clipId: string): Promise<void> };
}

interface SendDeps extends LargeDeps {
  /** Parts of all clips that may be on the line. */
  readonly partsAtOnce: number;
}

/** One run of the worker with one clip. */
interface ClipRun {
  readonly job: JobRow;
  readonly clip: ClipRow;
  readonly rootPath: string;
  /** Aborted when a person's command stops this clip, and at the end of the run. */
  readonly signal: AbortSignal;
  /** Aborted only at the end of the run. */
  readonly end: AbortSignal;
}

/**
 * The worker for clips that go in parts. Safe to run twice: parts that storage acknowledged have rows and are not sent
 * again; "complete" is repeated until it is answered (service.md gap 15).
 */
export function createLargeWorker(given: LargeDeps, concurrentFiles: number): PoolWorker {
  const partsAtOnce = concurrentFiles * given.rules.concurrentParts;
  const deps = { ...given, site: createSiteCheck(given), partsAtOnce };
  return {
    pool: 'large',
    slots: concurrentFiles,
    spareSlots: SPARE_SLOTS,
    slowAfterMs: SLOW_AFTER_MS,
    batchSize: 1,
    steps: { 'send-clip': [...deps.site.steps, 'create', 'urls', 'part', 'complete'] },
    async run(jobs, settle, { signal, end }) {
      for (const job of jobs) {
        try {
          await settle(job, await sendClip(deps, job, signal, end));
        } finally {
          // Its bytes count as in flight until its result is stored
          deps.meter.ended(job.subject);
        }
      }
    },
    onGivenUp: (job, failure) => deps.results.givenUp(job, failure),
    onRetry: (job, failure, delayMs) => deps.results.retrying(job, failure, delayMs),
  };
}

async function sendClip(
  deps: SendDeps & { readonly site: SiteCheck },
  job: JobRow,
  signal: AbortSignal,
  end: AbortSignal,
): Promise<JobOutcome> {
  const { tables, gates } = deps;
  const unasked = await deps.site.before([job], signal);
  if (unasked !== undefined) return unasked;
  const clip = tables.clips.byId(job.subject);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip?.state !== 'queued' || incident === undefined) return { kind: 'done' };
  const { rootPath, folder } = incident;
  const isFolderGone = incident.folderGone === 1;
  const source = { rootPath, folder, path: clip.path, version: clip, isFolderGone };
  const opened = await openSource(gates, source, signal);
  if (!opened.ok) return signal.aborted ? { kind: 'interrupted' } : fileProblem(deps, clip, opened.error);
  try {
    return await sendOpened(deps, { job, clip, rootPath, signal, end }, opened.value);
  } finally {
    opened.value.release();
  }
}

async function sendOpened(deps: SendDeps, run: ClipRun, evidence: SourceFile): Promise<JobOutcome> {
  const { clip, signal, end } = run;
  const plan = multipartPlan(evidence.version.sizeBytes, deps.rules);
  if (plan.kind === 'too-large') {
    const failure = fileTooLarge(evidence.version.sizeBytes, plan.limitBytes);
    return { kind: 'failed', failure };
  }
  deps.hashPools.of(run.rootPath).warmUp();
  // The answer is awaited in any case: an upload that nobody knows of would stay open in storage
  const opened = await openMultipart(deps, clip, evidence.version, plan, end);
  if (!opened.ok) return serviceOutcome('create', opened.error, signal);
  return transfer(deps, run, evidence, opened.value);
}

/** Sends the missing parts, proves the whole, and completes. */
async function transfer(
  deps: SendDeps,
  { job, clip, rootPath, signal, end }: ClipRun,
  evidence: SourceFile,
  upload: MultipartRow,
): Promise<JobOutcome> {
  const hashPool = deps.hashPools.of(rootPath);
  const urls = createPartUrls(deps, clip.incidentId, upload);
  const wanted = (): WantedSums => wantedSums(deps.etags, urls.host());
  // The last parts of a clip that was being written until now may still be on the line
  await deps.ahead?.ended(clip.id);
  const takenOver = deps.tables.live.takenOver(clip.id);
  const isTakenOver = takenOver !== undefined;
  const opened = { clip, evidence, upload, hashPool, urls, isTakenOver };
  const proven =
    takenOver === undefined
      ? undefined
      : await proveAhead(deps, { ...opened, takenOver, withMd5: () => wanted().md5 }, signal);
  if (proven?.ok === false)
    return signal.aborted
      ? { kind: 'interrupted' }
      : fileProblem(deps, clip, await evidence.judge(proven.error));
  const rows = proven?.value.rows ?? deps.tables.parts.ofClip(clip.id);
  const file = { ...opened, rows };
  const once = (): ClipBytes =>
    canReadOnce(upload, rows, deps.partsAtOnce)
      ? readOnce({ ...deps, ...file, host: urls.host })
      : readTwice({ ...file, wanted, signal });
  const bytes = proven?.value.bytes ?? once();
  try {
    const sent = await sendParts(deps, { ...file, bytes }, signal);
    if (sent.kind === 'stop') return sent.outcome;
    if (sent.kind === 'file-problem') return fileProblem(deps, clip, sent.failure);
    if (sent.kind === 'start-over') {
      const outcome = startNewUpload(deps, clip, sent);
      return isTakenOver && sent.step === 'urls' ? alsoNoting(outcome, () => noteRefused(deps)) : outcome;
    }
    const sum = await bytes.digest();
    if (!sum.ok)
      return signal.aborted
        ? { kind: 'interrupted' }
        : fileProblem(deps, clip, await evidence.judge(sum.error));
    const unchanged = await evidence.verifyUnchanged();
    if (!unchanged.ok) return fileProblem(deps, clip, unchanged.error);
    // It seems that only its name, permissions or times changed: storage has the parts, and the next run proves them by
    // reading the file again
    if (unchanged.value.isTouched) return { kind: 'retry', failure: fileTouched(clip.path), delayMs: 0 };
    const { ctimeNs } = unchanged.value;
    return await completeUpload(deps, { job, clip, upload, sha256: sum.value, ctimeNs }, signal, end);
  } finally {
    bytes.close();
  }
}

/** A file that changed, shrank or disappeared is never completed: what was sent of it is aborted. */
function fileProblem(deps: LargeDeps, clip: ClipRow, failure: Failure): JobOutcome {
  const outcome = fileOutcome(failure);
  if (outcome.kind !== 'retry' || agentPolicyOf(failure.code).file !== 'changed') return outcome;
  return startNewUpload(deps, clip, { failure });
}
