import { describe, expect, it } from 'vitest';
import {
  oddAnswer,
  statusFailure,
  unmarkedFailure,
  type AnswerKind,
} from '../../../../electron/agent/service/answer-failures.ts';
import type { RawAnswer } from '../../../../electron/agent/service/http.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import { processorMs } from '../../../helpers/processor-ms.ts';

const NOW_MS = Date.parse('2026-08-01T12:00:00Z');
const PROCESSING = 'An error occurred while processing your request';
const raw = (body = '', headers: RawAnswer['headers'] = {}, status = 200): RawAnswer => ({
  status,
  headers,
  body: Buffer.from(body),
});
const contextOf = (answer: RawAnswer, kind: AnswerKind) => ({ what: 'Put it', answer, nowMs: NOW_MS, kind });
const failed = (status: number, body: unknown = {}, kind: AnswerKind = 'video') =>
  statusFailure(contextOf(raw(JSON.stringify(body), {}, status), kind), status, body);
const unmarked = (body: unknown, isBare: boolean, kind: AnswerKind = 'team') =>
  unmarkedFailure(contextOf(raw(JSON.stringify(body)), kind), body, isBare);

describe('statusFailure', () => {
  it.each([
    [400, 'VALIDATION', false],
    [401, 'KEY_REFUSED', true],
    [403, 'PERMISSION_MISSING', true],
    [407, 'PROXY_AUTH', true],
    [404, 'NOT_FOUND', true],
    [405, 'VALIDATION', false],
    [408, 'API_TIMEOUT', true],
    [409, 'VALIDATION', false],
    [410, 'NOT_FOUND', false],
    [413, 'VALIDATION', false],
    [422, 'VALIDATION', false],
    [429, 'RATE_LIMITED', true],
    [500, 'SERVICE_FAULT', true],
    [503, 'SERVICE_FAULT', true],
    [599, 'SERVICE_FAULT', true],
  ] satisfies [number, FailureCode, boolean][])(
    'input D17: of %i is %s (retryable: %s)',
    (status, code, retryable) => {
      for (const kind of ['video', 'team'] as const) {
        expect(failed(status, {}, kind)).toMatchObject({ code, retryable, status });
      }
    },
  );

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
      'Put it: the service refused the request (HTTP 400: title is too long).',
    );
  });

  it.each([502, 503, 504])(
    'tells a service that is down for now from one that has an error: %i',
    (status) => {
      expect(failed(status, {}).message).toContain('the service is temporarily unavailable');
      expect(failed(500, {}).message).toContain('the service reported an internal error');
    },
  );

  it('keeps the text of the service exactly, up to 2,000 characters, beside the short one', () => {
    expect(failed(400, { message: 'title\n  is   too long' }).detail).toBe('title\n  is   too long');
    const { detail, message } = failed(400, { message: 'x'.repeat(5000) });
    expect(detail).toHaveLength(2000);
    expect(message.length).toBeLessThan(300);
  });

  it('keeps at most 200 characters of a page, and takes no time over a long one', () => {
    const page = raw('a \n'.repeat(2_700_000), {}, 502);
    let detail: string | undefined;
    const neededMs = processorMs(() => ({ detail } = statusFailure(contextOf(page, 'team'), 502, undefined)));
    expect(detail).toHaveLength(200);
    expect(neededMs).toBeLessThan(200);
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
    const context = contextOf(raw('{}', headers, 429), 'video');
    expect(statusFailure(context, 429, {}).retryAfterMs).toBe(expectedMs);
  });
});

