import type { Failure, FailureCode, RequestId } from '../../../../shared/domain/failure.ts';
import { visibleName } from '../../../../shared/lib/visible-name.ts';
import { withIds } from '../text/redact.ts';

/** The stored bytes are not those that were read, although the file did not change. */
export function bytesDamaged(name: string, detail: string): Failure {
  return {
    code: 'BYTES_DAMAGED',
    message: `The bytes of ${visibleName(name)} were damaged in transit (${detail}).`,
    advice: "If this still fails after several automatic retries, check this PC's memory and network.",
    retryable: true,
    detail,
  };
}

/** The file system reports a change of the file, although its bytes seem to be the same. */
export function fileTouched(name: string): Failure {
  return {
    code: 'FILE_CHANGED',
    message: `The name, permissions or times of ${visibleName(name)} changed while it was being sent.`,
    advice:
      'Before the upload is completed, the file is compared with what was sent. If the clip still fails, retry it.',
    retryable: true,
  };
}

const ADVICE_SHORTER =
  'Export the clip again in shorter pieces, or ask the operator of the service for a higher limit.';

/** A clip over a limit is never sent (service.md gap 6). */
export function fileTooLarge(sizeBytes: number, limitBytes: number): Failure {
  const decimals = decimalsApart(sizeBytes, limitBytes);
  return {
    code: 'FILE_TOO_LARGE',
    message: `Too large: ${megabytes(sizeBytes, decimals)} MB, the limit is ${megabytes(limitBytes, decimals)} MB.`,
    advice: ADVICE_SHORTER,
    retryable: false,
  };
}

const megabytes = (bytes: number, decimals: number | undefined): string =>
  (bytes / 1_000_000).toFixed(decimals ?? (bytes < 10_000_000 ? 1 : 0));

/** Decimals needed to tell a size from the limit that it exceeds; undefined: the usual number. */
const decimalsApart = (sizeBytes: number, limitBytes: number): number | undefined =>
  [undefined, 1, 2, 3, 4, 5, 6].find(
    (decimals) => megabytes(sizeBytes, decimals) !== megabytes(limitBytes, decimals),
  );

/** A clip without bytes cannot be evidence of anything yet. */
export function fileEmpty(name: string): Failure {
  return {
    code: 'FILE_EMPTY',
    message: `Empty file: ${visibleName(name)}.`,
    advice: 'Export it again.',
    retryable: false,
  };
}

/** A broken connection to storage; how much arrived is unknown, so it is sent again. */
export function storageNetwork(host: string, name: string, code: string, detail: string): Failure {
  return {
    code: 'NETWORK',
    message: `The connection to ${host} dropped or timed out while sending ${visibleName(name)} (${code}).`,
    advice: 'Check the network. The agent will retry automatically; nothing is lost.',
    retryable: true,
    detail,
  };
}

/** Storage accepted the bytes but returned no usable etag, without which parts cannot be put together. */
export function etagMissing(name: string): Failure {
  return {
    code: 'API_ETAG',
    message: `Storage accepted ${visibleName(name)} but returned no usable ETag.`,
    advice:
      'A proxy may be removing or changing the header. If this still fails after several automatic retries, tell the operator of the service.',
    retryable: true,
  };
}

const names: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS']);

/** Whether a system error of this name means that this program has run out of handles or memory, whatever the file. */
export function isHandleShortage(name: string): boolean {
  return names.has(name);
}

/** The failure for such an error; the interrupted work is retried. */
export function handlesUsedUp(detail: string): Failure {
  return {
    code: 'HANDLES_USED_UP',
    message: 'The agent has run out of file handles or memory and will run more slowly until it recovers.',
    advice:
      "Nothing to do: the agent will recover automatically. If this continues, restart it or raise its account's limit on open files.",
    retryable: true,
    detail,
  };
}

/** An answer of object storage to a signed PUT. */
interface StorageAnswer {
  readonly status: number;
  /** `Code` of an S3 error document. */
  readonly xmlCode?: string;
  /** `Message` of an S3 error document, or else the beginning of the body; empty if there was none. */
  readonly text: string;
  readonly retryAfterMs?: number;
  readonly requestIds?: readonly RequestId[];
}

