import { fileId, thumbnailFileId, clipId as toClipId } from '../../../shared/domain/ids.ts';
import { ok } from '../../../shared/lib/result.ts';
import { assertNever } from '../../../shared/lib/assert-never.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { FileVersion } from '../core/settle/file-seen.ts';
import { withIds } from '../core/request-ids.ts';
import { fileEmpty, fileTooLarge } from '../core/failures/upload-failure.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type JobOutcome, serviceOutcome } from '../queue/outcome.ts';
import type { PartHash, HashPools } from '../files/hashing/hash-pool.ts';
import type { SnapshotReader } from '../files/snapshot-reader.ts';
import { isThumbnailLost, thumbnailIn } from '../queue/thumbnail-jobs.ts';
import type { ClipResults } from '../queue/clip-results.ts';
import { fileOutcome, problemBefore, type SendOutcome } from './send-outcome.ts';
import type { SendRange } from './send-range.ts';
import { openSnapshot, openSource, type SourceFile } from '../files/source-file.ts';
import { type RootGates } from '../files/root-gate.ts';
import type { UploadGrant, UploadUrls } from './upload-urls.ts';

/** Two batches: while one is on the line the other asks for its URLs. */
const SLOTS = 2;
/** Files of one `upload_urls` call: its round trip is shared, and its URLs are used long before they lapse. */
const BATCH_SIZE = 50;
/** Small files on the line at once, over both batches: their time is round trips, not bytes. */
const CONCURRENT_SENDS = 8;
/** Files of up to this size are read and hashed whole by a thread; four batches of them fit into 64 MiB. */
const SNAPSHOT_BYTES = 256 * 1024;
/** How often a fresh URL is asked for within one run before it counts as a failure. */
const MAX_FRESH_URLS = 3;

interface Deps {
  readonly tables: Tables;
  readonly uploadUrls: UploadUrls;
  readonly sendRange: SendRange;
  readonly gates: RootGates;
  readonly snapshots: SnapshotReader;
  readonly hashPools: HashPools;
  readonly circuits: Circuits;
  readonly results: ClipResults;
  /** Folder of the thumbnails that were made from clips. */
  readonly thumbnailsFolder: string;
  /** Size from which a clip goes in parts, bytes. */
  readonly thresholdBytes: number;
  /** True once the program is about to end: what is on the line is let end, nothing more is begun. */
  readonly isEnding: () => boolean;
}

/** A clip or thumbnail that goes in one piece. */
interface SmallFile {
  readonly job: JobRow;
  readonly clipId: string;
  readonly isThumbnail: boolean;
  /** A thumbnail of our own, which can be made again. */
  readonly isMade: boolean;
  readonly fileId: string;
  readonly path: string;
  readonly serviceName: string;
  readonly version: FileVersion;
  readonly rootPath: string;
  readonly exportPath: string;
  readonly isFolderGone: boolean;
}

type Settle = (job: JobRow, outcome: JobOutcome) => Promise<void>;

/**
 * The worker for files in one piece: one `upload_urls` call for several files of an incident, then their PUTs
 * side by side. Safe to run twice: a file whose answer was lost is sent again to its own key.
 */
export function createSmallWorker(deps: Deps): PoolWorker {
  return {
    pool: 'small',
    slots: SLOTS,
    batchSize: BATCH_SIZE,
    circuits: ['service', 'storage'],
    run: (jobs, settle, signal) => runBatch(deps, jobs, settle, signal),
    onGivenUp: (job, failure) => deps.results.givenUp(job, failure),
    onRetry: (job, failure, delayMs) => deps.results.retrying(job, failure, delayMs),
  };
}

