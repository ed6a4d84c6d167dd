import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { withIds } from '../core/request-ids.ts';
import { fileTooLarge } from '../core/failures/upload-failure.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import { type JobOutcome, notBegun, serviceOutcome, type Step } from '../queue/outcome.ts';
import type { HashPool } from '../files/hashing/hash-pool.ts';
import { fileChanged } from '../files/file-failures.ts';
import { type FileHash, createHashAhead, type HashAhead } from './file-hash.ts';
import type { LargeRules } from './large-upload.ts';
import type { EtagCache } from './etag-cache.ts';
import type { TransferMeter } from './transfer-meter.ts';
import type { Tables } from '../store/tables.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { Clock } from '../ports.ts';
import type { SendOutcome } from './send-outcome.ts';
import { wantedSums, type SendRange } from './send-range.ts';
import type { SourceFile } from '../files/source-file.ts';
import { isTimeToStartAnew } from './complete-upload.ts';
import type { PartUrls } from './upload-urls.ts';

/** Tries of one part in one run: a URL that is not accepted is asked for anew once; then it is no matter of its age. */
const TRIES_WITH_FRESH_URL = 2;

/** What sending parts needs. */
export interface SendPartsDeps {
  readonly tables: Tables;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly sendRange: SendRange;
  readonly meter: TransferMeter;
  readonly etags: EtagCache;
  readonly rules: Pick<LargeRules, 'concurrentParts'>;
  /** True once the program is about to end: what is on the line is let end, nothing more is begun. */
  readonly isEnding: () => boolean;
}

/** A clip, opened, with the upload that its parts belong to. */
export interface ClipInParts {
  readonly clip: ClipRow;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  /** Threads that hash files of this root. */
  readonly hashPool: HashPool;
  readonly urls: PartUrls;
  /** The hash of the whole file, made beside the sending. */
  readonly hash: FileHash;
}

/** How the parts of a clip fared: all are with storage, or why they are not. */
export type PartsOutcome =
  | { readonly kind: 'all-sent' }
  | { readonly kind: 'stop'; readonly outcome: JobOutcome }
  | { readonly kind: 'file-problem'; readonly failure: Failure }
  | { readonly kind: 'start-anew'; readonly step: Step; readonly failure: Failure };

type StoredPart = SendOutcome & { readonly kind: 'stored' };
type PartsProblem = Exclude<PartsOutcome, { kind: 'all-sent' }>;

/**
 * Sends the parts that storage does not have yet, several at once. After the first problem no new part begins;
 * those on the line are let end, so that what arrived is not sent twice.
 */
export async function sendParts(
  deps: SendPartsDeps,
  file: ClipInParts,
  signal: AbortSignal,
): Promise<PartsOutcome> {
  const { clip, evidence, upload, hashPool, urls, hash } = file;
  const rows = deps.tables.parts.ofClip(clip.id);
  const done = new Set(rows.map((row) => row.number));
  for (const row of rows) deps.meter.acknowledged(clip.id, row.sizeBytes);
  const numbers = Array.from({ length: upload.partCount }, (_, index) => index + 1).filter(
    (number) => !done.has(number),
  );
  const missing = numbers.values();
  const giveUp = new AbortController();
  const hashAhead = createHashAhead({
    hashPool,
    evidence,
    upload,
    numbers,
    wanted: () => wantedSums(deps.etags, urls.host()),
    signal: AbortSignal.any([signal, giveUp.signal]),
  });
  // Acknowledgments on their way to the disk: the line does not wait for each
  const storing: Promise<void>[] = [];
  let problem: PartsProblem | undefined;
  let progressed = false;
  let isCutShort = false;
  const sender = async (): Promise<void> => {
    for (const number of missing) {
      if (problem !== undefined || signal.aborted) return;
      if (deps.isEnding()) {
        isCutShort = true;
        return;
      }
      hash.mayRead(number);
      const sent = await sendPart(deps, file, number, hashAhead, signal);
      if (sent.kind === 'stored') {
        progressed = true;
        const stored = storePart(deps, file, number, sent);
        stored.catch(() => undefined);
        storing.push(stored);
      } else problem ??= sent;
    }
  };
  const prove = async (): Promise<void> => {
    const found = await proveEarlier(file, rows, () => problem !== undefined, signal);
    problem ??= found;
  };
  const senders = Array.from({ length: deps.rules.concurrentParts }, sender);
  await Promise.all([...senders, prove()]);
  giveUp.abort();
  await Promise.all(storing);
  if (problem !== undefined) return withProgress(problem, progressed);
  return signal.aborted || isCutShort
    ? { kind: 'stop', outcome: { kind: 'interrupted' } }
    : { kind: 'all-sent' };
}

