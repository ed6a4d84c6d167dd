import { assertNever, ok } from '../../../shared/lib/result.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { withIds } from '../core/text/redact.ts';
import { fileEmpty, fileTooLarge } from '../core/failures/upload-failure.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { BatchRun, PoolWorker } from '../queue/run-batch.ts';
import { createSiteCheck, type SiteCheck, type SiteDeps } from '../queue/listed-clips.ts';
import { alsoNoting, type Step, type JobOutcome, notBegun } from '../queue/outcome.ts';
import type { HashPools } from '../files/hashing/hash-pool.ts';
import {
  isForThread,
  partOf,
  sendInThread,
  unread,
  type SentOnce,
  type ThreadDeps,
} from './send-in-thread.ts';
import { isThumbnailLost } from '../queue/incident-jobs.ts';
import type { ClipResults } from '../queue/clip-results.ts';
import { fileOutcome, problemBefore, thumbnailTooLarge, type SendOutcome } from './send-outcome.ts';
import type { SendRange } from './send-range.ts';
import { createTurns, type Turns } from './turns.ts';
import type { KeptGrants } from './kept-grants.ts';
import { openSource } from '../files/source-file.ts';
import type { UploadGrant, UploadUrls } from './upload-urls.ts';
import {
  askFor,
  describeFiles,
  isForParts,
  mayBeStored,
  missingGrant,
  withGrants,
  type Grant,
  type SmallFile,
} from './small-files.ts';

/** While one batch is on the line, another one requests its URLs. */
const SLOTS = 2;
/** On a fast line another one is being stored; on a slow one, what is claimed too early delays what is newer. */
const MORE_SLOTS = { count: 1, belowBytes: 32 * 1024 * 1024 };
/** Files of one `upload_urls` call: they share its round trip, and use their URLs long before they lapse. */
const BATCH_SIZE = 50;
/** On a slow line, larger files of one batch would delay newer incidents by minutes. */
const BATCH_BYTES = 64 * 1024 * 1024;
/** Files on the line at once, over all batches: most of their time is round trips, not bytes. */
const CONCURRENT_SENDS = 8;
/** Files given to threads at once: each sends eight, and those that follow must not wait for the main thread. */
const CONCURRENT_IN_THREADS = 16;
/** Additional batches while some wait for an answer that does not come. */
const SPARE_SLOTS = 2;

interface Deps extends SiteDeps, ThreadDeps {
  readonly tables: Tables;
  readonly uploadUrls: UploadUrls;
  readonly sendRange: SendRange;
  readonly hashPools: HashPools;
  readonly results: ClipResults;
  /** Folder of the thumbnails that were made from clips. */
  readonly thumbnailsFolder: string;
  /** Size from which a clip is sent in parts, bytes. */
  readonly thresholdBytes: number;
  /** True once the program is about to end: what is on the line may finish, nothing more is started. */
  readonly isEnding: () => boolean;
  readonly kept: KeptGrants;
}

interface WorkerDeps extends Deps {
  readonly site: SiteCheck;
  readonly onLine: Turns;
  readonly inThreads: Turns;
}

type Settle = (job: JobRow, outcome: JobOutcome) => Promise<void>;

/**
 * The worker for files in one piece: one `upload_urls` call for several files of an incident, then their PUTs in
 * parallel. Safe to run twice: a file whose answer was lost is sent again to its own key.
 */
export function createSmallWorker(given: Deps): PoolWorker {
  const deps = {
    ...given,
    site: createSiteCheck(given),
    onLine: createTurns(CONCURRENT_SENDS),
    inThreads: createTurns(CONCURRENT_IN_THREADS),
  };
  return {
    pool: 'small',
    slots: SLOTS,
    moreSlots: MORE_SLOTS,
    spareSlots: SPARE_SLOTS,
    batchSize: BATCH_SIZE,
    batchBytes: BATCH_BYTES,
    steps: { 'send-clip': [...deps.site.steps, 'urls', 'object'], 'send-thumbnail': ['urls', 'object'] },
    run: (jobs, settle, { signal, leaveSlot }) => runBatch(deps, jobs, settle, { signal, leaveSlot }),
    onGivenUp: (job, failure) => deps.results.givenUp(job, failure),
    onRetry: (job, failure, delayMs) => deps.results.retrying(job, failure, delayMs),
  };
}

