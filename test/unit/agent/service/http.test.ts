import { gzipSync } from 'node:zlib';
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttp, type Http, type ServiceCall } from '../../../../electron/agent/service/http.ts';
import { FailureError } from '../../../../shared/domain/failure.ts';
import type { AuthSettings } from '../../../../shared/domain/settings.ts';
import { startAnswerServer, type AnswerServer } from '../../../helpers/answer-server.ts';
import { failureOf } from '../../../helpers/queue-fixture.ts';

const KEY = 'k3y/with+odd=signs&more';
const BEARER: AuthSettings = { scheme: 'bearer' };
const schemes: readonly AuthSettings[] = [
  BEARER,
  { scheme: 'header', name: 'X-Api-Key' },
  { scheme: 'header', name: 'Authorization', prefix: 'Token ' },
  { scheme: 'query', name: 'api_token' },
];
const LIMIT_BYTES = 8 * 1024 * 1024;
const GET: ServiceCall = { endpoint: 'getUsers' };
const USER: ServiceCall = { endpoint: 'getUser', ids: { userId: 'a' } };
let server: AnswerServer | undefined;
let http: Http | undefined;

afterEach(async () => {
  http?.stop();
  await server?.close();
  server = undefined;
});

async function serve(answer: RequestListener): Promise<void> {
  server = await startAnswerServer(answer);
}
function call(request: ServiceCall = GET, auth = BEARER, signal = new AbortController().signal) {
  const config = { baseUrl: server?.baseUrl ?? 'http://127.0.0.1:1', auth, userAgent: 'vms-export-agent/9' };
  http = createHttp(config, { apiKey: async () => KEY });
  return http.call(request, signal);
}
const ok: RequestListener = (_request, response) => response.end('{}');

describe('presenting the key', () => {
  it.each([
    [schemes[0]!, 'authorization', `Bearer ${KEY}`],
    [schemes[1]!, 'x-api-key', KEY],
    [schemes[2]!, 'authorization', `Token ${KEY}`],
  ])('as %o sends one header and nothing in the address', async (auth, name, value) => {
    await serve(ok);
    await call(GET, auth);
    expect(server?.requests[0]?.headers[name]).toBe(value);
    expect(server?.requests[0]?.url).toBe('/users');
    const present = ['authorization', 'x-api-key'].filter((each) => server?.requests[0]?.headers[each]);
    expect(present).toEqual([name]);
  });

  it('as a query parameter adds it to the others, encoded, and sends no header', async () => {
    await serve(ok);
    await call({ ...GET, query: [['per_page', '1']] }, schemes[3]);
    const asked = new URL(server?.requests[0]?.url ?? '', server?.baseUrl);
    expect([...asked.searchParams]).toEqual([
      ['per_page', '1'],
      ['api_token', KEY],
    ]);
    expect(server?.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('as a query parameter is the only one of its name', async () => {
    await serve(ok);
    await call(
      {
        ...GET,
        query: [
          ['api_token', 'of another'],
          ['page', '2'],
        ],
      },
      schemes[3],
    );
    const asked = new URL(server?.requests[0]?.url ?? '', server?.baseUrl);
    expect([...asked.searchParams]).toEqual([
      ['page', '2'],
      ['api_token', KEY],
    ]);
  });

  it('reads the key at each call, so that a replaced one counts at once', async () => {
    await serve(ok);
    let key = 'first-key';
    const config = { baseUrl: server?.baseUrl ?? '', auth: BEARER, userAgent: 'test' };
    http = createHttp(config, { apiKey: async () => key });
    await http.call(GET, new AbortController().signal);
    key = 'second-key';
    await http.call(GET, new AbortController().signal);
    expect(server?.requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer first-key',
      'Bearer second-key',
    ]);
  });

  it('asks nothing without a key', async () => {
    await serve(ok);
    const config = { baseUrl: server?.baseUrl ?? '', auth: BEARER, userAgent: 'test' };
    http = createHttp(config, { apiKey: async () => undefined });
    expect(await http.call(GET, new AbortController().signal)).toMatchObject({
      error: { code: 'KEY_MISSING' },
    });
    expect(server?.requests).toEqual([]);
  });

  it('answers the failure of a key that cannot be read', async () => {
    await serve(ok);
    const failure = failureOf('KEY_FILE_OPEN');
    const config = { baseUrl: server?.baseUrl ?? '', auth: BEARER, userAgent: 'test' };
    http = createHttp(config, { apiKey: () => Promise.reject(new FailureError(failure)) });
    expect(await http.call(GET, new AbortController().signal)).toEqual({ ok: false, error: failure });
  });
});

describe('a call', () => {
  it('sends JSON with its length and names the agent', async () => {
    await serve(ok);
    await call({ endpoint: 'getUploadUrls', ids: { incidentId: 'a/b' }, body: { files: { ä: 1 } } });
    const { method, url, headers } = server?.requests[0] ?? {};
    expect([method, url]).toEqual(['POST', '/vms/incidents/a%2Fb/upload_urls']);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(server?.bodies[0] ?? '')),
      accept: 'application/json',
      'user-agent': 'vms-export-agent/9',
    });
    expect(JSON.parse(server?.bodies[0] ?? '')).toEqual({ files: { ä: 1 } });
  });

  it('deletes without a body', async () => {
    await serve(ok);
    expect(await call({ endpoint: 'deleteUser', ids: { userId: 7 } })).toMatchObject({ ok: true });
    const { method, url, headers } = server?.requests[0] ?? {};
    expect([method, url]).toEqual(['DELETE', '/users/7']);
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(server?.bodies).toEqual(['']);
  });

  it.each([200, 201, 400, 401, 404, 429, 500, 503])('answers status %i as it came, once', async (status) => {
    await serve((_request, response) => {
      response.writeHead(status, { 'retry-after': '7' }).end('{"message":"so"}');
    });
    const answer = await call();
    expect(answer).toMatchObject({ ok: true, value: { status, headers: { 'retry-after': '7' } } });
    expect(answer.ok ? answer.value.body.toString() : '').toBe('{"message":"so"}');
    expect(server?.requests).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])(
    'input D15, checklist 25: does not follow a redirect with %i, so the key goes nowhere else',
    async (status) => {
      const other = await startAnswerServer(ok);
      try {
        await serve((_request, response) =>
          response.writeHead(status, { location: `${other.baseUrl}/login` }).end(),
        );
        expect(await call({ endpoint: 'createUser', body: {} })).toMatchObject({ value: { status } });
        expect(other.requests).toEqual([]);
      } finally {
        await other.close();
      }
    },
  );

  it('reads a compressed answer', async () => {
    await serve((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')),
    );
    const answer = await call();
    expect(answer.ok ? answer.value.body.toString() : '').toBe('{"a":1}');
  });
});