/** Progress earns new patience. */
function withProgress(problem: PartsProblem, progressed: boolean): PartsProblem {
  if (problem.kind !== 'stop' || problem.outcome.kind !== 'retry') return problem;
  return { kind: 'stop', outcome: { ...problem.outcome, progressed } };
}

/**
 * Parts of an earlier run are read again: the whole file's hash needs them, and their own hash must still be the
 * one that was stored with their acknowledgment.
 */
async function proveEarlier(
  { evidence, upload, hashPool, hash }: ClipInParts,
  rows: readonly PartRow[],
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<PartsProblem | undefined> {
  for (const row of rows) {
    hash.mayRead(row.number);
    if (isOver() || signal.aborted) return undefined;
    const { offset, length } = partRange(upload, row.number, upload.sizeBytes);
    const request = { source: evidence, offset, length, md5: false };
    const hashing = hashPool.hashPart(request, signal);
    evidence.retain(hashing);
    const sums = await hashing;
    if (!sums.ok)
      return signal.aborted ? undefined : { kind: 'file-problem', failure: await evidence.judge(sums.error) };
    if (sums.value.sha256 !== row.sha256) {
      const failure = fileChanged(evidence.name, 'was written to after a part of it was sent');
      return { kind: 'file-problem', failure };
    }
  }
  return undefined;
}

async function sendPart(
  deps: SendPartsDeps,
  { clip, evidence, upload, hashPool, urls }: ClipInParts,
  number: number,
  hashAhead: HashAhead,
  signal: AbortSignal,
): Promise<StoredPart | PartsProblem> {
  const { circuits } = deps;
  const { offset, length } = partRange(upload, number, upload.sizeBytes);
  const name = `${clip.path}, part ${number} of ${upload.partCount}`;
  for (let tries = 1; ; tries += 1) {
    // Others may have found out meanwhile that nothing gets through now
    if (!circuits.mayCall('urls', clip.id)) return { kind: 'stop', outcome: notBegun };
    const url = await urls.urlFor(number, signal);
    if (!url.ok) return urlProblem(circuits, clip, url.error, signal);
    if (!circuits.mayCall('part', clip.id)) return { kind: 'stop', outcome: notBegun };
    const limit = urls.maxSizeBytes();
    if (limit !== undefined && upload.sizeBytes > limit) {
      const failure = fileTooLarge(upload.sizeBytes, limit);
      return { kind: 'stop', outcome: { kind: 'failed', failure } };
    }
    const range = {
      evidence,
      hashPool,
      url: url.value,
      step: 'part' as const,
      offset,
      length,
      name,
      meterKey: clip.id,
      hashing: hashAhead.hashOf(number),
      signal,
    };
    const sent = await deps.sendRange(range);
    if (sent.kind === 'stored') return sent;
    if (sent.kind === 'no-such-upload') return { kind: 'start-anew', step: 'part', failure: sent.failure };
    if (sent.kind === 'stop') return partProblem(sent.outcome);
    urls.refuse(url.value);
    if (tries >= TRIES_WITH_FRESH_URL)
      return { kind: 'stop', outcome: { kind: 'refused', step: 'part', failure: sent.failure } };
  }
}

/** 404 and 410: the upload was aborted behind our back, so no URL will ever come for it; or the service says so of everything. */
function urlProblem(circuits: Circuits, clip: ClipRow, failure: Failure, signal: AbortSignal): PartsProblem {
  const isUnknown = failure.status === 404 || failure.status === 410;
  if (!isUnknown || !isTimeToStartAnew(circuits, 'urls', clip.id))
    return { kind: 'stop', outcome: serviceOutcome('urls', failure, signal) };
  const advice = 'Nothing to do: the clip will be uploaded again.';
  const unknown: Failure = { ...failure, code: 'STORAGE_NO_UPLOAD', retryable: true, advice };
  return { kind: 'start-anew', step: 'urls', failure: unknown };
}

function partProblem(outcome: JobOutcome): PartsProblem {
  const isChange = outcome.kind === 'retry' && agentPolicyOf(outcome.failure.code).file === 'changed';
  return isChange ? { kind: 'file-problem', failure: outcome.failure } : { kind: 'stop', outcome };
}

/** The acknowledgment is on disk before the upload is completed: after a kill the part is not sent again. */
async function storePart(
  { circuits, groupCommit, tables, clock }: SendPartsDeps,
  { clip, upload }: ClipInParts,
  number: number,
  { etag, sha256, requestIds }: StoredPart,
): Promise<void> {
  const { length: sizeBytes } = partRange(upload, number, upload.sizeBytes);
  circuits.succeeded('part', clip.id);
  await groupCommit.commit(() => {
    tables.parts.put({ clipId: clip.id, number, sizeBytes, etag, sha256 });
    const part = { kind: 'parts', first: number, last: number, count: 1, sizeBytes } as const;
    tables.history.part(clip.id, clock.now(), { ...part, ...withIds(requestIds) });
  });
}
