import { isUsableEtag, type PutOutcome } from '../service/signed-put-answer.ts';
import type { SignedPut } from '../service/signed-put.ts';
import { withIds } from '../core/request-ids.ts';
import { bytesDamaged, etagMissing } from '../core/failures/upload-failure.ts';
import type { HashPool, PartHash } from '../files/hashing/hash-pool.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { ok, type Result } from '../../../shared/lib/result.ts';
import type { ServiceClock } from '../service/service-clock.ts';
import type { BufferPool } from '../service/signed-put-body.ts';
import type { EtagCache } from './etag-cache.ts';
import type { WantedSums } from './file-hash.ts';
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
  /** Clip whose progress this is; undefined for thumbnails. */
  readonly meterKey: string | undefined;
  /** The sums of the range, when they are being made already, from a second read of it. */
  readonly hashing?: Promise<Result<PartHash, Failure>>;
  /** The sums of the very bytes that `evidence` hands out, which lie in memory: nothing has to tie them to what is sent. */
  readonly sums?: PartHash;
  readonly signal: AbortSignal;
}

/** Sends a range and proves that what storage has is what the file holds. */
export type SendRange = (request: RangeRequest) => Promise<SendOutcome>;

interface Deps {
  readonly signedPut: SignedPut;
  readonly bufferPool: BufferPool;
  readonly limiter: RateLimit;
  readonly meter: TransferMeter;
  readonly etags: EtagCache;
  readonly serviceClock: ServiceClock;
}

/** Makes the sender. */
export function createSendRange(deps: Deps): SendRange {
  return async (request) => {
    let sentBytes = 0;
    const onBytes = (bytes: number): void => {
      sentBytes += bytes;
      if (request.meterKey !== undefined) deps.meter.sent(request.meterKey, bytes);
    };
    const outcome = await sendAndProve(deps, request, onBytes);
    // Only acknowledged bytes stay counted.
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
  const { evidence, url, offset, length, name, signal } = request;
  const wanted = wantedSums(deps.etags, url.host);
  const giveUpHash = new AbortController();
  const hashing = request.sums ?? request.hashing ?? hashBeside(request, wanted, giveUpHash.signal);
  const put = await deps.signedPut.put({
    url,
    source: evidence,
    offset,
    length,
    pool: deps.bufferPool,
    limiter: deps.limiter,
    signal,
    onBytes,
    withCrc32: wanted.crc32 && request.sums === undefined,
  });
  const problem = putProblem(put, { step: request.step, host: url.host, name }, deps.serviceClock.now());
  if (problem !== undefined) {
    giveUpHash.abort();
    return problem;
  }
  const hashed = 'then' in hashing ? await hashing : ok(hashing);
  if (!hashed.ok) return stopFor(await evidence.judge(hashed.error), signal);
  return prove(deps, request, put, hashed.value);
}

/** An etag that is the MD5 proves the bytes; where it is not, or not known yet, the CRC-32 of both passes does. */
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

/** Storage has all the bytes only if their count, their sum and its etag agree with what the file holds. */
async function prove(
  deps: Deps,
  request: RangeRequest,
  put: PutOutcome,
  hashed: PartHash,
): Promise<SendOutcome> {
  const { evidence, url, step, length, name } = request;
  if (put.kind !== 'answer') throw new Error('A stored outcome is an answer');
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
  // Somebody wrote to it and put its times back: nothing was damaged on the line
  if (unchanged.value.isTouched)
    return {
      kind: 'stop',
      outcome: { kind: 'retry', failure: fileChanged(name, 'was written to while it was sent') },
    };
  const failure = { ...bytesDamaged(name, problem), ...withIds(put.requestIds) };
  return { kind: 'stop', outcome: { kind: 'refused', step, failure } };
}

function mismatch(
  deps: Deps,
  url: URL,
  put: PutOutcome & { kind: 'answer' },
  hashed: PartHash,
  length: number,
  etag: string,
): string | undefined {
  if (put.sentBytes !== length || hashed.sizeBytes !== length)
    return `${put.sentBytes} of ${length} bytes went out`;
  if (hashed.sha256 === '') return 'no hash was made';
  if (put.crc32 !== undefined && hashed.crc32 !== undefined && put.crc32 !== hashed.crc32) {
    return 'the bytes sent are not the bytes hashed';
  }
  return deps.etags.agrees(url, etag, hashed.md5) ? undefined : 'the etag is not the MD5 of the bytes';
}