describe('limits', () => {
  it('takes an answer of exactly the limit', async () => {
    await serve((_request, response) => response.end(Buffer.alloc(LIMIT_BYTES, 0x20)));
    expect(await call(USER)).toMatchObject({ ok: true });
  });

  it.each([
    [
      'with its length stated',
      (body: Buffer): RequestListener =>
        (_request, response) =>
          response.end(body),
    ],
    [
      'that never ends',
      (body: Buffer): RequestListener =>
        (_request, response) => {
          const more = (): void => {
            while (response.write(body.subarray(0, 65_536)));
            if (!response.destroyed) response.once('drain', more);
          };
          more();
        },
    ],
    [
      'that is small until it is unpacked',
      (body: Buffer): RequestListener =>
        (_request, response) =>
          response
            .writeHead(200, { 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.concat([body, body, body]))),
    ],
  ])('checklist 30: refuses a larger answer %s', async (_what, answer) => {
    await serve(answer(Buffer.alloc(LIMIT_BYTES + 1, 0x20)));
    expect(await call(USER)).toMatchObject({ ok: false, error: { code: 'API_TOO_LARGE' } });
  });

  it('input D22: refuses headers over 32 KiB', async () => {
    await serve((_request, response) => response.writeHead(200, { 'x-long': 'a'.repeat(40_000) }).end('{}'));
    expect(await call()).toMatchObject({ ok: false, error: { code: 'NETWORK' } });
  });
});

describe('trouble on the line', () => {
  it.each([
    ['reset before an answer', (_request, response) => void response.destroy()],
    [
      'that breaks off in the middle of a body',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"half":', () => response.destroy());
      },
    ],
  ] satisfies [string, RequestListener][])('is one failure for a connection %s', async (_what, answer) => {
    await serve(answer);
    expect(await call()).toMatchObject({ ok: false, error: { code: 'NETWORK', retryable: true } });
  });

  it('names host and reason when nobody listens', async () => {
    await serve(ok);
    const { baseUrl = '', host } = server ?? {};
    await server?.close();
    server = undefined;
    http = createHttp({ baseUrl, auth: BEARER, userAgent: 'test' }, { apiKey: async () => KEY });
    const answer = await http.call(GET, new AbortController().signal);
    expect(answer).toMatchObject({
      error: { code: 'NETWORK', message: `No connection to ${host} (ECONNREFUSED).` },
    });
  });

  it.each([
    ['createUser', { mayHaveHappened: true }],
    ['getUploadUrls', {}],
  ] as const)('after %s was sent leaves %o', async (endpoint, more) => {
    await serve((_request, response) => void response.destroy());
    const answer = await call({ endpoint, ids: { incidentId: 'a' }, body: {} });
    expect(answer.ok ? {} : answer.error).toEqual({
      code: 'NETWORK',
      message: expect.stringContaining('ECONNRESET'),
      advice: expect.stringContaining('automatically'),
      retryable: true,
      detail: expect.any(String),
      ...more,
    });
  });

  it('ends at once when it is aborted', async () => {
    await serve(() => undefined);
    const stopping = new AbortController();
    const answer = call(GET, BEARER, stopping.signal);
    setTimeout(() => stopping.abort(), 30);
    expect(await answer).toMatchObject({ ok: false });
  });
});

describe('the key', () => {
  const forms = [KEY, encodeURIComponent(KEY), new URLSearchParams({ k: KEY }).toString().slice(2)];

  it.each(schemes.map((auth) => [auth.scheme, auth] as const))(
    'is in no answer of a side that repeats what it was sent (%s)',
    async (_scheme, auth) => {
      await serve((request, response) => {
        const all = JSON.stringify({
          message: `Cannot ${request.method} ${request.url}`,
          headers: request.headers,
        });
        response.writeHead(404).end(all);
      });
      const answer = await call({ ...GET, query: [['page', '1']] }, auth);
      const text = answer.ok ? answer.value.body.toString() : '';
      expect(text).toContain('Cannot GET /users?page=1');
      for (const form of forms) expect(text).not.toContain(form);
    },
  );

  it.each(schemes.map((auth) => [auth.scheme, auth] as const))(
    'is in no failure of the line (%s)',
    async (_scheme, auth) => {
      await serve((_request, response) => void response.destroy());
      const text = JSON.stringify(await call(GET, auth));
      expect(text).toContain('NETWORK');
      for (const form of forms) expect(text).not.toContain(form);
    },
  );
});
