import { describe, expect, it } from 'vitest';
import { inspectRequest, type RequestFacts, createRefusalLog } from '../../../electron/console/guard.ts';
import { createFakeClock } from '../../helpers/fake-clock.ts';

const PORT = 7443;
const HOST = `127.0.0.1:${PORT}`;
const ORIGIN = `http://${HOST}`;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request that is valid except for what its row changes; `undefined` removes a header. */
function facts(method: string, headers: Headers, target: string): RequestFacts {
  const usual = {
    host: HOST,
    ...(method === 'POST' && { origin: ORIGIN, 'content-type': 'application/json' }),
  };
  const given = Object.entries<string | readonly string[] | undefined>({ ...usual, ...headers });
  return {
    method,
    target,
    headers: Object.fromEntries(
      given.flatMap(([name, value]) => {
        if (value === undefined) return [];
        return [[name, typeof value === 'string' ? [value] : value]];
      }),
    ),
  };
}

const statusOf = (method: string, headers: Headers = {}, target = '/'): number | undefined =>
  inspectRequest(facts(method, headers, target), PORT)?.status;

describe('checklist 47: inspectRequest: the host', () => {
  it.each([HOST, `localhost:${PORT}`, `[::1]:${PORT}`])('takes %s', (host) => {
    expect(statusOf('GET', { host })).toBeUndefined();
    expect(statusOf('POST', { host, origin: `http://${host}` })).toBeUndefined();
  });

  it.each([
    ['no port', '127.0.0.1'],
    ['another port', '127.0.0.1:80'],
    ['a longer port', `${HOST}1`],
    ['another name', `evil.example:${PORT}`],
    ['a name that begins like ours', `127.0.0.1.evil.example:${PORT}`],
    ['another address of this machine', `127.0.0.2:${PORT}`],
    ['every address', `0.0.0.0:${PORT}`],
    ['a number for an address', `2130706433:${PORT}`],
    ['a user', `user@${HOST}`],
    ['capitals', `LOCALHOST:${PORT}`],
    ['a closing dot', `localhost.:${PORT}`],
    ['nothing', ''],
    ['two in one', `${HOST}, ${HOST}`],
  ])('refuses %s', (_what, host) => {
    expect(statusOf('GET', { host })).toBe(421);
  });

  it('input G8: refuses two hosts, even when they are the same', () => {
    expect(statusOf('GET', { host: [HOST, HOST] })).toBe(421);
    expect(statusOf('GET', { host: [HOST, 'evil.example'] })).toBe(421);
  });

  it('input G8: refuses a request without one', () => {
    expect(statusOf('GET', { host: undefined })).toBe(400);
  });
});

describe('inspectRequest: method and address', () => {
  it.each(['GET', 'HEAD', 'POST'])('takes %s', (method) => {
    expect(statusOf(method)).toBeUndefined();
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'get', ''])(
    'input G14: refuses %s and says what there is',
    (method) => {
      const refusal = inspectRequest(facts(method, {}, '/'), PORT);
      expect(refusal).toMatchObject({ status: 405, allow: 'GET, HEAD, POST' });
    },
  );

  it.each([
    'http://127.0.0.1:7443/',
    'https://evil.example/',
    '//evil.example/',
    '*',
    '',
    'index.html',
    '\\',
  ])('input G13: refuses the address %s', (target) => {
    expect(statusOf('GET', {}, target)).toBe(400);
  });
});

