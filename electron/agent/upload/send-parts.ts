import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { withIds } from '../core/request-ids.ts';
import { fileTooLarge } from '../core/failures/upload-failure.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import { type JobOutcome, serviceOutcome } from '../queue/outcome.ts';
import type { HashPool } from '../files/hashing/hash-pool.ts';
import { fileChanged } from '../files/evidence-failure.ts';
import { type FileHash, createHashAhead, type HashAhead } from './file-hash.ts';
import type { LargeParts } from './large-run.ts';
import type { SendOutcome } from './send-outcome.ts';
import { wantedSums } from './send-range.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { PartUrls } from './upload-urls.ts';

/** Fresh URLs that one part may ask for in one run before that counts as a failure. */
const MAX_FRESH_URLS = 3;

/** The parts of one clip on their way. */
export interface PartsRun extends LargeParts {
  readonly clip: ClipRow;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  readonly urls: PartUrls;
  readonly hash: FileHash;
  readonly hashPool: HashPool;
  /** Acknowledgments on their way to the disk; the line does not wait for each. */
  readonly storing: Promise<void>[];
}

/** How the parts of a clip fared: all are with storage, or why they are not. */
export type PartsOutcome =
  | { readonly kind: 'all-sent' }
  | { readonly kind: 'stop'; readonly outcome: JobOutcome }
  | { readonly kind: 'file-trouble'; readonly failure: Failure }
  | { readonly kind: 'start-anew'; readonly failure: Failure };

type PartsTrouble = Exclude<PartsOutcome, { kind: 'all-sent' }>;

/**
 * Sends the parts that storage does not have yet, several at once. After the first trouble no new part begins;
 * those on the line are let end, so that what arrived is not sent twice.
 */
export async function sendParts(run: PartsRun, signal: AbortSignal): Promise<PartsOutcome> {
  const rows = run.tables.parts.ofClip(run.clip.id);
  const done = new Set(rows.map((row) => row.number));
  for (const row of rows) run.meter.acknowledged(run.clip.id, row.sizeBytes);
  const numbers = Array.from({ length: run.upload.partCount }, (_, index) => index + 1).filter(
    (number) => !done.has(number),
  );
  const missing = numbers.values();
  const giveUp = new AbortController();
  const hashAhead = createHashAhead({
    ...run,
    numbers,
    wanted: () => wantedSums(run.etags, run.urls.host()),
    signal: AbortSignal.any([signal, giveUp.signal]),
  });
  let trouble: PartsTrouble | undefined;
  let progressed = false;
  let isCutShort = false;
  const note = (problem: PartsTrouble | undefined): void => {
    trouble ??= problem;
  };
  const sender = async (): Promise<void> => {
    for (const number of missing) {
      if (trouble !== undefined || signal.aborted) return;
      if (run.isEnding()) {
        isCutShort = true;
        return;
      }
      run.hash.mayRead(number);
      const problem = await sendPart(run, number, hashAhead, signal);
      if (problem === undefined) progressed = true;
      note(problem);
    }
  };
  const senders = Array.from({ length: run.rules.concurrentParts }, sender);
  await Promise.all([...senders, proveEarlier(run, rows, () => trouble !== undefined, signal).then(note)]);
  giveUp.abort();
  await Promise.all(run.storing);
  if (trouble !== undefined) return withProgress(trouble, progressed);
  return signal.aborted || isCutShort
    ? { kind: 'stop', outcome: { kind: 'interrupted' } }
    : { kind: 'all-sent' };
}

/** Progress earns new patience; damaged bytes do not. */
function withProgress(trouble: PartsTrouble, progressed: boolean): PartsTrouble {
  if (trouble.kind !== 'stop' || trouble.outcome.kind !== 'retry') return trouble;
  const { wait } = agentPolicyOf(trouble.outcome.failure.code);
  const resets = wait.kind !== 'job' || wait.resets !== false;
  return { kind: 'stop', outcome: { ...trouble.outcome, progressed: progressed && resets } };
}

/**
 * Parts of an earlier run are read again: the whole file's hash needs them, and their own hash must still be the
 * one that was stored with their acknowledgment.
 */