/** What to do after an answer. Only `too-large` is about the file; the failure policy says what a refusal concerns. */
type StorageDecision =
  | { readonly kind: 'stored' }
  | {
      readonly kind: 'fresh-url' | 'refused' | 'no-such-upload' | 'too-large';
      readonly failure: Failure;
    };

const CREDENTIAL_CODES: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'InvalidToken',
  'TokenRefreshRequired',
  'InvalidAccessKeyId',
  'RequestTimeTooSkewed',
  'RequestExpired',
]);
const SLOW_DOWN_CODES: ReadonlySet<string> = new Set([
  'SlowDown',
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TooManyRequests',
]);
/** Codes of temporary problems on the way or in storage, whatever status they come with. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  'RequestTimeout',
  'IncompleteBody',
  'BadDigest',
  'InternalError',
  'OperationAborted',
  'ServiceUnavailable',
]);
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 409, 423, 425]);
const STORED_STATUSES: ReadonlySet<number> = new Set([200, 201, 204]);
const ADVICE_OPERATOR = "Send storage's response to the operator of the service.";
const ADVICE_WAIT = 'Nothing to do: the agent will retry automatically.';
const ADVICE_PROXY =
  'Ask the proxy or firewall administrator to allow uploads to the storage host. The agent retries in the meantime; if the clip still fails, retry it afterwards.';

/** Decides what an answer of storage means, by its error code first, then by its status. `what` names what was sent. */
export function classifyStorageAnswer(answer: StorageAnswer, what: string): StorageDecision {
  if (answer.xmlCode !== undefined) {
    const byCode = classifyCode(answer, answer.xmlCode, what);
    if (byCode !== undefined) return byCode;
  }
  return classifyStatus(answer, what);
}

function classifyCode(answer: StorageAnswer, code: string, what: string): StorageDecision | undefined {
  if (code === 'SignatureDoesNotMatch') return signatureDecision(answer, what);
  if (code === 'NoSuchUpload') return noSuchUploadDecision(answer, what);
  if (code === 'EntityTooLarge') return tooLargeDecision(answer, what);
  if (CREDENTIAL_CODES.has(code)) return freshUrlDecision(answer, what);
  if (SLOW_DOWN_CODES.has(code)) return slowDownDecision(answer, what);
  if (PASSING_CODES.has(code) && answer.status !== 503) return retryDecision(answer, what);
  return undefined;
}

function classifyStatus(answer: StorageAnswer, what: string): StorageDecision {
  const { status } = answer;
  if (STORED_STATUSES.has(status)) return classifySuccess(answer, what);
  if (status === 401) return freshUrlDecision(answer, what);
  if (status === 403) return classifyForbidden(answer, what);
  if (status === 413) return tooLargeDecision(answer, what);
  if (status === 407) return proxyDecision(answer, what);
  if (status === 451) return blockedDecision(answer, what);
  if (status === 429) return slowDownDecision(answer, what);
  if (status >= 300 && status < 400) return redirectDecision(answer, what);
  if (PASSING_STATUSES.has(status) || status < 300) return retryDecision(answer, what);
  if (status >= 500 && status !== 501) return retryDecision(answer, what);
  return rejectDecision(answer, what);
}

/** A 200 with a page is from a proxy; one with an error document is an upload that failed after its status was sent. */
function classifySuccess(answer: StorageAnswer, what: string): StorageDecision {
  if (isPage(answer.text)) return blockedDecision(answer, what);
  return answer.xmlCode === undefined ? { kind: 'stored' } : retryDecision(answer, what);
}

/** Some stores say nothing about an expired URL, so a 403 without a reason is worth a new URL. */
function classifyForbidden(answer: StorageAnswer, what: string): StorageDecision {
  if (isPage(answer.text)) return blockedDecision(answer, what);
  const saysNothing = answer.text.trim() === '';
  if (saysNothing || /\bexpired?\b/i.test(answer.text)) return freshUrlDecision(answer, what);
  return {
    kind: 'refused',
    failure: failureOf(
      answer,
      'STORAGE_DENIED',
      `Storage denied the upload of ${what} (${named(answer)}).`,
      ADVICE_OPERATOR,
      true,
    ),
  };
}

