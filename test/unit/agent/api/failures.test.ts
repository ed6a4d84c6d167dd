import { describe, expect, it } from 'vitest';
import {
  networkFailure,
  oddAnswer,
  statusFailure,
  statusInBody,
  tooLarge,
} from '../../../../electron/agent/api/failures.ts';
import type { RawAnswer } from '../../../../electron/agent/api/http.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';

const NOW_MS = Date.parse('2026-08-01T12:00:00Z');
const raw = (body = '', headers: RawAnswer['headers'] = {}): RawAnswer => ({
  status: 200,
  headers,
  body: Buffer.from(body),
});
const failed = (status: number, body: unknown = {}, headers: RawAnswer['headers'] = {}) =>
  statusFailure('Put incident', status, raw(JSON.stringify(body), headers), body, NOW_MS);
const coded = (code: string, cause?: Error) => Object.assign(new Error('went wrong', { cause }), { code });

describe('statusFailure', () => {
  it.each([
    [400, 'VALIDATION', false],
    [401, 'KEY_REFUSED', true],
    [403, 'PERMISSION_MISSING', true],
    [404, 'NOT_FOUND', true],
    [408, 'API_TIMEOUT', true],
    [409, 'VALIDATION', false],
    [410, 'NOT_FOUND', false],
    [413, 'VALIDATION', false],
    [422, 'VALIDATION', false],
    [429, 'RATE_LIMITED', true],
    [500, 'SERVICE_FAULT', true],
    [503, 'SERVICE_FAULT', true],
    [599, 'SERVICE_FAULT', true],
  ] satisfies [number, FailureCode, boolean][])('of %i is %s (retryable: %s)', (status, code, retryable) => {
    expect(failed(status)).toMatchObject({ code, retryable, status });
  });

  it.each([
    [{ message: 'Period not found' }, 'Period not found'],
    [{ error: 'nope' }, 'nope'],
    [{ status: 422, message: { error: 'Invalid Channel User', invalid_user_id: 7 } }, 'Invalid Channel User'],
    [{ message: null, error: { reason: 'x' } }, '{"reason":"x"}'],
    [{ other: 1 }, '{"other":1}'],
  ])('quotes what the service says in %o', (body, text) => {
    expect(failed(422, body).message).toContain(text);
    expect(failed(422, body).detail).toContain(text);
  });

  it('says the step, the status and the text in one sentence, on one line', () => {
    expect(failed(400, { message: 'title\n  is   too long' }).message).toBe(
      'Put incident: the service refused the request (HTTP 400: title is too long).',
    );
  });

  it('keeps at most 200 characters of a page, and takes no time over a long one', () => {
    const page = raw('a \n'.repeat(2_700_000));
    const startedMs = performance.now();
    expect(statusFailure('Put incident', 502, page, undefined, NOW_MS).detail).toHaveLength(200);
    expect(performance.now() - startedMs).toBeLessThan(200);
  });

  it('takes the query off a signed URL that the service quotes', () => {
    const message = 'cannot sign https://storage.test/key?X-Amz-Signature=abc123&X-Amz-Date=1';
    const text = JSON.stringify(failed(500, { message }));
    expect(text).toContain('https://storage.test/key');
    expect(text).not.toContain('abc123');
  });

  it.each([
    ['7', 7_000],
    ['Sat, 01 Aug 2026 12:00:30 GMT', 30_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('honours Retry-After %s', (header, expectedMs) => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    expect(failed(429, {}, headers).retryAfterMs).toBe(expectedMs);
  });
});

describe('statusInBody', () => {
  it.each([
    [{ status: 400 }, 400],
    [{ status: 599, message: 'x' }, 599],
    [{ status: '422' }, 422],
    [{ status: 200 }, undefined],
    [{ status: 600 }, undefined],
    [{ status: 'canceled' }, undefined],
    [{ status: null }, undefined],
    [{ message: 'x' }, undefined],
    [[{ status: 500 }], undefined],
    [null, undefined],
    ['500', undefined],
  ])('of %o is %s', (body, status) => {
    expect(statusInBody(body)).toBe(status);
  });
});

describe('networkFailure', () => {
  it.each([
    ['ECONNREFUSED', 'NETWORK'],
    ['ENOTFOUND', 'NETWORK'],
    ['ETIMEDOUT', 'API_TIMEOUT'],
    ['CERT_HAS_EXPIRED', 'TLS_REFUSED'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'TLS_REFUSED'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS_REFUSED'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_REFUSED'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS_REFUSED'],
  ])('of %s is %s', (code, expected) => {
    expect(networkFailure(coded(code), 'api.test')).toMatchObject({ code: expected, retryable: true });
  });

  it('looks for the code on what caused the error', () => {
    const error = new Error('RequestError', { cause: coded('ECONNRESET') });
    expect(networkFailure(error, 'api.test').message).toBe('No connection to api.test (ECONNRESET).');
  });

  it.each([['text'], [undefined], [new Error('x'.repeat(1000))]])(
    'is a failure for anything thrown',
    (error) => {
      const failure = networkFailure(error, 'api.test');
      expect(failure).toMatchObject({ code: 'NETWORK', message: 'No connection to api.test.' });
      expect(failure.detail?.length).toBeLessThanOrEqual(200);
    },
  );
});

describe('other failures of an answer', () => {
  it('name the limit of its size', () => {
    expect(tooLarge('api.test', 8)).toMatchObject({ code: 'API_TOO_LARGE', retryable: true });
  });

  it('quote the beginning of what came instead', () => {
    const failure = oddAnswer('API_NOT_JSON', 'Get incident', 'a web page came', raw('<html>Log in</html>'));
    expect(failure).toMatchObject({
      code: 'API_NOT_JSON',
      message: 'Get incident: a web page came (HTTP 200).',
      detail: '<html>Log in</html>',
    });
  });
});