async function runBatch(
  deps: Deps,
  jobs: readonly JobRow[],
  settle: Settle,
  signal: AbortSignal,
): Promise<void> {
  const files: SmallFile[] = [];
  for (const job of jobs) {
    const file = describeFile(deps, job);
    const problem = file && (await problemBefore(deps.gates, job, file, signal));
    // Sent already, or no longer wanted: the job is done twice without harm.
    if (file === undefined) await settle(job, { kind: 'done' });
    else if (isForParts(deps, file))
      await settle(job, { kind: 'done', commit: () => deps.results.sendInParts(file.clipId) });
    else if (problem !== undefined)
      await settle(job, signal.aborted ? { kind: 'interrupted' } : fileOutcome(problem));
    else files.push(file);
  }
  const first = files[0];
  if (first === undefined) return;
  const granted = await askFor(deps, first.job.incidentId, files, signal);
  if (!granted.ok) {
    for (const file of files) await settle(file.job, granted.outcome);
    return;
  }
  deps.circuits.succeeded('service');
  // The line does not wait for the disk: the next file is sent while the last one's facts are committed with others.
  const settling: Promise<void>[] = [];
  await eachLimited(files, CONCURRENT_SENDS / SLOTS, async (file) => {
    const outcome = await sendOrLeave(deps, file, granted.grants, signal);
    const makeAgain = { kind: 'done', commit: () => deps.results.thumbnailLost(file.clipId) } as const;
    const isLost = file.isMade && isThumbnailLost(outcome);
    const settled = settle(file.job, isLost ? makeAgain : outcome);
    settled.catch(() => undefined);
    settling.push(settled);
  });
  await Promise.all(settling);
}

function sendOrLeave(
  deps: Deps,
  file: SmallFile,
  grants: ReadonlyMap<string, Grant>,
  signal: AbortSignal,
): JobOutcome | Promise<JobOutcome> {
  if (deps.isEnding()) return { kind: 'interrupted' };
  const grant = grants.get(file.fileId);
  return grant === undefined ? retryOf(missingGrant) : sendFile(deps, file, grant, signal);
}

/** It has grown since it was queued. */
function isForParts({ thresholdBytes }: Deps, { isThumbnail, version }: SmallFile): boolean {
  return !isThumbnail && version.sizeBytes >= thresholdBytes;
}

function describeFile(
  { tables, thumbnailsFolder: picturesFolder }: Deps,
  job: JobRow,
): SmallFile | undefined {
  const clip = tables.clips.byId(job.subject);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip === undefined || incident === undefined) return undefined;
  const { rootPath, exportPath } = incident;
  const place = { job, clipId: clip.id, rootPath, exportPath, isFolderGone: incident.folderGone === 1 };
  if (job.kind === 'send-thumbnail') {
    const thumbnail = tables.thumbnails.byClip(clip.id);
    if (thumbnail?.state !== 'queued') return undefined;
    const { path, serviceName } = thumbnail;
    const id = thumbnailFileId(toClipId(clip.id));
    const isMade = thumbnail.origin === 'made';
    const own = isMade ? thumbnailIn(picturesFolder) : {};
    return { ...place, ...own, isThumbnail: true, isMade, fileId: id, path, serviceName, version: thumbnail };
  }
  if (clip.state !== 'queued') return undefined;
  const { path, serviceName } = clip;
  const file = { isThumbnail: false, isMade: false, fileId: fileId(clip.id), version: clip };
  return { ...place, ...file, path, serviceName };
}

type Granted =
  | { readonly ok: true; readonly grants: ReadonlyMap<string, Grant> }
  | { readonly ok: false; readonly outcome: JobOutcome };
type Grant =
  { readonly ok: true; readonly value: UploadGrant } | { readonly ok: false; readonly error: Failure };

async function askFor(
  deps: Deps,
  incidentId: string,
  files: readonly SmallFile[],
  signal: AbortSignal,
): Promise<Granted> {
  const request = Object.fromEntries(files.map((file) => [file.fileId, { filename: file.serviceName }]));
  const answer = await deps.uploadUrls.ask(incidentId, request, undefined, signal);
  if (answer.ok) return { ok: true, grants: answer.value };
  return { ok: false, outcome: serviceOutcome(answer.error, signal) };
}

