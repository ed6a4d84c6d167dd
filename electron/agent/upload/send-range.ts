import { isUsableEtag, type PutOutcome } from '../service/signed-put-answer.ts';
import type { SignedPut } from '../service/signed-put.ts';
import { withIds } from '../core/text/redact.ts';
import { bytesDamaged, etagMissing } from '../core/failures/upload-failure.ts';
import type { HashPool, PartHash } from '../files/hashing/hash-pool.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { BufferPool, HeldBytes } from '../service/signed-put-body.ts';
import { md5OfEtag, type EtagCache } from './etag-cache.ts';
import { fileChanged } from '../files/file-failures.ts';
import type { SourceFile } from '../files/source-file.ts';
import type { RateLimit } from '../service/rate-limit.ts';
import { fileOutcome, putProblem, type SendOutcome } from './send-outcome.ts';
import type { TransferMeter } from './transfer-meter.ts';

/** A range of a file on its way to a signed URL. */
export interface RangeRequest {
  readonly evidence: SourceFile;
  /** Threads that hash files of this root. */
  readonly hashPool: HashPool;
  readonly url: URL;
  readonly step: 'object' | 'part';
  readonly offset: number;
  readonly length: number;
  /** For messages. */
  readonly name: string;
  readonly isThumbnail?: boolean;
  /** Clip whose progress this is; undefined for thumbnails, and for clips that are not in the queue yet. */
  readonly meterKey: string | undefined;
  /** The sums of the range, from a second read that others need too. */
  readonly hashing?: () => Promise<Result<PartHash, Failure>>;
  /** The range in memory: the bytes that were hashed are the bytes sent. */
  readonly held?: HeldRange;
  /** Called with the size of each piece that went onto the line. */
  readonly onBytes?: (bytes: number) => void;
  readonly signal: AbortSignal;
}

/** A range of a file in memory, with its sums. */
export interface HeldRange {
  readonly source: HeldBytes;
  /** Of the range, or of everything up to its end. */
  readonly sha256: string;
  /** Computed only when the etag may be an MD5; undefined where etags were known not to be. */
  md5(): Promise<Result<string | undefined, Failure>>;
}

/** Sends a range and proves that storage has the bytes of the file. */
export type SendRange = (request: RangeRequest) => Promise<SendOutcome>;

/** A file that another thread has sent. */
export interface SentFile extends Pick<
  RangeRequest,
  'url' | 'step' | 'length' | 'name' | 'isThumbnail' | 'meterKey'
> {
  readonly evidence: Pick<SourceFile, 'verifyUnchanged'>;
  readonly put: PutOutcome;
  /** Of the bytes that were sent. */
  readonly sums: PartHash;
}

/** Counts what was sent, and proves that storage has the bytes of the file. */
export type ProveSent = (sent: SentFile) => Promise<SendOutcome>;

/** Creates the proof. */
export function createProveSent(deps: ProofDeps & Pick<Deps, 'meter' | 'serviceClock'>): ProveSent {
  return async (sent) => {
    const { put, sums, meterKey, url } = sent;
    count(deps.meter, meterKey, put.sentBytes);
    const problem = putProblem(put, { ...sent, host: url.host }, deps.serviceClock.now());
    const outcome = problem ?? (await prove(deps, sent, put, sums));
    if (outcome.kind !== 'stored' && meterKey !== undefined) deps.meter.sent(meterKey, -put.sentBytes);
    return outcome;
  };
}

function count(meter: TransferMeter, meterKey: string | undefined, bytes: number): void {
  if (meterKey === undefined) meter.sentBeside(bytes);
  else meter.sent(meterKey, bytes);
}

type ProofDeps = Pick<Deps, 'etags'>;

interface Deps {
  readonly signedPut: SignedPut;
  readonly bufferPool: BufferPool;
  readonly limiter: RateLimit;
  readonly meter: TransferMeter;
  readonly etags: EtagCache;
  readonly serviceClock: ServiceClock;
}

/** Creates the sender. */
export function createSendRange(deps: Deps): SendRange {
  return async (request) => {
    let sentBytes = 0;
    let isOver = false;
    const onBytes = (bytes: number): void => {
      // A closed socket may report its last piece after the end
      if (isOver) return;
      sentBytes += bytes;
      request.onBytes?.(bytes);
      count(deps.meter, request.meterKey, bytes);
    };
    const outcome = await sendAndProve(deps, request, onBytes);
    isOver = true;
    // Only acknowledged bytes stay counted
    if (outcome.kind !== 'stored' && request.meterKey !== undefined)
      deps.meter.sent(request.meterKey, -sentBytes);
    return outcome;
  };
}

