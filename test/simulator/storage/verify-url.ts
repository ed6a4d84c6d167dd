import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { credentialScope, signatureOf, SIGNING_ALGORITHM, type SigningKey } from './sigv4.ts';
import { accessDenied, storageFailure, type StorageFailure } from './storage-failure.ts';

export interface SignedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
}

/** A request dated further ahead than this is refused as not yet valid, milliseconds (S3 allows 15 minutes). */
const MAX_AHEAD_MS = 15 * 60_000;
/** S3 signs for at most seven days. */
const MAX_LIFETIME_SECONDS = 604_800;

/** Why the signed URL is refused at this time, or undefined when it is valid. */
export function verifyUrl(request: SignedRequest, now: number, key: SigningKey): StorageFailure | undefined {
  const read = (name: string) => request.query.get(`X-Amz-${name}`);
  const [algorithm, credential, date, lifetime] = ['Algorithm', 'Credential', 'Date', 'Expires'].map(read);
  const [signedHeaders, signature] = ['SignedHeaders', 'Signature'].map(read);
  if (!algorithm && !credential && !signature) return accessDenied('Access Denied');
  const signedAt = readAmzDate(date ?? '');
  const lifetimeSeconds = Number(lifetime);
  if (
    algorithm !== SIGNING_ALGORITHM ||
    !credential ||
    !date ||
    !signedHeaders ||
    !signature ||
    Number.isNaN(signedAt)
  ) {
    return badQuery('Query-string authentication requires all of the X-Amz parameters in their form.');
  }
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1 || lifetimeSeconds > MAX_LIFETIME_SECONDS) {
    return badQuery('X-Amz-Expires must be between 1 and 604800 seconds.');
  }
  if (signedAt > now + MAX_AHEAD_MS) return accessDenied('Request is not yet valid');
  if (now >= signedAt + lifetimeSeconds * 1000) return accessDenied('Request has expired');
  if (credential.split('/')[0] !== key.accessKeyId) return storageFailure('InvalidAccessKeyId');
  const names = signedHeaders.split(';');
  const unsigned = Object.keys(request.headers).find(
    (name) => name.startsWith('x-amz-') && !names.includes(name),
  );
  if (unsigned) return accessDenied('There were headers present in the request which were not signed');
  const isScopeRight = credential === `${key.accessKeyId}/${credentialScope(date, key.region)}`;
  const expected = signatureOf(canonicalParts(request, names), date, key);
  return isScopeRight && isSame(expected, signature) ? undefined : storageFailure('SignatureDoesNotMatch');
}

function canonicalParts(request: SignedRequest, names: readonly string[]) {
  const headers = names.map((name): [string, string] => [name, String(request.headers[name] ?? '')]);
  return { method: request.method, path: request.path, query: [...request.query], headers };
}

function isSame(expected: string, received: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(received)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Milliseconds of `20260802T101112Z`, or NaN. */
function readAmzDate(date: string): number {
  const fields = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date);
  if (!fields) return Number.NaN;
  const [, year, month, day, hour, minute, second] = fields;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function badQuery(message: string): StorageFailure {
  return { code: 'AuthorizationQueryParametersError', status: 400, message };
}
