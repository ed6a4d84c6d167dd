import { FailureError, type Failure } from '../../../shared/domain/failure.ts';
import {
  type ThumbnailAnswer,
  type NoThumbnail,
  type NoThumbnailReason,
  type MadeFacts,
  MAX_MADE_BYTES,
} from '../../../shared/domain/thumbnail-answer.ts';
import { isFileWaitedFor } from '../core/failures/failure-policy.ts';
import type { ClipRow } from '../store/clip-rows.ts';
import { parseFacts, parseFailure } from '../store/json-columns.ts';
import type { JobRow } from '../store/job-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { PoolWorker } from '../queue/run-batch.ts';
import type { JobOutcome } from '../queue/outcome.ts';
import type { Clock, Logger, ThumbnailMaker, ClipSource } from '../ports.ts';
import { openSource, type SourceFile } from '../files/source-file.ts';
import type { RootGates } from '../files/root-gate.ts';
import type { ThumbnailFiles, ThumbnailFile } from './thumbnail-files.ts';
import { mayHaveThumbnail, type ThumbnailJobs, PRIORITY } from '../queue/incident-jobs.ts';
import { clipId as toClipId, thumbnailFileId } from '../../../shared/domain/ids.ts';
import { isSameVersion } from '../core/settle/file-seen.ts';
import { serviceFileName } from '../core/records/derived-ids.ts';

/**
 * Most tries at one clip: a decoder that failed twice fails a third time. Waiting for a missing or hung root is not a
 * try.
 */
const MAX_TRIES = 2;
/**
 * Wait before the second try, milliseconds: by then, a file that was being written or held by a program may be free.
 */
const RETRY_MS = 30_000;