describe('checklist 48: inspectRequest: where it comes from', () => {
  const origins: readonly (readonly [string, string | readonly string[]])[] = [
    ['another site', 'https://evil.example'],
    ['a page without an origin', 'null'],
    ['another port', 'http://127.0.0.1:3000'],
    ['no port', 'http://127.0.0.1'],
    ['another scheme', `https://${HOST}`],
    ['another name of this machine', `http://localhost:${PORT}`],
    ['a path', `${ORIGIN}/`],
    ['capitals', ORIGIN.toUpperCase()],
    ['nothing', ''],
    ['ours and another', [ORIGIN, 'https://evil.example']],
  ];
  it.each(origins)('input G9: refuses the origin of %s', (_what, origin) => {
    for (const method of ['GET', 'HEAD', 'POST']) expect(statusOf(method, { origin })).toBe(403);
  });

  it('takes our own origin', () => {
    expect(statusOf('GET', { origin: ORIGIN })).toBeUndefined();
  });

  it('input G10: refuses a POST that names no origin, or two', () => {
    expect(statusOf('POST', { origin: undefined })).toBe(403);
    expect(statusOf('POST', { origin: [ORIGIN, ORIGIN] })).toBe(403);
  });

  it.each(['same-origin', 'none'])('takes what the browser calls %s', (site) => {
    expect(statusOf('GET', { 'sec-fetch-site': site })).toBeUndefined();
    expect(statusOf('POST', { 'sec-fetch-site': site })).toBeUndefined();
  });

  const sites: readonly (string | readonly string[])[] = [
    'cross-site',
    'same-site',
    'Same-Origin',
    '',
    ['same-origin', 'cross-site'],
  ];
  it.each(sites)('input G9: refuses what the browser calls %j', (site) => {
    for (const method of ['GET', 'HEAD', 'POST'])
      expect(statusOf(method, { 'sec-fetch-site': site })).toBe(403);
  });
});

describe('inspectRequest: what it carries', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'Application/JSON',
  ])('takes a POST of %s', (type) => {
    expect(statusOf('POST', { 'content-type': type })).toBeUndefined();
  });

  const types: readonly (string | readonly string[] | undefined)[] = [
    undefined,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; application/json',
    'application/json; charset=utf-16',
    'application/jsonp',
    'application/json, text/plain',
    ['application/json', 'application/json'],
  ];
  it.each(types)('input G10: refuses a POST of %j', (type) => {
    expect(statusOf('POST', { 'content-type': type })).toBe(415);
  });

  it('refuses a compressed POST', () => {
    expect(statusOf('POST', { 'content-encoding': 'gzip' })).toBe(415);
  });

  it.each(['GET', 'HEAD'])('input G14: refuses a body with %s', (method) => {
    expect(statusOf(method, { 'content-length': '5' })).toBe(400);
    expect(statusOf(method, { 'transfer-encoding': 'chunked' })).toBe(400);
    expect(statusOf(method, { 'content-length': '0' })).toBeUndefined();
  });

  it.each(['websocket', 'h2c'])('input G15: refuses to become %s', (upgrade) => {
    expect(statusOf('GET', { upgrade })).toBe(400);
    expect(statusOf('GET', { upgrade, origin: 'https://evil.example' })).toBe(403);
  });

  it('meets no expectation but the usual one', () => {
    expect(statusOf('POST', { expect: '100-continue' })).toBeUndefined();
    expect(statusOf('POST', { expect: 'a-miracle' })).toBe(417);
  });
});

function start() {
  const clock = createFakeClock();
  const lines: unknown[] = [];
  const silent = () => undefined;
  const logger = {
    debug: silent,
    info: silent,
    error: silent,
    warn: (message: string, fields?: unknown) => void lines.push([message, fields]),
  };
  return { clock, lines, log: createRefusalLog(logger, clock) };
}

it('tells the first refusal of each reason, and then once a minute how many there were', async () => {
  const { clock, lines, log } = start();
  const host = { status: 421, text: 'Another host.' } as const;
  const origin = { status: 403, text: 'Another origin.' } as const;
  for (let times = 0; times < 1000; times += 1) log.note(host);
  log.note(origin);
  await clock.advance(60_000);
  log.note(host);
  expect(lines).toEqual([
    ['The console refused a request.', { status: 421, reason: 'Another host.', count: 1 }],
    ['The console refused a request.', { status: 403, reason: 'Another origin.', count: 1 }],
    ['The console refused a request.', { status: 421, reason: 'Another host.', count: 1001 }],
  ]);
});

it('does not tell of an address that leads nowhere', () => {
  const { lines, log } = start();
  log.note({ status: 404, text: 'Nothing there.' });
  expect(lines).toEqual([]);
});