async function runBatch(
  deps: WorkerDeps,
  jobs: readonly JobRow[],
  settle: Settle,
  { signal, leaveSlot }: Pick<BatchRun, 'signal' | 'leaveSlot'>,
): Promise<void> {
  const clips = jobs.filter(({ kind }) => kind === 'send-clip');
  const unasked = await deps.site.before(clips, signal);
  if (unasked !== undefined) return void (await Promise.all(jobs.map((job) => settle(job, unasked))));
  const files: SmallFile[] = [];
  const described = describeFiles(deps, jobs);
  for (const job of jobs) {
    const file = described.get(job);
    const tooLarge =
      file?.isThumbnail === true ? thumbnailTooLarge(file.path, file.version.sizeBytes) : undefined;
    const problem = file && (await problemBefore(deps.gates, job, file, signal));
    // Already sent, or no longer wanted: the job can end without harm
    if (file === undefined) await settle(job, { kind: 'done' });
    else if (isForParts(file, deps.thresholdBytes))
      await settle(job, { kind: 'done', commit: () => deps.results.sendInParts(file.clipId) });
    else if (problem !== undefined)
      await settle(job, signal.aborted ? { kind: 'interrupted' } : fileOutcome(problem));
    else if (tooLarge !== undefined) await settle(job, { kind: 'failed', failure: tooLarge });
    else files.push(file);
  }
  const known = await deps.kept.of(files);
  const unknown = files.filter((file) => !known.has(file.fileId));
  const granted = await askFor(deps, unknown, signal);
  if (!granted.ok) for (const file of unknown) await settle(file.job, granted.outcome);
  if (granted.ok) await deps.kept.keep(withGrants(unknown, granted.grants));
  const grantOf = ({ fileId }: SmallFile): Grant | undefined => {
    const kept = known.get(fileId);
    return kept === undefined ? (granted.ok && granted.grants.get(fileId)) || undefined : ok(kept);
  };
  const toSend = granted.ok ? files : files.filter((file) => known.has(file.fileId));
  const sends = toSend.map((file) => {
    const grant = grantOf(file);
    const turns = isForThread(deps, file, grant) ? deps.inThreads : deps.onLine;
    return { file, sending: turns.take(() => sendOrLeave(deps, file, grant, signal)) };
  });
  // The line does not wait for the disk: the next batch is sent while the facts of this one are committed
  void Promise.allSettled(sends.map(({ sending }) => sending)).then(leaveSlot);
  // Wait for all, so that no job is settled a second time while its result is still being stored
  const ends = await Promise.allSettled(
    sends.map(async ({ file, sending }) => {
      const sent = await sending;
      const outcome = typeof sent === 'function' ? await sent() : sent;
      const makeAgain = { kind: 'done', commit: () => deps.results.thumbnailLost(file.clipId) } as const;
      await settle(file.job, file.isMade && isThumbnailLost(outcome) ? makeAgain : outcome);
    }),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** The outcome of a file that is off the line, or a function that determines it. */
type Sent = JobOutcome | (() => Promise<JobOutcome>);

async function sendOrLeave(
  deps: Deps,
  file: SmallFile,
  grant: Grant | undefined,
  signal: AbortSignal,
): Promise<Sent> {
  // Others may have found out meanwhile that nothing gets through now
  if (signal.aborted || deps.isEnding() || !deps.circuits.mayCall('object', file.job.subject))
    return notBegun;
  return grant?.ok === true
    ? sendFile(deps, file, grant.value, signal)
    : refusedBy('urls', grant?.error ?? missingGrant);
}

function refusedBy(step: Step, failure: Failure): JobOutcome {
  return { kind: 'refused', step, failure };
}

async function sendFile(
  deps: Deps,
  file: SmallFile,
  granted: UploadGrant,
  signal: AbortSignal,
): Promise<Sent> {
  const { maxSizeBytes } = granted;
  const { sizeBytes } = file.version;
  if (sizeBytes === 0) return { kind: 'failed', failure: fileEmpty(file.path) };
  if (maxSizeBytes !== undefined && sizeBytes > maxSizeBytes) {
    return { kind: 'failed', failure: fileTooLarge(sizeBytes, maxSizeBytes) };
  }
  if (isForThread(deps, file, ok(granted)))
    return sendGranted(deps, file, granted, signal, (url) => sendInThread(deps, file, url, signal));
  const opened = await openSource(deps.gates, file, signal);
  if (!opened.ok) return unread(opened.error, signal);
  const evidence = opened.value;
  try {
    const sent = await sendGranted(deps, file, granted, signal, async (url) => {
      const hashPool = deps.hashPools.of(file.rootPath);
      const outcome = await deps.sendRange({ ...partOf(file), evidence, hashPool, url, offset: 0, signal });
      return { outcome, evidence };
    });
    return typeof sent === 'function' ? await sent() : sent;
  } finally {
    evidence.release();
  }
}

async function sendGranted(
  deps: Deps,
  file: SmallFile,
  granted: UploadGrant,
  signal: AbortSignal,
  send: (url: URL) => Promise<SentOnce>,
): Promise<Sent> {
  let grant = granted;
  for (let isFresh = false; ; isFresh = true) {
    const url = grant.urls[0]?.url;
    if (url === undefined) return refusedBy('urls', missingGrant);
    const { outcome: sent, evidence } = await send(url);
    switch (sent.kind) {
      case 'stored':
        return () => finish(deps, file, evidence, grant, sent);
      case 'stop':
        return mayBeStored(sent.outcome) ? sent.outcome : dropping(deps, file, sent.outcome);
      case 'no-such-upload':
        return dropping(deps, file, refusedBy('object', sent.failure));
      case 'fresh-url': {
        // A URL may have lapsed once; if a new one is refused too, its age is not the reason
        if (isFresh) return dropping(deps, file, refusedBy('object', sent.failure));
        const again = await askFor(deps, [file], signal);
        if (!again.ok) return dropping(deps, file, again.outcome);
        const mine = again.grants.get(file.fileId);
        if (mine?.ok !== true) return dropping(deps, file, refusedBy('urls', mine?.error ?? missingGrant));
        await deps.kept.keep([{ ...file, grant: mine.value }]);
        if (!deps.circuits.mayCall('object', file.job.subject)) return notBegun;
        grant = mine.value;
        break;
      }
      default:
        assertNever(sent);
    }
  }
}

/** If the file changed meanwhile, the stored bytes are not the clip: its new version is sent again. */
async function finish(
  deps: Deps,
  file: SmallFile,
  evidence: SentOnce['evidence'],
  { storageKey, requestIds: grantIds = [] }: UploadGrant,
  { sha256, etag, requestIds = [] }: SendOutcome & { readonly kind: 'stored' },
): Promise<JobOutcome> {
  const unchanged = await evidence.verifyUnchanged();
  if (!unchanged.ok) return alsoNoting(fileOutcome(unchanged.error), () => deps.kept.reuse(file));
  deps.circuits.succeeded('object', file.job.subject);
  const { ctimeNs } = unchanged.value;
  const proof = { startedAt: file.job.leasedAt, etag, ctimeNs, ...withIds([...grantIds, ...requestIds]) };
  return {
    kind: 'done',
    commit() {
      deps.kept.drop(file);
      return file.isThumbnail
        ? deps.results.thumbnailUploaded(file.clipId, storageKey, sha256, {
            ...file.version,
            path: file.path,
          })
        : deps.results.clipUploaded(file.clipId, storageKey, sha256, file.version, proof);
    },
  };
}

/** The outcome, and a note in its transaction that storage does not have the file. */
function dropping({ kept }: Deps, file: SmallFile, outcome: JobOutcome): JobOutcome {
  return alsoNoting(outcome, () => kept.drop(file));
}