async function sendAndProve(
  deps: Deps,
  request: RangeRequest,
  onBytes: (bytes: number) => void,
): Promise<SendOutcome> {
  const { evidence, held, url, offset, length, name, isThumbnail, signal } = request;
  const wanted = wantedSums(deps.etags, url.host);
  const giveUpHash = new AbortController();
  const hashing = held ?? request.hashing?.() ?? hashBeside(request, wanted, giveUpHash.signal);
  const put = await deps.signedPut.put({
    url,
    source: held?.source ?? evidence,
    offset,
    length,
    pool: deps.bufferPool,
    limiter: deps.limiter,
    signal,
    onBytes,
    withCrc32: wanted.crc32 && held === undefined,
  });
  const target = { step: request.step, host: url.host, name, length, isThumbnail };
  const problem = putProblem(put, target, deps.serviceClock.now());
  if (problem !== undefined) {
    giveUpHash.abort();
    return problem;
  }
  const hashed = await ('then' in hashing ? hashing : sumsOfHeld(deps, hashing, url, put));
  if (!hashed.ok) return stopFor(await evidence.judge(hashed.error), signal);
  return prove(deps, request, put, hashed.value);
}

/** Requests the MD5 if storage has returned one and is not known to return something else. */
async function sumsOfHeld(
  { etags }: Deps,
  { source, sha256, md5 }: HeldRange,
  { host }: URL,
  put: PutOutcome,
): Promise<Result<PartHash, Failure>> {
  const sums = { sha256, sizeBytes: source.bytes.length };
  const stated = put.kind === 'answer' && put.etag !== undefined ? md5OfEtag(put.etag) : undefined;
  if (stated === undefined || !wantedSums(etags, host).md5) return ok(sums);
  const made = await md5();
  if (!made.ok) return made;
  return ok(made.value === undefined ? sums : { ...sums, md5: made.value });
}

/** Which sums of a part are wanted besides SHA-256. */
export interface WantedSums {
  readonly md5: boolean;
  readonly crc32: boolean;
}

/** An etag that is the MD5 proves the bytes; if it is not, or not known yet, the CRC-32 of both passes does. */
export function wantedSums(etags: EtagCache, host: string | undefined): WantedSums {
  const kind = host === undefined ? 'unknown' : etags.kindOf(host);
  return { md5: kind !== 'opaque', crc32: kind !== 'md5' };
}

function hashBeside(
  { evidence, hashPool, offset, length, signal }: RangeRequest,
  sums: WantedSums,
  giveUp: AbortSignal,
): Promise<Result<PartHash, Failure>> {
  const hashing = hashPool.hashPart(
    { source: evidence, offset, length, ...sums },
    AbortSignal.any([signal, giveUp]),
  );
  evidence.retain(hashing);
  return hashing;
}

function stopFor(failure: Failure, signal: AbortSignal): SendOutcome {
  if (signal.aborted) return { kind: 'stop', outcome: { kind: 'interrupted' } };
  return { kind: 'stop', outcome: fileOutcome(failure) };
}

/** Storage has all the bytes only if their count, their sum and its etag agree with the file. */
async function prove(
  deps: ProofDeps,
  request: Pick<SentFile, 'evidence' | 'url' | 'step' | 'length' | 'name'>,
  put: PutOutcome,
  hashed: PartHash,
): Promise<SendOutcome> {
  const { evidence, url, step, length, name } = request;
  if (put.kind !== 'answer') throw new Error('A stored part must have an answer');
  const { etag } = put;
  if (etag === undefined || !isUsableEtag(etag)) {
    const failure = { ...etagMissing(name), ...withIds(put.requestIds) };
    return { kind: 'stop', outcome: { kind: 'refused', step, failure } };
  }
  const problem = mismatch(deps, url, put, hashed, length, etag);
  if (problem === undefined)
    return { kind: 'stored', etag, sha256: hashed.sha256, ...withIds(put.requestIds) };
  const unchanged = await evidence.verifyUnchanged();
  if (!unchanged.ok) return { kind: 'stop', outcome: { kind: 'retry', failure: unchanged.error } };
  // Somebody wrote to it and reset its times: nothing was damaged on the line
  if (unchanged.value.isTouched)
    return {
      kind: 'stop',
      outcome: { kind: 'retry', failure: fileChanged(name, 'was written to while it was being sent') },
    };
  const failure = { ...bytesDamaged(name, problem), ...withIds(put.requestIds) };
  return { kind: 'stop', outcome: { kind: 'refused', step, failure } };
}

function mismatch(
  deps: ProofDeps,
  url: URL,
  put: PutOutcome & { kind: 'answer' },
  hashed: PartHash,
  length: number,
  etag: string,
): string | undefined {
  if (put.sentBytes !== length || hashed.sizeBytes !== length)
    return `of ${length} bytes, ${put.sentBytes} were sent and ${hashed.sizeBytes} hashed`;
  if (hashed.sha256 === '') return 'no hash was computed';
  if (put.crc32 !== undefined && hashed.crc32 !== undefined && put.crc32 !== hashed.crc32) {
    return 'the bytes sent are not the bytes hashed';
  }
  return deps.etags.agrees(url, etag, hashed.md5) ? undefined : 'the ETag is not the MD5 of the bytes';
}
