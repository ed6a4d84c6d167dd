import { describe, expect, it } from 'vitest';
import {
  bytesDamaged,
  etagMissing,
  fileEmpty,
  fileTooLarge,
  storageNetwork,
  classifyStorageAnswer,
} from '../../../../../electron/agent/core/failures/upload-failure.ts';

const MB = 1_000_000;
const HOSTILE = 'door\u202Efile\n.mp4';

describe('fileTooLarge', () => {
  it.each([
    [5_000_000_000, 4_000 * MB, 'Too large: 5000 MB, the limit is 4000 MB.'],
    [2_500_000, 2 * MB, 'Too large: 2.5 MB, the limit is 2.0 MB.'],
    [12_000_000, 9_990_000, 'Too large: 12 MB, the limit is 10.0 MB.'],
    [30_400_000, 30 * MB, 'Too large: 30.4 MB, the limit is 30.0 MB.'],
    [2_000_001, 2 * MB, 'Too large: 2.000001 MB, the limit is 2.000000 MB.'],
  ])('of %i bytes over %i says both', (sizeBytes, limitBytes, message) => {
    expect(fileTooLarge(sizeBytes, limitBytes)).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message,
      retryable: false,
    });
  });
});

describe('failures of an upload', () => {
  it.each([
    ['BYTES_DAMAGED', true, bytesDamaged(HOSTILE, 'the etag differs')],
    ['FILE_EMPTY', false, fileEmpty(HOSTILE)],
    ['NETWORK', true, storageNetwork('storage.test', HOSTILE, 'ECONNRESET', 'reset')],
    ['API_ETAG', true, etagMissing(HOSTILE)],
  ])('%s names the thing with its hidden characters made visible', (code, retryable, failure) => {
    expect(failure).toMatchObject({ code, retryable });
    expect(failure.message).toContain('door<U+202E>file␊.mp4');
    expect(failure.advice).toMatch(/\.$/);
  });

  it('a broken connection names host and code', () => {
    expect(storageNetwork('storage.test:8443', 'a.mp4', 'ECONNRESET', 'socket hang up')).toMatchObject({
      message: 'The connection to storage.test:8443 dropped or timed out while sending a.mp4 (ECONNRESET).',
      detail: 'socket hang up',
    });
  });
});

type Row = readonly [status: number, xmlCode: string | undefined, text: string, kind: string, code: string];

const page = '<!DOCTYPE html><html><body>Blocked by policy</body></html>';

