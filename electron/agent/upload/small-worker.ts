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
import type { Step } from '../queue/refusals.ts';
import { type JobOutcome, notBegun } from '../queue/outcome.ts';
import type { PartHash, HashPools } from '../files/hashing/hash-pool.ts';
import type { SnapshotReader } from '../files/snapshot-reader.ts';
import { isThumbnailLost, thumbnailIn } from '../queue/thumbnail-jobs.ts';
import type { ClipResults } from '../queue/clip-results.ts';
import { fileOutcome, problemBefore, type SendOutcome } from './send-outcome.ts';
import type { SendRange } from './send-range.ts';
import { openSnapshot, openSource, type SourceFile } from '../files/source-file.ts';
import { type RootGates } from '../files/root-gate.ts';
import type { UploadGrant, UploadUrls } from './upload-urls.ts';
import {
  askFor,
  createKeptGrants,
  mayBeStored,
  missingGrant,
  type Grant,
  type Granted,
  type KeptGrants,
} from './small-grants.ts';
import type { ServiceClock } from '../service/service-clock.ts';

/** Two batches: while one is on the line the other asks for its URLs. */
const SLOTS = 2;
/** Files of one `upload_urls` call: its round trip is shared, and its URLs are used long before they lapse. */
const BATCH_SIZE = 50;
/** Small files on the line at once, over both batches: their time is round trips, not bytes. */
const CONCURRENT_SENDS = 8;
/** Files of up to this size are read and hashed whole by a thread; four batches of them fit into 64 MiB. */
const SNAPSHOT_BYTES = 256 * 1024;
/** Batches more while some wait for an answer that does not come. */
const SPARE_SLOTS = 2;

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
  readonly serviceClock: Pick<ServiceClock, 'now'>;
}

type RunDeps = Deps & { readonly kept: KeptGrants };

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
  const kept = createKeptGrants(deps.serviceClock);
  return {
    pool: 'small',
    slots: SLOTS,
    spareSlots: SPARE_SLOTS,
    batchSize: BATCH_SIZE,
    steps: { 'send-clip': ['urls', 'object'], 'send-thumbnail': ['urls', 'object'] },
    run: (jobs, settle, signal) => runBatch({ ...deps, kept }, jobs, settle, signal),
    onGivenUp: (job, failure) => deps.results.givenUp(job, failure),
    onRetry: (job, failure, delayMs) => deps.results.retrying(job, failure, delayMs),
  };
}

async function runBatch(
  deps: RunDeps,
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
  const [known, unknown] = split(files, (file) => deps.kept.of(file) !== undefined);
  const granted = await askFor(deps, unknown, signal);
  if (!granted.ok) for (const file of unknown) await settle(file.job, granted.outcome);
  // The line does not wait for the disk: the next file is sent while the last one's facts are committed with others.
  const settling: Promise<void>[] = [];
  await eachLimited(granted.ok ? files : known, CONCURRENT_SENDS / SLOTS, async (file) => {
    const outcome = await sendOrLeave(deps, file, granted, signal);
    const makeAgain = { kind: 'done', commit: () => deps.results.thumbnailLost(file.clipId) } as const;
    const isLost = file.isMade && isThumbnailLost(outcome);
    const settled = settle(file.job, isLost ? makeAgain : outcome);
    settled.catch(() => undefined);
    settling.push(settled);
  });
  await Promise.all(settling);
}

function sendOrLeave(
  deps: RunDeps,
  file: SmallFile,
  granted: Granted,
  signal: AbortSignal,
): JobOutcome | Promise<JobOutcome> {
  // Others may have found out meanwhile that nothing gets through now
  if (deps.isEnding() || !deps.circuits.mayCall('object', file.job.subject)) return notBegun;
  const kept = deps.kept.of(file);
  const grant = kept === undefined ? granted.ok && granted.grants.get(file.fileId) : ok(kept);
  return !grant ? refusedBy('urls', missingGrant) : sendFile(deps, file, grant, signal);
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

function refusedBy(step: Step, failure: Failure): JobOutcome {
  return { kind: 'refused', step, failure };
}

async function sendFile(
  deps: RunDeps,
  file: SmallFile,
  granted: Grant,
  signal: AbortSignal,
): Promise<JobOutcome> {
  if (!granted.ok) return refusedBy('urls', granted.error);
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
  deps: RunDeps,
  file: SmallFile,
  evidence: SourceFile,
  granted: UploadGrant,
  signal: AbortSignal,
  sums?: PartHash,
): Promise<JobOutcome> {
  let grant = granted;
  for (let isFresh = false; ; isFresh = true) {
    const url = grant.urls[0]?.url;
    if (url === undefined) return refusedBy('urls', missingGrant);
    const sent = await deps.sendRange({
      evidence,
      hashPool: deps.hashPools.of(file.rootPath),
      url,
      step: 'object',
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
        deps.kept.keep(file, mayBeStored(sent.outcome) ? grant : undefined);
        return sent.outcome;
      case 'no-such-upload':
        return refusedBy('object', sent.failure);
      case 'fresh-url': {
        deps.kept.keep(file, undefined);
        // A URL may have lapsed once; when a new one is not accepted either, it is no matter of its age
        if (isFresh) return refusedBy('object', sent.failure);
        const again = await askFor(deps, [file], signal);
        if (!again.ok) return again.outcome;
        const mine = again.grants.get(file.fileId);
        if (mine?.ok !== true) return refusedBy('urls', mine?.error ?? missingGrant);
        if (!deps.circuits.mayCall('object', file.job.subject)) return notBegun;
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
  deps: RunDeps,
  file: SmallFile,
  evidence: SourceFile,
  { storageKey, requestIds: grantIds = [] }: UploadGrant,
  { sha256, etag, requestIds = [] }: SendOutcome & { readonly kind: 'stored' },
): Promise<JobOutcome> {
  const unchanged = await evidence.verifyUnchanged();
  if (!unchanged.ok) return fileOutcome(unchanged.error);
  deps.circuits.succeeded('object', file.job.subject);
  deps.kept.keep(file, undefined);
  const { ctimeNs } = unchanged.value;
  const proof = { startedAt: file.job.leasedAt, etag, ctimeNs, ...withIds([...grantIds, ...requestIds]) };
  return {
    kind: 'done',
    commit: () =>
      file.isThumbnail
        ? deps.results.thumbnailUploaded(file.clipId, storageKey, sha256)
        : deps.results.clipUploaded(file.clipId, storageKey, sha256, file.version, proof),
  };
}

function split<T>(items: readonly T[], isFirst: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
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
