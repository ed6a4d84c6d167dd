import type { Failure } from '../../../shared/domain/failure.ts';
import { endsInHole, partsToSend } from '../core/parts/plan-parts.ts';
import type { HashPools } from '../files/hashing/hash-pool.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { Clock } from '../ports.ts';
import type { Circuits } from '../queue/circuits.ts';
import type { GroupCommit } from '../queue/group-commit.ts';
import { giveUpLive, mayWaste, noteYielded, noteRefused, type WasteRules } from '../queue/live-uploads.ts';
import { type JobOutcome, notBegun, serviceOutcome } from '../queue/outcome.ts';
import type { BufferPool } from '../service/signed-put-body.ts';
import type { LivePart, LiveUpload } from '../store/live-rows.ts';
import type { Tables } from '../store/tables.ts';
import type { EtagCache } from './etag-cache.ts';
import { holdPart, type OwnPart } from './prove-ahead.ts';
import { wantedSums, type SendRange } from './send-range.ts';
import { isCountRefused, type PartUrls } from './upload-urls.ts';

/** Parts of one clip on the line at once; the memory that holds them is shared with clips that have settled. */
const PARTS_AT_ONCE = 3;
/** How often to check whether a clip that has settled needs the line, milliseconds. */
const LOOK_MS = 100;
/** Attempts for one part in one run: after a refused URL, a new one is requested once. */
const TRIES_WITH_FRESH_URL = 2;

/** What sending parts of a growing file needs. */
export interface SendAheadDeps {
  readonly tables: Tables;
  readonly groupCommit: GroupCommit;
  readonly circuits: Circuits;
  readonly clock: Clock;
  readonly sendRange: SendRange;
  readonly hashPools: HashPools;
  readonly etags: EtagCache;
  readonly slots: BufferPool;
  readonly upload: WasteRules;
  /** True once the program is about to end. */
  readonly isEnding: () => boolean;
}

/** An upload that the service has opened. */
export type OpenUpload = LiveUpload & { readonly storageKey: string; readonly uploadId: string };

/** One run with one file. */
interface Run {
  readonly upload: OpenUpload;
  readonly evidence: SourceFile;
  readonly sizeBytes: number;
  readonly signal: AbortSignal;
}

/** Nothing is left to do until the file is longer. */
export const done: JobOutcome = { kind: 'done' };

/** Whether to continue: settled clips go first, and the upload may have been ended meanwhile. */
export function mayGoOn(deps: SendAheadDeps, { clipId, incidentId, rootId, container }: LiveUpload): boolean {
  const { live } = deps.tables;
  if (deps.isEnding() || live.byClip(clipId) === undefined) return false;
  return live.isLineFree(incidentId) && mayWaste(deps, { rootId, container });
}

export function giveUp(
  deps: SendAheadDeps,
  { clipId }: LiveUpload,
  reason: string,
  before: () => void = () => undefined,
): JobOutcome {
  return {
    kind: 'done',
    commit() {
      before();
      const row = deps.tables.live.byClip(clipId);
      if (row !== undefined) giveUpLive(deps, row, reason);
      return undefined;
    },
  };
}

/** Sends the parts below the current size, a few at once. After the first problem no new one is started. */
export async function sendPartsAhead(deps: SendAheadDeps, urls: PartUrls, run: Run): Promise<JobOutcome> {
  const { upload, sizeBytes, signal } = run;
  // One that was begun and not acknowledged may still arrive: it is left until the clip is queued
  const begun = new Set(deps.tables.live.partsOf(upload.clipId).map(({ number }) => number));
  const numbers = partsToSend(sizeBytes, upload.partSizeBytes, begun).values();
  let outcome: JobOutcome | undefined;
  const sender = async (): Promise<void> => {
    for (const number of numbers) {
      if (outcome !== undefined) return;
      if (signal.aborted) outcome = { kind: 'interrupted' };
      else if (!mayGoOn(deps, upload)) outcome = { kind: 'done' };
      else {
        const ended = await sendPart(deps, urls, run, number);
        // Another part may have ended with a problem meanwhile
        outcome ??= ended;
      }
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, sender));
  return outcome ?? done;
}