const table: readonly Row[] = [
  [200, undefined, '', 'stored', ''],
  [201, undefined, '', 'stored', ''],
  [204, undefined, '', 'stored', ''],
  [200, undefined, page, 'refused', 'STORAGE_DENIED'],
  [200, 'InternalError', 'We encountered an internal error', 'refused', 'STORAGE_FAULT'],
  [202, undefined, '', 'refused', 'STORAGE_FAULT'],
  [403, 'AccessDenied', 'Request has expired', 'fresh-url', 'URL_EXPIRED'],
  [403, 'AccessDenied', '', 'fresh-url', 'URL_EXPIRED'],
  [403, undefined, '', 'fresh-url', 'URL_EXPIRED'],
  [403, 'RequestTimeTooSkewed', 'The difference between', 'fresh-url', 'URL_EXPIRED'],
  [400, 'ExpiredToken', 'The provided token has expired.', 'fresh-url', 'URL_EXPIRED'],
  [403, 'InvalidAccessKeyId', 'The key does not exist', 'fresh-url', 'URL_EXPIRED'],
  [400, 'InvalidToken', 'malformed', 'fresh-url', 'URL_EXPIRED'],
  [401, undefined, '<html><h1>Unauthorized</h1>', 'fresh-url', 'URL_EXPIRED'],
  [403, 'SignatureDoesNotMatch', 'The request signature', 'refused', 'STORAGE_SIGNATURE'],
  [403, 'AccessDenied', 'Access Denied', 'refused', 'STORAGE_DENIED'],
  [403, 'AccountProblem', 'There is a problem', 'refused', 'STORAGE_DENIED'],
  [403, undefined, page, 'refused', 'STORAGE_DENIED'],
  [407, undefined, page, 'refused', 'PROXY_AUTH'],
  [407, undefined, '', 'refused', 'PROXY_AUTH'],
  [451, undefined, '', 'refused', 'STORAGE_DENIED'],
  [301, undefined, '', 'refused', 'API_REDIRECT'],
  [302, undefined, page, 'refused', 'API_REDIRECT'],
  [307, 'TemporaryRedirect', 'Please re-send', 'refused', 'API_REDIRECT'],
  [400, 'RequestTimeout', 'Your socket connection', 'refused', 'STORAGE_FAULT'],
  [400, 'BadDigest', 'did not match', 'refused', 'STORAGE_FAULT'],
  [400, 'IncompleteBody', 'You did not provide', 'refused', 'STORAGE_FAULT'],
  [408, undefined, '', 'refused', 'STORAGE_FAULT'],
  [409, 'OperationAborted', 'conflicting', 'refused', 'STORAGE_FAULT'],
  [423, undefined, '', 'refused', 'STORAGE_FAULT'],
  [425, undefined, '', 'refused', 'STORAGE_FAULT'],
  [500, 'InternalError', '', 'refused', 'STORAGE_FAULT'],
  [502, undefined, page, 'refused', 'STORAGE_FAULT'],
  [504, undefined, '', 'refused', 'STORAGE_FAULT'],
  [507, undefined, '', 'refused', 'STORAGE_FAULT'],
  [429, undefined, '', 'refused', 'STORAGE_SLOW_DOWN'],
  [503, 'SlowDown', 'Please reduce your request rate.', 'refused', 'STORAGE_SLOW_DOWN'],
  [503, 'ServiceUnavailable', '', 'refused', 'STORAGE_SLOW_DOWN'],
  [503, undefined, page, 'refused', 'STORAGE_SLOW_DOWN'],
  [400, 'RequestLimitExceeded', '', 'refused', 'STORAGE_SLOW_DOWN'],
  [404, 'NoSuchUpload', 'The specified upload does not exist', 'no-such-upload', 'STORAGE_NO_UPLOAD'],
  [404, 'NoSuchBucket', 'gone', 'refused', 'STORAGE_REJECTED'],
  [404, undefined, page, 'refused', 'STORAGE_REJECTED'],
  [400, 'InvalidArgument', 'Part number must be', 'refused', 'STORAGE_REJECTED'],
  [400, 'EntityTooLarge', 'too large', 'too-large', 'FILE_TOO_LARGE'],
  [405, 'MethodNotAllowed', '', 'refused', 'STORAGE_REJECTED'],
  [411, 'MissingContentLength', '', 'refused', 'STORAGE_REJECTED'],
  [412, 'PreconditionFailed', '', 'refused', 'STORAGE_REJECTED'],
  [413, undefined, page, 'too-large', 'FILE_TOO_LARGE'],
  [501, 'NotImplemented', '', 'refused', 'STORAGE_REJECTED'],
];

describe('classifyStorageAnswer', () => {
  it.each(table)('takes %i %s "%s" as %s %s', (status, xmlCode, text, kind, code) => {
    const answer = { status, text };
    const decision = classifyStorageAnswer(
      xmlCode === undefined ? answer : { ...answer, xmlCode },
      'part 3 of door.mp4',
    );
    expect(decision.kind).toBe(kind);
    if (decision.kind === 'stored') return;
    expect(decision.failure).toMatchObject({ code, status, retryable: kind !== 'too-large' });
    expect(decision.failure.message).toContain('part 3 of door.mp4');
    expect(decision.failure.advice).not.toBe('');
  });

  it('hands on how long storage wants to be left alone', () => {
    const decision = classifyStorageAnswer(
      { status: 503, xmlCode: 'SlowDown', text: '', retryAfterMs: 7_000 },
      'a',
    );
    expect(decision).toMatchObject({ kind: 'refused', failure: { retryAfterMs: 7_000 } });
  });

  it('tells a block page from an answer of storage', () => {
    const decision = classifyStorageAnswer({ status: 403, text: page }, 'door.mp4');
    expect(decision).toMatchObject({
      failure: { message: expect.stringContaining('proxy or firewall'), detail: page },
    });
  });
});