async function proveEarlier(
  run: PartsRun,
  rows: readonly PartRow[],
  isOver: () => boolean,
  signal: AbortSignal,
): Promise<PartsTrouble | undefined> {
  for (const row of rows) {
    run.hash.mayRead(row.number);
    if (isOver() || signal.aborted) return undefined;
    const { offset, length } = partRange(run.upload, row.number, run.upload.sizeBytes);
    const request = { source: run.evidence, offset, length, md5: false };
    const hashing = run.hashPool.hashPart(request, signal);
    run.evidence.retain(hashing);
    const sums = await hashing;
    if (!sums.ok) return signal.aborted ? undefined : { kind: 'file-trouble', failure: sums.error };
    if (sums.value.sha256 !== row.sha256) {
      const failure = fileChanged(run.evidence.name, 'was written to after a part of it was sent');
      return { kind: 'file-trouble', failure };
    }
  }
  return undefined;
}

async function sendPart(
  run: PartsRun,
  number: number,
  hashAhead: HashAhead,
  signal: AbortSignal,
): Promise<PartsTrouble | undefined> {
  const { clip, evidence, upload, urls } = run;
  const { offset, length } = partRange(upload, number, upload.sizeBytes);
  const name = `${clip.path}, part ${number} of ${upload.partCount}`;
  for (let tries = 0; ; tries += 1) {
    const url = await urls.urlFor(number, signal);
    if (!url.ok) return urlTrouble(url.error, signal);
    const limit = urls.maxSizeBytes();
    if (limit !== undefined && upload.sizeBytes > limit) {
      const failure = fileTooLarge(clip.path, upload.sizeBytes, limit);
      return { kind: 'stop', outcome: { kind: 'failed', failure } };
    }
    const range = {
      evidence,
      hashPool: run.hashPool,
      url: url.value,
      offset,
      length,
      name,
      meterKey: clip.id,
      hashing: hashAhead.hashOf(number),
      signal,
    };
    const sent = await run.sendRange(range);
    if (sent.kind === 'stored') {
      const storing = storePart(run, number, length, sent);
      storing.catch(() => undefined);
      run.storing.push(storing);
      return undefined;
    }
    if (sent.kind === 'no-such-upload') return { kind: 'start-anew', failure: sent.failure };
    if (sent.kind === 'stop') return partTrouble(sent.outcome);
    urls.refuse(url.value);
    if (tries + 1 >= MAX_FRESH_URLS)
      return { kind: 'stop', outcome: { kind: 'retry', failure: sent.failure } };
  }
}

/** 404 and 410: the upload was aborted behind our back, so no URL will ever come for it. */
function urlTrouble(failure: Failure, signal: AbortSignal): PartsTrouble {
  if (failure.status !== 404 && failure.status !== 410) {
    return { kind: 'stop', outcome: serviceOutcome(failure, signal) };
  }
  const advice = 'Nothing to do: the clip is uploaded anew.';
  return { kind: 'start-anew', failure: { ...failure, code: 'STORAGE_NO_UPLOAD', retryable: true, advice } };
}

function partTrouble(outcome: JobOutcome): PartsTrouble {
  const isChange = outcome.kind === 'retry' && agentPolicyOf(outcome.failure.code).file === 'changed';
  return isChange ? { kind: 'file-trouble', failure: outcome.failure } : { kind: 'stop', outcome };
}

/** The acknowledgment is on disk before the upload is completed: after a kill the part is not sent again. */
async function storePart(
  run: PartsRun,
  number: number,
  sizeBytes: number,
  { etag, sha256, requestIds }: SendOutcome & { readonly kind: 'stored' },
): Promise<void> {
  const { circuits, groupCommit, tables, clip, clock } = run;
  circuits.succeeded('storage');
  await groupCommit.commit(() => {
    tables.parts.put({ clipId: clip.id, number, sizeBytes, etag, sha256 });
    const part = { kind: 'parts', first: number, last: number, count: 1, sizeBytes } as const;
    tables.history.part(clip.id, clock.now(), { ...part, ...withIds(requestIds) });
  });
}
