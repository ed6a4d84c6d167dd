import { assertNever } from '../../../shared/lib/result.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { withIds } from '../core/text/redact.ts';
import { fileEmpty, fileTooLarge } from '../core/failures/upload-failure.ts';
import type { Circuits } from '../queue/circuits.ts';
import { type Step, type JobOutcome, notBegun } from '../queue/outcome.ts';
import type { PartHash, HashPools } from '../files/hashing/hash-pool.ts';
import type { ClipResults } from '../queue/clip-results.ts';
import type { RootGates } from '../files/root-gate.ts';
import { type openAhead, openSource, type ReadFile, type SourceFile } from '../files/source-file.ts';
import type { EtagCache } from './etag-cache.ts';
import type { HandedBack } from './hand-over.ts';
import type { KeptGrants } from './kept-grants.ts';
import { fileOutcome, type SendOutcome } from './send-outcome.ts';
import { holdSnapshot, type HeldSnapshot, wantedSums, type SendRange } from './send-range.ts';
import { isSnapshot, type SmallFile, askFor, mayBeStored, missingGrant, type Grant } from './small-files.ts';
import type { UploadGrant, UploadUrls } from './upload-urls.ts';

/** What sending a file in one piece needs. */
export interface SendSmallDeps {
  readonly uploadUrls: UploadUrls;
  readonly sendRange: SendRange;
  readonly etags: EtagCache;
  readonly gates: RootGates;
  readonly hashPools: HashPools;
  readonly circuits: Circuits;
  readonly results: ClipResults;
  readonly kept: KeptGrants;
  /** True once the program is about to end: what is on the line is let end, nothing more is begun. */
  readonly isEnding: () => boolean;
  readonly snapshotOf: ReturnType<typeof openAhead<SmallFile>>;
}

/** What became of a file that is off the line, or what finds that out. */
export type Sent = JobOutcome | (() => Promise<JobOutcome>);

/** Sends the file, unless others have found out meanwhile that nothing gets through now. */
export async function sendOrLeave(
  deps: SendSmallDeps,
  file: SmallFile,
  grant: Grant | undefined,
  signal: AbortSignal,
): Promise<Sent> {
  if (signal.aborted || deps.isEnding() || !deps.circuits.mayCall('object', file.job.subject))
    return notBegun;
  return grant?.ok === true
    ? sendFile(deps, file, { grant: grant.value, isFresh: false }, signal)
    : refusedBy('urls', grant?.error ?? missingGrant);
}

/** What became of a file that a thread was to send; undefined: nothing yet, it is to be sent from here. */
export async function whatCameBack(
  deps: SendSmallDeps,
  file: SmallFile,
  coming: Promise<HandedBack>,
  signal: AbortSignal,
): Promise<Sent | undefined> {
  const back = await coming;
  if (back.kind === 'left') return undefined;
  if (back.kind === 'unread') return signal.aborted ? { kind: 'interrupted' } : fileOutcome(back.failure);
  const { grant, evidence, outcome } = back;
  if (outcome.kind !== 'fresh-url') return judgeSent(deps, file, evidence, grant, outcome);
  const again = await askAgain(deps, file, signal);
  return again.ok ? sendFile(deps, file, { grant: again.grant, isFresh: true }, signal) : again.outcome;
}

function refusedBy(step: Step, failure: Failure): JobOutcome {
  return { kind: 'refused', step, failure };
}

/** Where a file goes; `isFresh`: another URL was not accepted before. */
interface Way {
  readonly grant: UploadGrant;
  readonly isFresh: boolean;
}

async function sendFile(deps: SendSmallDeps, file: SmallFile, way: Way, signal: AbortSignal): Promise<Sent> {
  const { maxSizeBytes } = way.grant;
  const { sizeBytes } = file.version;
  const unread = (failure: Failure): JobOutcome =>
    signal.aborted ? { kind: 'interrupted' } : fileOutcome(failure);
  if (sizeBytes === 0) return { kind: 'failed', failure: fileEmpty(file.path) };
  if (maxSizeBytes !== undefined && sizeBytes > maxSizeBytes) {
    return { kind: 'failed', failure: fileTooLarge(sizeBytes, maxSizeBytes) };
  }
  if (isSnapshot(file)) {
    const taken = await deps.snapshotOf(file);
    if (!taken.ok) return unread(taken.error);
    const held = holdSnapshot(taken.value);
    const sent = await sendOpened(deps, file, { evidence: taken.value.file, held }, way, signal);
    held.free();
    return sent;
  }
  const opened = await openSource(deps.gates, file, signal);
  if (!opened.ok) return unread(opened.error);
  try {
    const sent = await sendOpened(deps, file, { evidence: opened.value }, way, signal);
    return typeof sent === 'function' ? await sent() : sent;
  } finally {
    opened.value.release();
  }
}

