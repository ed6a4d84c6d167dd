import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeAnswer, checkJsonText } from '../../../../electron/agent/service/decode.ts';
import type { RawAnswer } from '../../../../electron/agent/service/http.ts';
import { incidentAnswerSchema } from '../../../../shared/service/incident.ts';
import type { FailureCode } from '../../../../shared/domain/failure.ts';
import { processorMs } from '../../../helpers/processor-ms.ts';

const schema = z.object({ id: z.string(), list: z.array(z.number()).optional() });
const answer = (body: string | Buffer, status = 200, headers: RawAnswer['headers'] = {}): RawAnswer => ({
  status,
  headers,
  body: Buffer.from(body),
});
const decode = (raw: RawAnswer) => decodeAnswer('Get thing', raw, schema, 0);

describe('checklist 31: decodeAnswer', () => {
  it.each([
    ['{"id":"a"}', { id: 'a' }],
    ['{"id":"a","unknown":[{}]}', { id: 'a' }],
    ['\uFEFF  {"id":"a"}\n', { id: 'a' }],
    ['{"id":"\\u00e4\u{1f3a5}"}', { id: 'ä🎥' }],
    ['{"id":"a","checksum":12345678901234567890}', { id: 'a' }],
    ['{"id":"a","status":"active"}', { id: 'a' }],
    ['{"id":"a","status":200}', { id: 'a' }],
    ['{"id":"a","status":399}', { id: 'a' }],
    ['{"id":"a","status":null,"message":"hello"}', { id: 'a' }],
  ])('understands %s', (body, value) => {
    expect(decode(answer(body))).toEqual({ ok: true, value });
  });

  it.each([
    ['', 200, 'API_EMPTY'],
    ['  \n', 204, 'API_EMPTY'],
    ['<!DOCTYPE html><title>Log in</title>', 200, 'API_NOT_JSON'],
    ['  <?xml version="1.0"?>', 200, 'API_NOT_JSON'],
    ['OK', 200, 'API_BAD_JSON'],
    ['{"id":"a"', 200, 'API_BAD_JSON'],
    ['{"id":"a"}{"id":"b"}', 200, 'API_BAD_JSON'],
    ['{"id":NaN}', 200, 'API_BAD_JSON'],
    [`{"id":"a","deep":${'['.repeat(50)}${']'.repeat(50)}}`, 200, 'API_BAD_JSON'],
    ['{"id":9007199254740993}', 200, 'API_NUMBER'],
    ['{"id":"a","list":[1e999]}', 200, 'API_NUMBER'],
    ['{}', 200, 'API_SHAPE'],
    ['null', 200, 'API_SHAPE'],
    ['[]', 200, 'API_SHAPE'],
    ['{"id":"a","list":["1"]}', 200, 'API_SHAPE'],
  ] satisfies [string, number, FailureCode][])(
    'of %s with status %i is %s, which may pass',
    (body, status, code) => {
      expect(decode(answer(body, status))).toMatchObject({
        ok: false,
        error: { code, retryable: true, status },
      });
    },
  );

  it.each([
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
    ['{"id":-12345678901234567890,"list":[1]}', { id: '-12345678901234567890', list: [1] }],
  ])('keeps the digits of an id of the team in %s', (body, value) => {
    expect(decodeAnswer('Get thing', answer(body), schema, 0, 'team')).toEqual({ ok: true, value });
  });

  it('keeps what an incident holds as it came, so that it can go back', () => {
    const body =
      '{"vms_incident":{"uploaded_videos":[{"id":"v","checksum":12345678901234567890,"x":[1e999]}]}}';
    const result = decodeAnswer('Get incident', answer(body), incidentAnswerSchema, 0);
    expect(result.ok && JSON.stringify(result.value)).toBe(body);
  });

  it('never refuses an incident for a field that nobody here needs, and sends those of videos back as they came', () => {
    const videos =
      '[{"id":"v","storage_key":"k","camera_latitude":"51.5","started_at":1,"upload_errors":"none"}]';
    const body = `{"vms_incident":{"id":7,"title":"Gate","longitude":"-0.12","updated_at":5,"failed_videos":${videos}}}`;
    const result = decodeAnswer('Get incident', answer(body), incidentAnswerSchema, 0);
    expect(result.ok && JSON.stringify(result.value)).toBe(
      `{"vms_incident":{"title":"Gate","failed_videos":${videos}}}`,
    );
  });

  it('says which field has another shape', () => {
    const result = decode(answer('{"id":"a","list":[1,"2"]}'));
    expect(result.ok ? '' : result.error.message).toBe('Get thing: "list.1" is not a number (HTTP 200).');
  });

  it.each([
    ['{}', 'the response has no "id"'],
    ['{"id":null}', '"id" is not text'],
    ['{"id":"a","list":{}}', '"list" is not a list'],
    ['{"id":"a","list":[1e999]}', '"list.0" is a number that cannot be read exactly'],
    ['[]', 'the response is not an object'],
    ['null', 'the response is not an object'],
  ])('says of %s what is wrong in words of its own', (body, problem) => {
    const result = decode(answer(body));
    expect(result.ok ? '' : result.error.message).toBe(`Get thing: ${problem} (HTTP 200).`);
  });

  it.each([
    ['https://login.example.com/?next=secret', 'login.example.com'],
    ['/login', 'another address'],
    [undefined, 'another address'],
  ])('checklist 25: refuses a redirect to %s and names at most its host', (location, host) => {
    const result = decode(answer('', 302, location === undefined ? {} : { location }));
    expect(result).toMatchObject({ ok: false, error: { code: 'API_REDIRECT' } });
    expect(result.ok ? '' : result.error.message).toContain(`a redirect to ${host} was refused`);
    expect(JSON.stringify(result)).not.toContain('next=');
  });

  it.each([
    ['{"status":422,"message":"Validation failed: name"}', 200, 'VALIDATION', 422],
    ['{"status":"404","message":"Period not found"}', 200, 'NOT_FOUND', 404],
    ['{"status":401,"id":"a"}', 200, 'KEY_REFUSED', 401],
    ['{"status":500}', 201, 'SERVICE_FAULT', 500],
  ])('takes %s for an error whatever its status %i', (body, status, code, meant) => {
    expect(decode(answer(body, status))).toMatchObject({ ok: false, error: { code, status: meant } });
  });

  it.each([
    ['{"message":"no"}', 403, 'PERMISSION_MISSING'],
    ['<html>Bad gateway</html>', 502, 'SERVICE_FAULT'],
    ['', 500, 'SERVICE_FAULT'],
    ['{"id":"a"}', 404, 'NOT_FOUND'],
    ['{"id": 99999999999999999999}', 400, 'VALIDATION'],
  ] satisfies [string, number, FailureCode][])(
    'lets the status decide about %s with %i',
    (body, status, code) => {
      expect(decode(answer(body, status))).toMatchObject({ ok: false, error: { code, status } });
    },
  );
});

