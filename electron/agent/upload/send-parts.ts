import type { Failure } from '../../../shared/domain/failure.ts';
import { agentPolicyOf } from '../core/failures/failure-policy.ts';
import { withIds } from '../core/text/redact.ts';
import { fileTooLarge } from '../core/failures/upload-failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { partRange } from '../core/parts/plan-parts.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import type { MultipartRow, PartRow } from '../store/multipart-rows.ts';
import { type JobOutcome, notBegun, serviceOutcome, type Step } from '../queue/outcome.ts';
import type { HashPool } from '../files/hashing/hash-pool.ts';
import type { LargeRules } from './large-upload.ts';
import type { TransferMeter } from './transfer-meter.ts';
import type { Tables } from '../store/tables.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { Clock } from '../ports.ts';
import { fileOutcome, type SendOutcome } from './send-outcome.ts';
import type { RangeRequest, SendRange } from './send-range.ts';
import type { SourceFile } from '../files/source-file.ts';
import { isRestartDue } from './large-upload.ts';
import { isCountRefused, type PartUrls } from './upload-urls.ts';

/** Attempts for one part in one run: a new URL is requested once; if that is refused too, its age is not the reason. */
const TRIES_WITH_FRESH_URL = 2;

/**
 * Parts that storage acknowledged within this time are written together, milliseconds. After a kill that many more are
 * sent again; written one by one, those of 8 GiB on a fast line would fill the queue's log.
 */
const STORE_EVERY_MS = 100;

/** What sending parts needs. */
export interface SendPartsDeps {
  readonly tables: Tables;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly sendRange: SendRange;
  readonly meter: TransferMeter;
  readonly rules: Pick<LargeRules, 'concurrentParts'>;
  /** True once the program is about to end: what is on the line may finish, nothing more is started. */
  readonly isEnding: () => boolean;
}

/** What is sent of a part: its bytes in memory, or its sums from a second read. */
export type PartContent = Pick<RangeRequest, 'held' | 'hashing'>;

/** A part that is to be sent now. */
export interface BegunPart {
  /** Resolves once its bytes have been read, where they are read first. */
  readonly content: Promise<Result<PartContent, Failure>>;
  /** Call when the part was sent, or will not be. */
  end(): void;
}

/** The bytes of a clip's parts, and the proof that the file stayed the same while all of them were sent. */
export interface ClipBytes {
  /** 1: the sum kept of a part covers everything up to its end; 0: the part alone. */
  readonly fromStart: PartRow['fromStart'];
  /**
   * Called once, in order, for each part that storage does not have, with the part that follows it. After `signal`
   * nothing more is read for it.
   */
  begin(partNumber: number, following: number | undefined, signal: AbortSignal): BegunPart;
  /** Compares the sums of earlier runs with the file while parts are sent. Returns a failure if it has changed. */
  prove(ends: ProofEnds): Promise<Failure | undefined>;
  /** SHA-256 of the whole file, once all parts were sent. */
  digest(): Promise<Result<string, Failure>>;
  /** Releases everything; a thread that is still reading keeps the file open until it ends. */
  close(): void;
}

/** Tells when a proof has become pointless. */
export interface ProofEnds {
  readonly isOver: () => boolean;
  /** Resolves when parts are left that will not be started. */
  readonly notAllSent: Promise<undefined>;
}

/** An opened clip, with the upload that its parts belong to. */
export interface ClipInParts {
  readonly clip: ClipRow;
  readonly evidence: SourceFile;
  readonly upload: MultipartRow;
  /** Threads that hash files of this root. */
  readonly hashPool: HashPool;
  readonly urls: PartUrls;
  /** The parts that storage has. */
  readonly rows: readonly PartRow[];
  readonly bytes: ClipBytes;
  /** Whether it was begun before its number of parts was known. */
  readonly isTakenOver?: boolean;
}

/** The result for all parts of a clip: storage has them, or why not. */
export type PartsOutcome =
  | { readonly kind: 'all-sent' }
  | { readonly kind: 'stop'; readonly outcome: JobOutcome }
  | { readonly kind: 'file-problem'; readonly failure: Failure }
  | { readonly kind: 'start-over'; readonly step: Step; readonly failure: Failure };