describe('errors of the service', () => {
  it.each([
    [400, { message: 'Invalid period_id. It must be a valid integer for your team.' }, 'period_id'],
    [400, { message: 'Invalid form_fields. It must be an array of strings.' }, 'form_fields'],
    [422, { status: 422, message: 'Validation failed: Phone number has already been taken' }, 'phone_number'],
  ])('name the input: %i %o', (status, body, field) => {
    const failure = failed(status, body, 'team');
    expect(failure).toMatchObject({ code: 'VALIDATION', status, detail: body.message });
    expect(failure.fields?.map(({ name }) => name)).toEqual([field]);
  });

  it.each([
    [7, '7'],
    ['u-7', 'u-7'],
  ])('name the user %s who is no member of the channel', (invalid_user_id, invalidUserId) => {
    const message = { error: 'Invalid Channel User', invalid_user_id };
    const failure = failed(422, { status: 422, message }, 'team');
    expect(failure).toMatchObject({
      code: 'INVALID_CHANNEL_USER',
      status: 422,
      retryable: false,
      invalidUserId,
    });
    expect(failure.message).toContain(`user ${invalidUserId} is not a member of the channel`);
    expect(failure.detail).toBe(JSON.stringify(message));
  });

  it.each([400, 404, 422, 500])(
    'a processing failure is a fault of the service under status %i',
    (status) => {
      expect(failed(status, { message: PROCESSING }, 'team')).toMatchObject({
        code: 'SERVICE_FAULT',
        status,
      });
    },
  );

  it('a processing failure leaves the queue what the status says', () => {
    expect(failed(422, { message: PROCESSING }, 'video').code).toBe('VALIDATION');
  });

  it('carry no fields and no user where the code has none', () => {
    const text = 'Invalid period_id. It must be';
    expect(failed(403, { message: text }, 'team')).not.toHaveProperty('fields');
    expect(failed(422, { message: text }, 'team')).not.toHaveProperty('invalidUserId');
  });
});

describe('an error under a good status and without one of its own', () => {
  it.each([
    [{ message: PROCESSING }, 'SERVICE_FAULT'],
    [{ error: 'Database is away' }, 'SERVICE_FAULT'],
    [{ message: 'Period not found' }, 'NOT_FOUND'],
    [{ message: 'Invalid period_id. It must be a valid integer for your team.' }, 'VALIDATION'],
    [{ message: 'Validation failed: Role is not included in the list' }, 'VALIDATION'],
  ] satisfies [object, FailureCode][])('%o is %s', (body, code) => {
    expect(unmarked(body, true)).toMatchObject({ code, status: 200 });
  });

  it.each([[{ message: PROCESSING }], [{ message: { error: 'Invalid Channel User', invalid_user_id: 7 } }]])(
    '%o is one although the rest would do as an answer',
    (body) => {
      expect(unmarked(body, false)).toBeDefined();
    },
  );

  it.each([
    [{ message: 'Message created' }, false],
    [{ message: { id: 7 } }, false],
    [{ other: 1 }, true],
    [[], true],
  ])('%o is none', (body, isBare) => {
    expect(unmarked(body, isBare)).toBeUndefined();
  });

  it('is none for the video endpoints, whose errors are not told', () => {
    expect(unmarked({ message: PROCESSING }, true, 'video')).toBeUndefined();
  });
});

describe('oddAnswer', () => {
  it.each(['video', 'team'] as const)('quotes the beginning of what came instead (%s)', (kind) => {
    const context = contextOf(raw('<html>Log in</html>'), kind);
    expect(oddAnswer('API_NOT_JSON', 'a web page came', context)).toMatchObject({
      code: 'API_NOT_JSON',
      message: 'Put it: a web page came (HTTP 200).',
      detail: 'Log in',
    });
  });

  it.each(['{"user":{"first_name":"Ann"', '[{"first_name":"Ann"}]', '\uFEFF {"first_name":"Ann"}'])(
    'repeats nothing of an answer of the team that is data: %s',
    (text) => {
      const failure = oddAnswer('API_SHAPE', 'user.id: wrong', contextOf(raw(text), 'team'));
      expect(JSON.stringify(failure)).not.toContain('Ann');
      expect(failure.detail).toBe('user.id: wrong');
    },
  );
});