describe('an answer of the team', () => {
  const wrapped = z.object({ user: z.object({ id: z.int() }) });
  const decodeTeam = (body: unknown) =>
    decodeAnswer('Get user', answer(JSON.stringify(body)), wrapped, 0, 'team');

  it.each([
    [{ message: 'User not found' }, 'NOT_FOUND'],
    [{ error: 'Database is away' }, 'SERVICE_FAULT'],
    [{ user: { id: 1 }, message: 'An error occurred while processing your request' }, 'SERVICE_FAULT'],
    [{ message: 'Wrong', user: { id: 'x' } }, 'API_SHAPE'],
    [{ message: 'Wrong', user: null }, 'API_SHAPE'],
    [{ other: 1 }, 'API_SHAPE'],
  ] satisfies [object, FailureCode][])('%o is %s', (body, code) => {
    expect(decodeTeam(body)).toMatchObject({ ok: false, error: { code, status: 200 } });
  });

  it('may have a message beside what was asked for', () => {
    expect(decodeTeam({ user: { id: 1 }, message: 'Welcome', error: null })).toMatchObject({ ok: true });
  });

  it('is not quoted when it is of another shape', () => {
    const failure = decodeTeam({ user: { id: 'Ann Lee' } });
    expect(JSON.stringify(failure)).not.toContain('Ann Lee');
    expect(failure).toMatchObject({ error: { detail: expect.stringContaining('user.id') } });
  });
});

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('checkJsonText', () => {
  it.each([
    ['{}'],
    ['{"a": [1, -2, 3.5, 1e3, 0.1E-7], "b": null, "c": true}'],
    ['9007199254740991'],
    ['-9007199254740991'],
    ['12345678901234567890.5'],
    [nested(32)],
    ['{"a": "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}'],
    ['{"a": "9007199254740993"}'],
    [String.raw`{"a": "\"9007199254740993\\", "b": "\\\""}`],
    [''],
    ['not json'],
    ['"never closed 99999999999999999999'],
    [String.raw`"ends in a backslash \ `.trimEnd()],
    [']]]]'],
  ])('has nothing against %s', (text) => {
    expect(checkJsonText(text)).toBeUndefined();
  });

  it.each([
    ['{"id": 9007199254740993}'],
    ['[-9007199254740992]'],
    ['1e400'],
    ['{"a": {"b": [0, 99999999999999999999]}}'],
  ])('tells a number that would be rounded in %s', (text) => {
    expect(checkJsonText(text)).toBe('unsafe-number');
  });

  it.each([[nested(33)], ['{"a":'.repeat(33)], ['[{'.repeat(17)], ['['.repeat(1_000_000)]])(
    'tells nesting that is too deep',
    (text) => {
      expect(checkJsonText(text)).toBe('too-deep');
    },
  );

  it('measures 8 MiB in well under a second', () => {
    const text = `[${'{"id":"a\\"b","n":1.5},'.repeat(380_000)}0]`;
    expect(processorMs(() => expect(checkJsonText(text)).toBeUndefined())).toBeLessThan(2_000);
  });
});