interface Deps {
  readonly tables: Tables;
  readonly maker: ThumbnailMaker;
  readonly gates: RootGates;
  readonly files: ThumbnailFiles;
  readonly thumbnailJobs: ThumbnailJobs;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The worker for thumbnails of clips whose export has none: one at a time, alongside the uploads. Safe to run twice: a
 * clip's thumbnail always has the same file name, and its row and upload are stored in one transaction with the job's
 * end.
 */
export function createThumbnailWorker(deps: Deps): PoolWorker {
  return {
    pool: 'picture',
    slots: 1,
    batchSize: 1,
    steps: { 'make-thumbnail': [] },
    async run(jobs, settle, { signal }) {
      for (const job of jobs) await settle(job, await makeOne(deps, job, signal));
    },
    // The clip is complete without one: the reason is in the job, where the page reads it
    onGivenUp: () => undefined,
    onRetry: () => undefined,
  };
}

async function makeOne(deps: Deps, job: JobRow, signal: AbortSignal): Promise<JobOutcome> {
  const { tables, gates } = deps;
  const clip = tables.clips.byId(job.subject);
  const incident = clip && tables.incidents.byId(clip.incidentId);
  if (clip === undefined || incident === undefined || !mayHaveThumbnail(clip.path)) return { kind: 'done' };
  if (tables.thumbnails.byClip(clip.id)?.origin === 'export') return { kind: 'done' };
  if (clip.state === 'failed') return { kind: 'failed', failure: clipGivenUp };
  const { rootPath, folder, folderGone } = incident;
  const place = { rootPath, folder, path: clip.path, version: clip, isFolderGone: folderGone === 1 };
  const opened = await openSource(gates, place, signal);
  if (!opened.ok) return signal.aborted ? { kind: 'interrupted' } : outcomeOf(job, opened.error);
  try {
    return await makeOf(deps, { job, clip, file: opened.value }, signal);
  } catch (error) {
    if (signal.aborted) return { kind: 'interrupted' };
    if (error instanceof FailureError) return outcomeOf(job, error.failure);
    deps.logger.warn('A thumbnail could not be made', { clip: clip.id, error });
    return outcomeOf(job, noThumbnail({ kind: 'none', reason: 'crash' }));
  } finally {
    opened.value.release();
  }
}

interface OpenClip {
  readonly job: JobRow;
  readonly clip: ClipRow;
  readonly file: SourceFile;
}

async function makeOf(deps: Deps, open: OpenClip, signal: AbortSignal): Promise<JobOutcome> {
  const { maker, files } = deps;
  const { job, clip, file } = open;
  // A maker that hangs must not hold up the end of the run
  const making = maker.make(createClipSource(file, signal), signal);
  const answer = await Promise.race([making, rejectedBy(signal)]);
  const unchanged = await file.verifyUnchanged();
  if (!unchanged.ok) return outcomeOf(job, unchanged.error);
  signal.throwIfAborted();
  if (answer.kind === 'none' || !isJpeg(answer)) return outcomeOf(job, noThumbnailOf(answer, clip));
  // Given up meanwhile: retrying the clip revives this job
  if (deps.tables.clips.byId(clip.id)?.state === 'failed') return { kind: 'failed', failure: clipGivenUp };
  const stored = await files.write(clip.id, answer.jpeg);
  return {
    kind: 'done',
    commit() {
      if (storeThumbnail(deps, { clip, file: stored, facts: answer.facts })) return undefined;
      return () => void files.remove(clip.id);
    },
  };
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

function noThumbnailOf(answer: ThumbnailAnswer, clip: ClipRow): Failure {
  const none = answer.kind === 'none' ? answer : ({ kind: 'none', reason: 'damaged' } as const);
  return noThumbnail(none, clip.facts === null ? undefined : parseFacts(clip.facts).videoCodec);
}

/** Whether the result is a JPEG from start to end marker, no larger than agreed: its maker read an untrusted file. */
function isJpeg({ jpeg }: ThumbnailAnswer & { readonly kind: 'made' }): boolean {
  if (jpeg.length > MAX_MADE_BYTES) return false;
  return Buffer.from(jpeg.subarray(0, 3)).equals(START) && Buffer.from(jpeg.subarray(-2)).equals(END);
}

const START = Buffer.from([0xff, 0xd8, 0xff]);
const END = Buffer.from([0xff, 0xd9]);

function outcomeOf(job: JobRow, failure: Failure): JobOutcome {
  if (isWaitedFor(failure)) return { kind: 'retry', failure };
  // Waiting for the file or its root was not a try at the clip
  const isFirst = isWaitedFor(parseFailure(job.failure));
  if (!failure.retryable || (!isFirst && job.attempts + 1 >= MAX_TRIES)) return { kind: 'failed', failure };
  return { kind: 'retry', failure, delayMs: RETRY_MS, progressed: isFirst };
}

const isWaitedFor = (failure: Failure | undefined): boolean =>
  failure !== undefined && isFileWaitedFor(failure.code);

/** Most bytes of one read: the memory that a hung share can hold. */
const MAX_READ_BYTES = 1024 * 1024;

/** The open clip for the thumbnail maker: every read takes its turn at the gate of the root. */
function createClipSource(file: SourceFile, signal: AbortSignal): ClipSource {
  const { sizeBytes } = file.version;
  return {
    sizeBytes,
    async read(start, end) {
      if (!(start >= 0 && end > start)) throw new RangeError(`No bytes from ${start} to ${end}`);
      const bytes = new Uint8Array(Math.max(0, Math.min(end, sizeBytes, start + MAX_READ_BYTES) - start));
      if (bytes.length === 0) return bytes;
      const read = await file.readExactly(bytes, bytes.length, start, signal);
      if (!read.ok) throw new FailureError(read.error);
      return bytes;
    },
  };
}

/** Problems that may be over at the second try; bytes and codecs do not change. */
const PASSING: ReadonlySet<NoThumbnailReason> = new Set(['read', 'deadline', 'crash']);

const texts: Readonly<Record<Exclude<NoThumbnailReason, 'codec'>, string>> = {
  format: 'Thumbnails cannot be made from this type of file.',
  noVideo: 'The clip contains no video.',
  size: 'The frame size stated in the file is not plausible.',
  black: 'Every frame that was tried is black or a single colour.',
  torn: 'No complete frame was found.',
  read: 'The clip could not be read.',
  limit: 'Too much of the file would have to be read.',
  damaged: 'The file is damaged or cut off.',
  deadline: 'Making the thumbnail took too long.',
  crash: 'An unexpected error occurred.',
  off: 'The decoder failed several times and is off until the app restarts.',
};

/** Common names of codecs that containers name differently. */
const codecNames: ReadonlyMap<string, string> = new Map([
  ['hevc', 'H.265'],
  ['avc', 'H.264'],
  ['av1', 'AV1'],
  ['vp8', 'VP8'],
  ['vp9', 'VP9'],
  ['prores', 'ProRes'],
]);

/** NO_PICTURE: why a clip has no thumbnail. `probedCodec` is the media probe's name for its codec, if it has one. */
function noThumbnail({ reason, codec }: NoThumbnail, probedCodec?: string): Failure {
  return {
    code: 'NO_PICTURE',
    message: reason === 'codec' ? undecodable(codec, probedCodec) : texts[reason],
    advice: 'The clip is sent without a thumbnail.',
    retryable: PASSING.has(reason),
  };
}

function undecodable(codec: string | undefined, probedCodec: string | undefined): string {
  const name = (codec === undefined ? undefined : (codecNames.get(codec) ?? codec)) ?? probedCodec;
  return `${name ?? 'This video'} cannot be decoded on this PC.`;
}

/** NO_PICTURE for a clip that is no longer sent. */
const clipGivenUp: Failure = {
  code: 'NO_PICTURE',
  message: 'The clip itself failed.',
  advice: 'See why the clip failed. When it is retried, its thumbnail is too.',
  retryable: false,
};

interface StoreThumbnailDeps {
  readonly tables: Tables;
  readonly thumbnailJobs: ThumbnailJobs;
  readonly clock: Pick<Clock, 'now'>;
}

/** A thumbnail, and its clip as it was when it was opened. */
interface Made {
  readonly clip: ClipRow;
  readonly file: ThumbnailFile;
  readonly facts: MadeFacts;
}

/**
 * Stores the thumbnail as the clip's and queues it for sending; to be called in the transaction that ends its job.
 * False if it is of no use: the clip changed meanwhile, was given up, or its export has an image of its own.
 */
function storeThumbnail(
  { tables, thumbnailJobs, clock }: StoreThumbnailDeps,
  { clip: opened, file, facts }: Made,
): boolean {
  const clip = tables.clips.byId(opened.id);
  const before = tables.thumbnails.byClip(opened.id);
  if (clip === undefined || clip.state === 'failed' || before?.origin === 'export') return false;
  if (!isSameVersion(clip, opened)) {
    thumbnailJobs.want(clip);
    return false;
  }
  const row = {
    clipId: clip.id,
    path: file.path,
    ...file.version,
    serviceName: serviceFileName(file.path, thumbnailFileId(toClipId(clip.id))),
    sha256: file.sha256,
    made: JSON.stringify(facts),
  };
  const isSent = before?.state === 'uploaded' && (before.sha256 ?? file.sha256) === file.sha256;
  if (isSent) {
    tables.thumbnails.refile(row);
    return true;
  }
  tables.thumbnails.putMade(row);
  const now = clock.now();
  tables.jobs.put({
    kind: 'send-thumbnail',
    subject: clip.id,
    pool: 'small',
    incidentId: clip.incidentId,
    state: tables.incidents.byId(clip.incidentId)?.checkedAt == null ? 'blocked' : 'ready',
    priority: PRIORITY.thumbnail,
    dueAt: now,
    createdAt: now,
  });
  return true;
}
