import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Answer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import type { BodyConditions } from '../faults/carry-out.ts';
import { ok } from '../../../shared/lib/result.ts';
import { MAX_PART_NUMBER } from './check-part-list.ts';
import type { ObjectTable } from './object-table.ts';
import { receiveBody, type Hashing } from './receive-body.ts';
import type { SigningKey } from './sigv4.ts';
import { accessDenied, storageFailure, type StorageFailure } from './storage-failure.ts';
import type { Segment } from './stored-blob.ts';
import type { StorageTarget } from './storage-target.ts';
import { verifyUrl } from './verify-url.ts';
import { xmlError } from './xml-error.ts';

export interface StorageHandlerContext {
  readonly table: ObjectTable;
  readonly signingKey: SigningKey;
  readonly bucket: string;
  readonly hashing: Hashing;
  readonly isDiscarding: boolean;
  readonly now: () => number;
  readonly idleMs: () => number;
  /** Largest body of one request: single pieces are smaller than parts. */
  readonly maxBodyBytes: (target: StorageTarget) => number;
}

/** Receives one object or part; undefined when the client left. */
export async function storePut(
  exchange: Exchange,
  target: StorageTarget | undefined,
  conditions: BodyConditions,
  context: StorageHandlerContext,
): Promise<Answer | undefined> {
  const refused = checkRequest(exchange, target, conditions, context);
  if (refused) return failureAnswer(refused);
  if (!target) return failureAnswer(storageFailure('NoSuchBucket'));
  const path = context.isDiscarding ? undefined : context.table.incomingPath();
  const outcome = await receiveBody(exchange, {
    path,
    hashing: context.hashing,
    idleMs: context.idleMs(),
    conditions,
  });
  if (outcome.kind === 'whole') {
    const { md5, sha256 } = outcome.digests;
    const etag = md5 ?? `opaque-${randomUUID()}`;
    const segment = { path, sizeBytes: outcome.sizeBytes, etag, sha256 };
    const digestFailure = checkContentMd5(exchange, md5);
    return digestFailure ? discard(segment, digestFailure) : keep(target, segment, context.table);
  }
  if (path !== undefined) await rm(path, { force: true });
  if (outcome.kind === 'gone') return undefined;
  if (outcome.kind === 'too-slow') return closing(failureAnswer(storageFailure('RequestTimeout')));
  return closing(xmlError(500, 'InternalError', outcome.cause.message));
}

/** Checks everything that can be refused from the head of the request, in the order in which S3 does. */
function checkRequest(
  { request, url }: Exchange,
  target: StorageTarget | undefined,
  conditions: BodyConditions,
  context: StorageHandlerContext,
): StorageFailure | undefined {
  if (request.method !== 'PUT') return storageFailure('MethodNotAllowed');
  if (conditions.isUrlExpired) return accessDenied('Request has expired');
  const path = (request.url ?? '').split('?')[0] ?? '';
  const signed = { method: 'PUT', path, query: url.searchParams, headers: request.headers };
  const unsigned = verifyUrl(signed, context.now(), context.signingKey);
  if (unsigned) return unsigned;
  if (request.headers['content-length'] === undefined || request.headers['transfer-encoding'] !== undefined) {
    return storageFailure('MissingContentLength');
  }
  if (!target) return storageFailure('NoSuchBucket');
  if (Number(request.headers['content-length']) > context.maxBodyBytes(target))
    return storageFailure('EntityTooLarge');
  if (target.kind === 'object') return undefined;
  const { partNumber } = target;
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > MAX_PART_NUMBER) {
    return storageFailure('InvalidArgument');
  }
  return context.table.findUpload(target.key, target.uploadId) ? undefined : storageFailure('NoSuchUpload');
}

function checkContentMd5({ request }: Exchange, md5: string | undefined): StorageFailure | undefined {
  const stated = request.headers['content-md5'];
  if (stated === undefined || md5 === undefined) return undefined;
  return Buffer.from(md5, 'hex').toString('base64') === stated ? undefined : storageFailure('BadDigest');
}

async function discard(segment: Segment, failure: StorageFailure): Promise<Answer> {
  if (segment.path !== undefined) await rm(segment.path, { force: true });
  return failureAnswer(failure);
}

function keep(target: StorageTarget, segment: Segment, table: ObjectTable): Answer | Promise<Answer> {
  const kept =
    target.kind === 'object'
      ? ok(table.putObject(target.key, segment))
      : table.putPart(target.key, target.uploadId, target.partNumber, segment);
  return kept.ok ? { status: 200, headers: { etag: `"${kept.value.etag}"` } } : discard(segment, kept.error);
}

function failureAnswer({ status, code, message }: StorageFailure): Answer {
  return xmlError(status, code, message);
}

/** If the rest of the body is unread, the connection cannot be reused. */
function closing(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, connection: 'close' } };
}