type StoredPart = SendOutcome & { readonly kind: 'stored' };
type PartsProblem = Exclude<PartsOutcome, { kind: 'all-sent' }>;

/**
 * Sends the parts that storage does not have yet, several at once. After the first problem no new part is started;
 * those on the line may finish, so that what has arrived is not sent twice.
 */
export async function sendParts(
  deps: SendPartsDeps,
  file: ClipInParts,
  signal: AbortSignal,
): Promise<PartsOutcome> {
  const { clip, upload, rows, bytes } = file;
  const done = new Set(rows.map((row) => row.number));
  for (const row of rows) deps.meter.acknowledged(clip.id, row.sizeBytes);
  const numbers = Array.from({ length: upload.partCount }, (_, index) => index + 1).filter(
    (number) => !done.has(number),
  );
  const missing = numbers.entries();
  const giveUp = new AbortController();
  const ending = AbortSignal.any([signal, giveUp.signal]);
  const acknowledged = createPartStore(deps, file);
  let problem: PartsProblem | undefined;
  let progressed = false;
  const sendNext = async (number: number, { content }: BegunPart): Promise<StoredPart | PartsProblem> => {
    // Requested, where there are none yet, while the bytes are read
    const asking = deps.circuits.mayCall('urls', clip.id) ? file.urls.urlFor(number, signal) : undefined;
    asking?.catch(() => undefined);
    const ready = await content;
    if (!ready.ok) return ending.aborted ? cutShort : contentProblem(file.evidence, ready.error);
    if (deps.isEnding()) return cutShort;
    const asked = await asking;
    if (asked?.ok === false) return urlProblem(deps.circuits, file, asked.error, signal);
    return sendPart(deps, file, number, ready.value, signal);
  };
  const sender = async (): Promise<void> => {
    for (const [index, number] of missing) {
      if (problem !== undefined || signal.aborted) return;
      const part = bytes.begin(number, numbers[index + 1], ending);
      const sent = await sendNext(number, part).finally(() => part.end());
      if (sent.kind === 'stored') {
        progressed = true;
        acknowledged.add({ ...sent, number });
      } else {
        problem ??= sent;
        giveUp.abort();
      }
    }
  };
  const isOver = (): boolean => problem !== undefined || signal.aborted;
  const notAllSent = Promise.withResolvers<undefined>();
  const prove = async (): Promise<void> => {
    const failure = await bytes.prove({ isOver, notAllSent: notAllSent.promise });
    if (failure !== undefined) problem ??= { kind: 'file-problem', failure };
  };
  const send = async (): Promise<void> => {
    await Promise.all(Array.from({ length: deps.rules.concurrentParts }, sender));
    // The hash never gets past a part that was not started
    if (isOver()) notAllSent.resolve(undefined);
  };
  try {
    await Promise.all([send(), prove()]);
  } finally {
    await acknowledged.stored();
  }
  if (problem !== undefined) return withProgress(problem, progressed);
  return signal.aborted ? cutShort : { kind: 'all-sent' };
}

const cutShort: PartsProblem = { kind: 'stop', outcome: { kind: 'interrupted' } };

async function contentProblem(evidence: SourceFile, failure: Failure): Promise<PartsProblem> {
  return partProblem(fileOutcome(await evidence.judge(failure)));
}

/** Progress resets the attempts. */
function withProgress(problem: PartsProblem, progressed: boolean): PartsProblem {
  if (problem.kind !== 'stop' || problem.outcome.kind !== 'retry') return problem;
  return { kind: 'stop', outcome: { ...problem.outcome, progressed } };
}