/** Undefined: the part was sent, or ends in a range that may not be written yet. */
async function sendPart(
  deps: SendAheadDeps,
  urls: PartUrls,
  run: Run,
  number: number,
): Promise<JobOutcome | undefined> {
  const { slots } = deps;
  const { upload, evidence, signal } = run;
  const { partSizeBytes: length } = upload;
  // All memory is in use for clips that have settled
  const slot = slots.tryAcquire();
  if (slot === undefined) return { kind: 'done' };
  const hashPool = deps.hashPools.of(upload.rootPath);
  const offset = (number - 1) * length;
  const withMd5 = wantedSums(deps.etags, urls.host()).md5;
  const part = await holdPart({ evidence, hashPool, slots, withMd5 }, { offset, length }, slot, signal);
  if (!part.ok) return signal.aborted ? { kind: 'interrupted' } : { kind: 'done' };
  try {
    const { range } = part.value;
    return endsInHole(range.source.bytes) ? undefined : await putPart(deps, urls, run, { number, range });
  } finally {
    part.value.end();
  }
}

async function putPart(
  deps: SendAheadDeps,
  urls: PartUrls,
  { upload, evidence, signal }: Run,
  { number, range }: Pick<OwnPart, 'range'> & { readonly number: number },
): Promise<JobOutcome | undefined> {
  const { clipId, path, partSizeBytes: length } = upload;
  const row = { clipId, number, sha256: range.sha256, sentAt: deps.clock.now() };
  for (let tries = 1; ; tries += 1) {
    const url = await urlOf(deps, urls, upload, number, signal);
    if ('kind' in url) return url;
    if (tries === 1 && !(await begin(deps, upload, row))) return { kind: 'done' };
    const hashPool = deps.hashPools.of(upload.rootPath);
    const target = { evidence, hashPool, url, step: 'part' as const, offset: (number - 1) * length, length };
    const name = `${path}, part ${number}`;
    const way = yieldToSettled(deps, upload, signal);
    const sent = await deps
      .sendRange({ ...target, ...way, name, meterKey: undefined, held: range })
      .finally(way.end);
    if (sent.kind === 'stop' && way.sentBytes() !== undefined && !signal.aborted)
      return await madeWay(deps, upload, number, way.sentBytes() ?? 0);
    switch (sent.kind) {
      case 'stored':
        await store(deps, upload, { ...row, etag: sent.etag });
        return undefined;
      case 'no-such-upload':
        return giveUp(deps, upload, sent.failure.code);
      case 'stop':
        return sent.outcome;
      case 'fresh-url':
        urls.refuse(url);
        if (tries >= TRIES_WITH_FRESH_URL) return { kind: 'refused', step: 'part', failure: sent.failure };
    }
  }
}

/**
 * Frees the line immediately for a large clip that has settled: a part of which less than half was sent is stopped. The
 * rest of the others takes little time, and would cost more to send again.
 */
function yieldToSettled({ tables, clock }: SendAheadDeps, upload: OpenUpload, signal: AbortSignal) {
  const { clipId, uploadId, partSizeBytes } = upload;
  const stopping = new AbortController();
  const stopped = AbortSignal.any([signal, stopping.signal]);
  let sentBytes = 0;
  let stoppedAt: number | undefined;
  const isNeeded = (): boolean =>
    tables.live.byClip(clipId) === undefined
      ? tables.multiparts.byClip(clipId)?.uploadId === uploadId
      : !tables.live.isLineWanted();
  const watch = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(LOOK_MS, stopped);
      if (sentBytes * 2 >= partSizeBytes) return;
      if (!isNeeded()) {
        stoppedAt = sentBytes;
        stopping.abort(new Error('A clip that has settled goes first'));
      }
    }
  };
  // Rejects at the end of the part
  watch().catch(() => undefined);
  return {
    signal: stopped,
    onBytes: (bytes: number) => void (sentBytes += bytes),
    /** Bytes that had been sent when it was stopped; undefined: it was not. */
    sentBytes: () => stoppedAt,
    end: () => stopping.abort(new Error('The part has ended')),
  };
}