interface Opened {
  readonly evidence: SourceFile;
  readonly held?: HeldSnapshot;
}

async function sendOpened(
  deps: SendSmallDeps,
  file: SmallFile,
  { evidence, held }: Opened,
  { grant, isFresh }: Way,
  signal: AbortSignal,
): Promise<Sent> {
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
    ...(held === undefined ? {} : { held }),
    signal,
  });
  // A URL may have lapsed once; when a new one is not accepted either, it is no matter of its age
  if (sent.kind !== 'fresh-url' || isFresh) return judgeSent(deps, file, evidence, grant, sent);
  const again = await askAgain(deps, file, signal);
  if (!again.ok) return again.outcome;
  // Other storage may state MD5s, which were not made: the file is read anew for it
  if (held !== undefined && !hasWantedSums(deps, held.sums, again.grant)) return notBegun;
  return sendOpened(
    deps,
    file,
    { evidence, ...(held && { held }) },
    { grant: again.grant, isFresh: true },
    signal,
  );
}

function judgeSent(
  deps: SendSmallDeps,
  file: SmallFile,
  evidence: ReadFile,
  grant: UploadGrant,
  sent: SendOutcome,
): Sent {
  switch (sent.kind) {
    case 'stored':
      return () => finish(deps, file, evidence, grant, sent);
    case 'stop':
      return mayBeStored(sent.outcome) ? sent.outcome : dropping(deps, file, sent.outcome);
    case 'no-such-upload':
    case 'fresh-url':
      return dropping(deps, file, refusedBy('object', sent.failure));
    default:
      return assertNever(sent);
  }
}

type Again =
  { readonly ok: true; readonly grant: UploadGrant } | { readonly ok: false; readonly outcome: JobOutcome };

/** Asks for another URL in place of one that storage did not accept. */
async function askAgain(deps: SendSmallDeps, file: SmallFile, signal: AbortSignal): Promise<Again> {
  const answer = await askFor(deps, [file], signal);
  if (!answer.ok) return { ok: false, outcome: dropping(deps, file, answer.outcome) };
  const mine = answer.grants.get(file.fileId);
  if (mine?.ok !== true)
    return { ok: false, outcome: dropping(deps, file, refusedBy('urls', mine?.error ?? missingGrant)) };
  await deps.kept.keep([{ ...file, grant: mine.value }]);
  if (!deps.circuits.mayCall('object', file.job.subject)) return { ok: false, outcome: notBegun };
  return { ok: true, grant: mine.value };
}

function hasWantedSums({ etags }: SendSmallDeps, { md5 }: PartHash, { urls }: UploadGrant): boolean {
  return md5 !== undefined || !wantedSums(etags, urls[0]?.url.host).md5;
}

/** Stored bytes of a file that changed meanwhile are not the clip: it is sent again as it is then. */
async function finish(
  deps: SendSmallDeps,
  file: SmallFile,
  evidence: ReadFile,
  { storageKey, requestIds: grantIds = [] }: UploadGrant,
  { sha256, etag, requestIds = [] }: SendOutcome & { readonly kind: 'stored' },
): Promise<JobOutcome> {
  const unchanged = await evidence.verifyUnchanged();
  if (!unchanged.ok) return before(fileOutcome(unchanged.error), () => deps.kept.reuse(file));
  deps.circuits.succeeded('object', file.job.subject);
  const { ctimeNs } = unchanged.value;
  const proof = { startedAt: file.job.leasedAt, etag, ctimeNs, ...withIds([...grantIds, ...requestIds]) };
  return {
    kind: 'done',
    commit() {
      deps.kept.drop(file);
      return file.isThumbnail
        ? deps.results.thumbnailUploaded(file.clipId, storageKey, sha256)
        : deps.results.clipUploaded(file.clipId, storageKey, sha256, file.version, proof);
    },
  };
}

/** The outcome, with the word that storage does not have the file. */
function dropping({ kept }: SendSmallDeps, file: SmallFile, outcome: JobOutcome): JobOutcome {
  return before(outcome, () => kept.drop(file));
}

function before(outcome: JobOutcome, write: () => void): JobOutcome {
  if (outcome.kind === 'interrupted') return outcome;
  const { commit } = outcome;
  return {
    ...outcome,
    commit() {
      write();
      return commit?.();
    },
  };
}