async function sendPart(
  deps: SendPartsDeps,
  file: ClipInParts,
  number: number,
  content: PartContent,
  signal: AbortSignal,
): Promise<StoredPart | PartsProblem> {
  const { circuits } = deps;
  const { clip, evidence, upload, hashPool, urls } = file;
  const { offset, length } = partRange(upload, number, upload.sizeBytes);
  const name = `${clip.path}, part ${number} of ${upload.partCount}`;
  for (let tries = 1; ; tries += 1) {
    // Others may have found out meanwhile that nothing gets through now
    if (!circuits.mayCall('urls', clip.id)) return { kind: 'stop', outcome: notBegun };
    const url = await urls.urlFor(number, signal);
    if (!url.ok) return urlProblem(circuits, file, url.error, signal);
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
      ...content,
      signal,
    };
    const sent = await deps.sendRange(range);
    if (sent.kind === 'stored') return sent;
    if (sent.kind === 'no-such-upload') return { kind: 'start-over', step: 'part', failure: sent.failure };
    if (sent.kind === 'stop') return partProblem(sent.outcome);
    urls.refuse(url.value);
    if (tries >= TRIES_WITH_FRESH_URL)
      return { kind: 'stop', outcome: { kind: 'refused', step: 'part', failure: sent.failure } };
  }
}

/** 404 and 410: someone else aborted the upload, so it will never get URLs; or the service says so of everything. */
function urlProblem(
  circuits: Circuits,
  { clip, isTakenOver }: ClipInParts,
  failure: Failure,
  signal: AbortSignal,
): PartsProblem {
  if (isTakenOver === true && isCountRefused(failure)) return { kind: 'start-over', step: 'urls', failure };
  const isUnknown = failure.status === 404 || failure.status === 410;
  if (!isUnknown || !isRestartDue(circuits, 'urls', clip.id, failure))
    return { kind: 'stop', outcome: serviceOutcome('urls', failure, signal) };
  const advice = 'If this still fails after several automatic retries, tell the operator of the service.';
  const unknown: Failure = { ...failure, code: 'STORAGE_NO_UPLOAD', retryable: true, advice };
  return { kind: 'start-over', step: 'urls', failure: unknown };
}

function partProblem(outcome: JobOutcome): PartsProblem {
  const isChange = outcome.kind === 'retry' && agentPolicyOf(outcome.failure.code).file === 'changed';
  return isChange ? { kind: 'file-problem', failure: outcome.failure } : { kind: 'stop', outcome };
}

/** Parts on their way to the disk: the line does not wait for them. */
interface PartStore {
  /** Takes a part that storage has. */
  add(part: AcknowledgedPart): void;
  /** Writes the rest immediately; resolves when all are on the disk: after a kill none of them is sent again. */
  stored(): Promise<void>;
}

type AcknowledgedPart = StoredPart & Pick<PartRow, 'number'>;

function createPartStore(deps: SendPartsDeps, { clip, upload, bytes }: ClipInParts): PartStore {
  const { circuits, groupCommit, tables, clock } = deps;
  const storing: Promise<void>[] = [];
  let gathered: AcknowledgedPart[] = [];
  let takeBack: (() => void) | undefined;

  function write(parts: readonly AcknowledgedPart[]): void {
    // Given up meanwhile for a newer version of the file
    if (tables.multiparts.byClip(clip.id)?.uploadId !== upload.uploadId) return;
    for (const { number, etag, sha256, requestIds } of parts) {
      const { length: sizeBytes } = partRange(upload, number, upload.sizeBytes);
      tables.parts.put({ clipId: clip.id, number, sizeBytes, etag, sha256, fromStart: bytes.fromStart });
      const part = { kind: 'parts', first: number, last: number, count: 1, sizeBytes } as const;
      tables.history.part(clip.id, clock.now(), { ...part, ...withIds(requestIds) });
    }
  }

  function storeGathered(): void {
    takeBack?.();
    takeBack = undefined;
    const parts = gathered;
    gathered = [];
    if (parts.length === 0) return;
    const stored = groupCommit.commit(() => write(parts));
    stored.catch(() => undefined);
    storing.push(stored);
  }

  return {
    add(part) {
      circuits.succeeded('part', clip.id);
      gathered.push(part);
      takeBack ??= clock.after(STORE_EVERY_MS, storeGathered);
    },
    async stored() {
      storeGathered();
      await Promise.all(storing);
    },
  };
}