/** Storage has less than half of it, which does not make a part: it is sent like one that was never begun. */
async function madeWay(
  deps: SendAheadDeps,
  { clipId, uploadId }: OpenUpload,
  number: number,
  sentBytes: number,
): Promise<JobOutcome> {
  await deps.groupCommit.commit(() => {
    if (deps.tables.live.byClip(clipId)?.uploadId === uploadId) deps.tables.live.dropPart(clipId, number);
    noteYielded(deps, sentBytes);
  });
  return { kind: 'done' };
}

/**
 * Notes the part before it is sent, as storage may have it even after a kill. False: the upload was ended meanwhile.
 */
async function begin(
  { tables, groupCommit }: SendAheadDeps,
  { clipId, uploadId }: OpenUpload,
  part: Omit<LivePart, 'etag'>,
): Promise<boolean> {
  let isOpen = false;
  await groupCommit.commit(() => {
    isOpen = tables.live.byClip(clipId)?.uploadId === uploadId;
    if (isOpen) tables.live.putPart({ ...part, etag: null });
  });
  return isOpen;
}

async function urlOf(
  deps: SendAheadDeps,
  urls: PartUrls,
  upload: OpenUpload,
  number: number,
  signal: AbortSignal,
): Promise<URL | JobOutcome> {
  const { circuits, tables } = deps;
  const { clipId } = upload;
  if (!circuits.mayCall('urls', clipId)) return notBegun;
  const url = await urls.urlFor(number, signal);
  if (!url.ok) return urlProblem(deps, upload, url.error, signal);
  if (!circuits.mayCall('part', clipId)) return notBegun;
  const limit = urls.maxSizeBytes();
  const size = tables.live.byClip(clipId)?.sizeBytes ?? 0;
  return limit !== undefined && size > limit
    ? giveUp(deps, upload, 'the service does not accept files of this size')
    : url.value;
}

function urlProblem(
  deps: SendAheadDeps,
  upload: OpenUpload,
  failure: Failure,
  signal: AbortSignal,
): JobOutcome {
  if (signal.aborted) return { kind: 'interrupted' };
  if (failure.status === 404 || failure.status === 410) return giveUp(deps, upload, failure.code);
  const hasUrls = deps.tables.live.partsOf(upload.clipId).some(({ etag }) => etag !== null);
  if (!hasUrls || !isCountRefused(failure)) return serviceOutcome('urls', failure, signal);
  return giveUp(deps, upload, 'the service refuses a different number of parts', () => noteRefused(deps));
}

/** Stores the part; if the clip was queued meanwhile, in the clip's own rows. */
async function store(
  { tables, groupCommit, circuits }: SendAheadDeps,
  { clipId, uploadId, partSizeBytes: sizeBytes }: OpenUpload,
  part: LivePart & { readonly etag: string },
): Promise<void> {
  circuits.succeeded('part', clipId);
  await groupCommit.commit(() => {
    if (tables.live.byClip(clipId)?.uploadId === uploadId) tables.live.putPart(part);
    const isTakenOver = tables.multiparts.byClip(clipId)?.uploadId === uploadId;
    if (isTakenOver && tables.live.takenOver(clipId)?.judged === 0)
      tables.parts.put({
        clipId,
        number: part.number,
        sizeBytes,
        etag: part.etag,
        sha256: part.sha256,
        fromStart: 0,
      });
  });
}