function isPage(text: string): boolean {
  return /^\s*(<!doctype html|<html|<head|<body)/i.test(text);
}

function freshUrlDecision(answer: StorageAnswer, what: string): StorageDecision {
  const skewed = answer.xmlCode === 'RequestTimeTooSkewed';
  const advice = skewed
    ? "If this still fails after several automatic retries with a new upload URL, tell the operator of the service: the connection may be too slow for the part size, or a server's clock may be wrong."
    : 'If this still fails after several automatic retries with a new upload URL, tell the operator of the service.';
  const message = `Storage did not accept the upload URL for ${what}.`;
  return { kind: 'fresh-url', failure: failureOf(answer, 'URL_EXPIRED', message, advice, true) };
}

function signatureDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Storage refused the signature of the upload URL for ${what}.`;
  const advice = `A proxy may have changed the request, or the service signed it incorrectly. ${ADVICE_OPERATOR}`;
  return { kind: 'refused', failure: failureOf(answer, 'STORAGE_SIGNATURE', message, advice, true) };
}

function retryDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Storage could not accept ${what} right now (${named(answer)}).`;
  // A 503 may mean that storage is down or busy
  const code = answer.status === 503 ? 'STORAGE_SLOW_DOWN' : 'STORAGE_FAULT';
  return { kind: 'refused', failure: failureOf(answer, code, message, ADVICE_WAIT, true) };
}

function slowDownDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Storage asked for fewer requests while receiving ${what} (${named(answer)}).`;
  return { kind: 'refused', failure: failureOf(answer, 'STORAGE_SLOW_DOWN', message, ADVICE_WAIT, true) };
}

function redirectDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Storage redirected the upload of ${what} (${named(answer)}); redirects are never followed.`;
  const advice = answer.xmlCode === undefined ? ADVICE_PROXY : ADVICE_OPERATOR;
  return { kind: 'refused', failure: failureOf(answer, 'API_REDIRECT', message, advice, true) };
}

/** A page says nothing about the clip: something on the way blocks uploads, so the clip stays in the queue. */
function blockedDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `A proxy or firewall answered instead of storage while ${what} was being sent (${named(answer)}).`;
  return { kind: 'refused', failure: failureOf(answer, 'STORAGE_DENIED', message, ADVICE_PROXY, true) };
}

/** Not from storage but from a proxy that inspects TLS, as with the service (`statusFailure`). */
function proxyDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Could not send ${what} to storage: a proxy requires a user name and password (${named(answer)}).`;
  const advice =
    'Ask the proxy administrator for an exception, or set proxy.url and proxyCredentialsFile in the settings. Uploads are on hold; nothing is lost.';
  return { kind: 'refused', failure: failureOf(answer, 'PROXY_AUTH', message, advice, true) };
}

function noSuchUploadDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Storage no longer has the multipart upload of ${what}.`;
  const advice = 'If the clip still fails after several automatic retries, tell the operator of the service.';
  return { kind: 'no-such-upload', failure: failureOf(answer, 'STORAGE_NO_UPLOAD', message, advice, true) };
}

function rejectDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Storage rejected ${what} (${named(answer)}).`;
  return { kind: 'refused', failure: failureOf(answer, 'STORAGE_REJECTED', message, ADVICE_OPERATOR, true) };
}

function tooLargeDecision(answer: StorageAnswer, what: string): StorageDecision {
  const message = `Storage did not accept ${what}: it is too large (${named(answer)}).`;
  return { kind: 'too-large', failure: failureOf(answer, 'FILE_TOO_LARGE', message, ADVICE_SHORTER, false) };
}

function named(answer: StorageAnswer): string {
  return answer.xmlCode === undefined ? `HTTP ${answer.status}` : `HTTP ${answer.status}, ${answer.xmlCode}`;
}

function failureOf(
  answer: StorageAnswer,
  code: FailureCode,
  message: string,
  advice: string,
  retryable: boolean,
): Failure {
  const { status, retryAfterMs, text } = answer;
  return {
    code,
    message,
    advice,
    retryable,
    status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(text === '' ? {} : { detail: text }),
    ...withIds(answer.requestIds),
  };
}
