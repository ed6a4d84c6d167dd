import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { urlCount } from '../core/parts/plan-parts.ts';
import { serviceFileName } from '../core/records/derived-ids.ts';
import type { RootGates } from '../files/root-gate.ts';
import { openSource } from '../files/source-file.ts';
import { orphanHandle } from '../queue/orphan-uploads.ts';
import { giveUpLive } from '../queue/live-uploads.ts';
import { type JobOutcome, notBegun, serviceOutcome } from '../queue/outcome.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { VmsIncidents } from '../service/vms-incidents.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { LiveUpload } from '../store/live-rows.ts';
import { done, giveUp, mayGoOn, sendPartsAhead, type OpenUpload, type SendAheadDeps } from './send-ahead.ts';
import { createPartUrls, type PartUrls, type UploadUrls } from './upload-urls.ts';

interface AheadDeps extends SendAheadDeps {
  readonly api: VmsIncidents;
  readonly serviceClock: ServiceClock;
  readonly uploadUrls: UploadUrls;
  readonly gates: RootGates;
  readonly upload: SendAheadDeps['upload'] & { readonly concurrentFiles: number };
}

/** Sends parts of clips that are still being written. */
export interface AheadWorker extends PoolWorker {
  /** Resolves once nothing of the clip is on the line from here, and everything that arrived is stored. */
  ended(clipId: string): Promise<void>;
}

/**
 * The worker for clips that are not in the queue yet: it sends the parts below the current size, and ends; the next
 * look that finds the file longer queues its job again. Safe to run twice: a part is noted before it is sent and again
 * when it was acknowledged. Whatever it sent is compared with the final file before it counts.
 */
export function createAheadWorker(deps: AheadDeps): AheadWorker {
  const running = new Map<string, Promise<JobOutcome>>();
  const urls = new Map<string, { readonly count: number; readonly of: PartUrls }>();

  function urlsOf(upload: OpenUpload, sizeBytes: number): PartUrls {
    const { clipId, incidentId, partSizeBytes } = upload;
    const known = urls.get(clipId);
    if (known !== undefined && known.count * partSizeBytes >= sizeBytes) return known.of;
    const partCount = urlCount(sizeBytes, partSizeBytes);
    const of = createPartUrls(deps, incidentId, { ...upload, partCount });
    urls.set(clipId, { count: partCount, of });
    return of;
  }

  return {
    pool: 'ahead',
    slots: deps.upload.concurrentFiles,
    batchSize: 1,
    steps: { 'send-ahead': ['create', 'urls', 'part'] },
    async run(jobs, settle, { signal, end }) {
      for (const job of jobs) {
        const sending = sendAhead(deps, urlsOf, job, signal, end);
        running.set(job.subject, sending);
        try {
          await settle(job, await sending);
        } finally {
          running.delete(job.subject);
          if (deps.tables.live.byClip(job.subject) === undefined) urls.delete(job.subject);
        }
      }
    },
    onGivenUp(job, failure) {
      const row = deps.tables.live.byClip(job.subject);
      if (row !== undefined) giveUpLive(deps, row, failure.code);
      deps.tables.jobs.removeOf('send-ahead', job.subject);
      return undefined;
    },
    onRetry: () => undefined,
    ended: async (clipId) => void (await running.get(clipId)?.catch(() => undefined)),
  };
}

type UrlsOf = (upload: OpenUpload, sizeBytes: number) => PartUrls;

async function sendAhead(
  deps: AheadDeps,
  urlsOf: UrlsOf,
  job: JobRow,
  signal: AbortSignal,
  end: AbortSignal,
): Promise<JobOutcome> {
  const row = deps.tables.live.byClip(job.subject);
  if (row === undefined || !mayGoOn(deps, row)) return done;
  const { rootPath, folder, path } = row;
  const source = { rootPath, folder, path, version: undefined, isFolderGone: false };
  const opened = await openSource(deps.gates, source, signal);
  if (signal.aborted) return { kind: 'interrupted' };
  // If the problem is temporary, the next look tries again
  if (!opened.ok)
    return agentPolicyOf(opened.error.code).file === 'gone' ? giveUp(deps, row, 'the file is gone') : done;
  const evidence = opened.value;
  try {
    const { inode, device, sizeBytes } = evidence.version;
    if (inode !== row.inode || device !== row.device) return giveUp(deps, row, 'the file was replaced');
    if (sizeBytes < row.sizeBytes) return giveUp(deps, row, 'the file became shorter');
    const upload = await openUpload(deps, row, signal, end);
    if ('kind' in upload) return upload;
    for (let size = sizeBytes; ;) {
      const outcome = await sendPartsAhead(deps, urlsOf(upload, size), {
        upload,
        evidence,
        sizeBytes: size,
        signal,
      });
      const now = deps.tables.live.byClip(row.clipId)?.sizeBytes ?? 0;
      if (outcome !== done || now <= size) return outcome;
      size = now;
    }
  } finally {
    evidence.release();
  }
}

/** The handle is stored before the first byte is sent. */
async function openUpload(
  deps: AheadDeps,
  row: LiveUpload,
  signal: AbortSignal,
  end: AbortSignal,
): Promise<OpenUpload | JobOutcome> {
  const { tables, circuits } = deps;
  const { clipId, incidentId, path, storageKey, uploadId } = row;
  if (storageKey !== null && uploadId !== null) return { ...row, storageKey, uploadId };
  if (!circuits.mayCall('create', clipId)) return notBegun;
  const name = serviceFileName(path, clipId);
  // The answer is awaited in any case: an upload that nobody knows of would stay open in storage
  const answer = await deps.api.createMultipartUpload(incidentId, clipId, name, end);
  if (!answer.ok) return serviceOutcome('create', answer.error, signal);
  circuits.succeeded('create', clipId);
  const handle = { storageKey: answer.value.storage_key, uploadId: answer.value.upload_id };
  let isEnded = false;
  await deps.groupCommit.commit(() => {
    isEnded = tables.live.byClip(clipId) === undefined;
    if (isEnded)
      orphanHandle(deps, { incidentId, clipId, ...handle }, 'the file was finished in the meantime');
    else tables.live.opened(clipId, handle.storageKey, handle.uploadId);
  });
  return isEnded ? done : { ...row, ...handle };
}