const missingGrant: Failure = {
  code: 'API_SHAPE',
  message: 'Get upload URLs: the answer does not mention a file that was asked for.',
  advice: 'It is tried again by itself.',
  retryable: true,
};

function retryOf(failure: Failure): JobOutcome {
  return { kind: 'retry', failure };
}

async function sendFile(
  deps: Deps,
  file: SmallFile,
  granted: Grant,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (!granted.ok) return retryOf(granted.error);
  const { maxSizeBytes } = granted.value;
  const { sizeBytes } = file.version;
  if (sizeBytes === 0) return { kind: 'failed', failure: fileEmpty(file.path) };
  if (maxSizeBytes !== undefined && sizeBytes > maxSizeBytes) {
    return { kind: 'failed', failure: fileTooLarge(file.path, sizeBytes, maxSizeBytes) };
  }
  if (sizeBytes <= SNAPSHOT_BYTES) {
    const taken = await openSnapshot(deps.gates, deps.snapshots, file, signal);
    if (!taken.ok) return signal.aborted ? { kind: 'interrupted' } : fileOutcome(taken.error);
    return await sendOpened(deps, file, taken.value.file, granted.value, signal, taken.value.sums);
  }
  const opened = await openSource(deps.gates, file, signal);
  if (!opened.ok) return signal.aborted ? { kind: 'interrupted' } : fileOutcome(opened.error);
  try {
    return await sendOpened(deps, file, opened.value, granted.value, signal);
  } finally {
    opened.value.release();
  }
}

async function sendOpened(
  deps: Deps,
  file: SmallFile,
  evidence: SourceFile,
  granted: UploadGrant,
  signal: AbortSignal,
  sums?: PartHash,
): Promise<JobOutcome> {
  let grant = granted;
  for (let tries = 0; ; tries += 1) {
    const url = grant.urls[0]?.url;
    if (url === undefined) return retryOf(missingGrant);
    const sent = await deps.sendRange({
      evidence,
      hashPool: deps.hashPools.of(file.rootPath),
      url,
      offset: 0,
      length: evidence.version.sizeBytes,
      name: file.path,
      meterKey: file.isThumbnail ? undefined : file.clipId,
      ...(sums === undefined ? {} : { hashing: Promise.resolve(ok(sums)) }),
      signal,
    });
    switch (sent.kind) {
      case 'stored':
        return await finish(deps, file, evidence, grant, sent);
      case 'stop':
        return sent.outcome;
      case 'no-such-upload':
        return retryOf(sent.failure);
      case 'fresh-url': {
        if (tries >= MAX_FRESH_URLS) return retryOf(sent.failure);
        const again = await askFor(deps, file.job.incidentId, [file], signal);
        if (!again.ok) return again.outcome;
        const mine = again.grants.get(file.fileId);
        if (mine?.ok !== true) return retryOf(mine?.error ?? missingGrant);
        grant = mine.value;
        break;
      }
      default:
        assertNever(sent);
    }
  }
}

/** Stored bytes of a file that changed meanwhile are not the clip: it is sent again as it is then. */
async function finish(
  deps: Deps,
  file: SmallFile,
  evidence: SourceFile,
  { storageKey, requestIds: grantIds = [] }: UploadGrant,
  { sha256, etag, requestIds = [] }: SendOutcome & { readonly kind: 'stored' },
): Promise<JobOutcome> {
  const unchanged = await evidence.verifyUnchanged();
  if (!unchanged.ok) return fileOutcome(unchanged.error);
  deps.circuits.succeeded('storage');
  const proof = { startedAt: file.job.leasedAt, etag, ...withIds([...grantIds, ...requestIds]) };
  return {
    kind: 'done',
    commit: () =>
      file.isThumbnail
        ? deps.results.thumbnailUploaded(file.clipId, storageKey, sha256)
        : deps.results.clipUploaded(file.clipId, storageKey, sha256, file.version, proof),
  };
}

/** Runs `work` over the items, at most `limit` at once, in order of the list. */
async function eachLimited<T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
