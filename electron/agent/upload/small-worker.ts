import { ok } from '../../../shared/lib/result.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import { createSiteCheck, type SiteCheck, type SiteDeps } from '../queue/listed-clips.ts';
import type { JobOutcome } from '../queue/outcome.ts';
import type { SnapshotReader } from '../files/snapshot-reader.ts';
import { isThumbnailLost } from '../queue/incident-jobs.ts';
import { openAhead, openSnapshot } from '../files/source-file.ts';
import { handOver, type HandOverDeps } from './hand-over.ts';
import { fileOutcome, problemBefore } from './send-outcome.ts';
import { wantedSums } from './send-range.ts';
import { sendOrLeave, whatCameBack, type SendSmallDeps, type Sent } from './send-small.ts';
import {
  describeFile,
  isForParts,
  isSnapshot,
  type SmallFile,
  type SmallFileDeps,
  askFor,
  type Grant,
} from './small-files.ts';

/** Two batches: while one is on the line the other asks for its URLs. */
const SLOTS = 2;
/** Files of one `upload_urls` call: its round trip is shared, and its URLs are used long before they lapse. */
const BATCH_SIZE = 50;
/** Small files on the line at once, over both batches: their time is round trips, not bytes. */
const CONCURRENT_SENDS = 8;
/** Files of one batch on the line at once. */
const LANES = CONCURRENT_SENDS / SLOTS;
/** Batches more while some wait for an answer that does not come. */
const SPARE_SLOTS = 2;

interface Deps extends SiteDeps, HandOverDeps, SmallFileDeps, Omit<SendSmallDeps, 'snapshotOf'> {
  readonly tables: SiteDeps['tables'];
  readonly circuits: SiteDeps['circuits'];
  readonly snapshots: SnapshotReader;
  /** Size from which a clip goes in parts, bytes. */
  readonly thresholdBytes: number;
}

type Settle = (job: JobRow, outcome: JobOutcome) => Promise<void>;

/**
 * The worker for files in one piece: one `upload_urls` call for several files of an incident, then their PUTs
 * side by side. Safe to run twice: a file whose answer was lost is sent again to its own key.
 */
export function createSmallWorker(given: Deps): PoolWorker {
  const deps = { ...given, site: createSiteCheck(given) };
  return {
    pool: 'small',
    slots: SLOTS,
    spareSlots: SPARE_SLOTS,
    batchSize: BATCH_SIZE,
    steps: { 'send-clip': [...deps.site.steps, 'urls', 'object'], 'send-thumbnail': ['urls', 'object'] },
    run: (jobs, settle, signal) => runBatch(deps, jobs, settle, signal),
    onGivenUp: (job, failure) => deps.results.givenUp(job, failure),
    onRetry: (job, failure, delayMs) => deps.results.retrying(job, failure, delayMs),
  };
}

async function runBatch(
  deps: Deps & { readonly site: SiteCheck },
  jobs: readonly JobRow[],
  settle: Settle,
  signal: AbortSignal,
): Promise<void> {
  const clips = jobs.filter(({ kind }) => kind === 'send-clip');
  const unasked = await deps.site.before(clips, signal);
  if (unasked !== undefined) return void (await Promise.all(jobs.map((job) => settle(job, unasked))));
  const files: SmallFile[] = [];
  for (const job of jobs) {
    const file = describeFile(deps, job);
    const problem = file && (await problemBefore(deps.gates, job, file, signal));
    // Sent already, or no longer wanted: the job is done twice without harm.
    if (file === undefined) await settle(job, { kind: 'done' });
    else if (isForParts(file, deps.thresholdBytes))
      await settle(job, { kind: 'done', commit: () => deps.results.sendInParts(file.clipId) });
    else if (problem !== undefined)
      await settle(job, signal.aborted ? { kind: 'interrupted' } : fileOutcome(problem));
    else files.push(file);
  }
  const known = await deps.kept.of(files);
  const unknown = files.filter((file) => !known.has(file.fileId));
  const granted = await askFor(deps, unknown, signal);
  if (!granted.ok) for (const file of unknown) await settle(file.job, granted.outcome);
  if (granted.ok) await deps.kept.keep(withGrants(unknown, granted.grants));
  const grants = new Map<SmallFile, Grant | undefined>();
  for (const file of files) {
    const kept = known.get(file.fileId);
    if (kept !== undefined) grants.set(file, ok(kept));
    else if (granted.ok) grants.set(file, granted.grants.get(file.fileId));
  }
  await sendBatch(deps, grants, settle, signal);
}

/** Sends each file that has its place among `grants`: by a thread where that is worth it, else from here. */
async function sendBatch(
  deps: Deps,
  grants: ReadonlyMap<SmallFile, Grant | undefined>,
  settle: Settle,
  signal: AbortSignal,
): Promise<void> {
  const handed = handOver(deps, grants, LANES, signal);
  const here = [...grants.keys()].filter((file) => !handed.has(file));
  const sendDeps = { ...deps, snapshotOf: readAhead(deps, here, grants, signal) };
  // The line does not wait for the disk: the next file is sent while the last one's facts are committed with others.
  const settling: Promise<void>[] = [];
  const settleSent = (file: SmallFile, sent: Sent): void => {
    const settled = settleOne(deps, file, sent, settle);
    // Whoever waits for all of them hears of it
    settled.catch(() => undefined);
    settling.push(settled);
  };
  const sendHere = (files: readonly SmallFile[]): Promise<void> =>
    eachLimited(files, LANES, async (file) =>
      settleSent(file, await sendOrLeave(sendDeps, file, grants.get(file), signal)),
    );
  const left: SmallFile[] = [];
  const comeBack = async (file: SmallFile, coming: ReturnType<typeof whatCameBack>): Promise<void> => {
    const sent = await coming;
    if (sent === undefined) left.push(file);
    else settleSent(file, sent);
  };
  const coming = [...handed].map(([file, back]) =>
    comeBack(file, whatCameBack(sendDeps, file, back, signal)),
  );
  const ends = await Promise.allSettled([...coming, sendHere(here)]);
  ends.push(...(await Promise.allSettled([sendHere(left)])));
  // None is still about to be stored when its job is settled for it
  ends.push(...(await Promise.allSettled(settling)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function settleOne({ results }: Deps, file: SmallFile, sent: Sent, settle: Settle): Promise<void> {
  const outcome = typeof sent === 'function' ? await sent() : sent;
  const makeAgain = { kind: 'done', commit: () => results.thumbnailLost(file.clipId) } as const;
  await settle(file.job, file.isMade && isThumbnailLost(outcome) ? makeAgain : outcome);
}

/** Reads the files that are sent from here and fit into memory, some before they are asked for. */
function readAhead(
  { gates, snapshots, etags }: Deps,
  files: readonly SmallFile[],
  grants: ReadonlyMap<SmallFile, Grant | undefined>,
  signal: AbortSignal,
): SendSmallDeps['snapshotOf'] {
  const ahead = files.filter((file) => isSnapshot(file) && grants.get(file)?.ok === true);
  return openAhead(ahead, (file) => {
    const grant = grants.get(file);
    const host = grant?.ok === true ? grant.value.urls[0]?.url.host : undefined;
    const { md5: withMd5 } = wantedSums(etags, host);
    return openSnapshot(gates, snapshots, { ...file, withMd5 }, signal);
  });
}

function withGrants(files: readonly SmallFile[], grants: ReadonlyMap<string, Grant>) {
  return files.flatMap((file) => {
    const grant = grants.get(file.fileId);
    return grant?.ok === true ? [{ ...file, grant: grant.value }] : [];
  });
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
