import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { checkConnection } from '../../../../electron/agent/service/check-connection.ts';
import type { Clock } from '../../../../electron/agent/ports.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { startAnswerServer } from '../../../helpers/answer-server.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { startFront } from '../../../helpers/front.ts';

const KEY = 'key-12345678';
const read = (name: string) =>
  readFileSync(new URL(`../../../fixtures/tls/${name}`, import.meta.url), 'utf8');

type Answer = readonly [status: number, body: string];
const json = (status: number, body: unknown): Answer => [status, JSON.stringify(body)];

/** A service whose answer depends on the first part of the path. */
async function serve(answers: Record<string, Answer>, date?: string) {
  const server = await startAnswerServer((request, response) => {
    const [, , part = ''] = (request.url ?? '').split(/[/?]/);
    const [status, body] = answers[part] ?? [500, ''];
    const length = Buffer.byteLength(body);
    response.writeHead(status, { 'content-length': length, ...(date && { date }) }).end(body);
  });
  onTestFinished(() => server.close());
  return server;
}

function check(baseUrl: string, clock: Clock = createSystemClock(), signal?: AbortSignal) {
  const config = { settings: settingsSchema.parse({ baseUrl }), version: '1' };
  return checkConnection(config, { clock, secrets: { apiKey: async () => KEY } }, signal);
}

async function statesOf(lines: ReturnType<typeof check>): Promise<readonly string[]> {
  return (await lines).map(({ name, state, failure }) => `${name} ${failure?.code ?? state}`);
}

const good = {
  users: json(200, { users: [] }),
  periods: json(200, { periods: [] }),
  vms: json(404, { message: 'x' }),
};
const refused = json(401, { message: 'no' });
const online = ['address ok', 'tls skipped'];

describe('the service', () => {
  it.each([
    ['with more rights than uploads need', good, true],
    ['for video alone', { ...good, users: refused, periods: refused }, false],
  ])('input D24: says whether a key %s opens the users of the team', async (_what, answers, opensUsers) => {
    const { baseUrl } = await serve(answers);
    const line = (await check(`${baseUrl}/v1`)).find(({ name }) => name === 'permission');
    expect(line?.state).toBe('ok');
    expect(line?.text.includes("gives access to the team's users")).toBe(opensUsers);
  });

  it.each<[string, Record<string, Answer>, readonly string[]]>([
    ['all is well', good, ['service ok', 'permission ok', 'clock ok']],
    [
      'the key is refused',
      { users: refused, periods: refused, vms: refused },
      ['service KEY_REFUSED', 'permission skipped', 'clock ok'],
    ],
    [
      'video is refused',
      { ...good, vms: json(403, {}) },
      ['service ok', 'permission VIDEO_PERMISSION_MISSING', 'clock ok'],
    ],
    [
      'the key is for video only',
      { ...good, users: refused, periods: refused },
      ['service ok', 'permission ok', 'clock ok'],
    ],
    ['only periods answer', { ...good, users: refused }, ['service ok', 'permission ok', 'clock ok']],
    [
      'the address is another one',
      { users: [404, ''], periods: [404, ''], vms: [404, ''] },
      ['service NOT_FOUND', 'permission skipped', 'clock ok'],
    ],
    [
      'a login page answers',
      { users: [200, '<html>'], periods: [200, '<html>'], vms: [200, '<html>'] },
      ['service API_NOT_JSON', 'permission skipped', 'clock ok'],
    ],
    ['the service is broken', {}, ['service SERVICE_FAULT', 'permission skipped', 'clock ok']],
  ])('tells when %s', async (_, answers, lines) => {
    const { baseUrl } = await serve(answers);
    const clock = createFakeClock(Date.now());
    expect(await statesOf(check(`${baseUrl}/v1`, clock))).toEqual([...online, ...lines]);
    expect(clock.sleepers()).toBe(0);
  });

  it('says with what it answered a call that it refuses while others pass', async () => {
    const { baseUrl } = await serve({ ...good, users: json(403, {}) });
    const line = (await check(`${baseUrl}/v1`)).find(({ name }) => name === 'service');
    expect(line?.text).toBe(
      `${baseUrl}/v1 responds to: GET /periods, GET /vms/incidents/{id}. Not to: GET /users (HTTP 403).`,
    );
  });

  it('is asked only what changes nothing, with the key where it belongs', async () => {
    const { baseUrl, requests } = await serve(good);
    await check(`${baseUrl}/v1`);
    const asked = requests.map(({ method, url, headers }) => `${method} ${url} ${headers.authorization}`);
    expect(asked).toEqual([
      `GET /v1/users?per_page=1 Bearer ${KEY}`,
      `GET /v1/periods Bearer ${KEY}`,
      expect.stringMatching(/^GET \/v1\/vms\/incidents\/[0-9a-f-]{36} Bearer key-12345678$/),
    ]);
  });

  it('warns of a clock that is off by more than a minute', async () => {
    const { baseUrl } = await serve(good, new Date(Date.now() - 90_000).toUTCString());
    expect((await statesOf(check(`${baseUrl}/v1`))).at(-1)).toBe('clock warning');
  });

  it('gives every line that failed an advice for the person who waits', async () => {
    const { baseUrl } = await serve({ ...good, vms: json(403, {}) });
    const failed = (await check(`${baseUrl}/v1`)).filter(({ state }) => state === 'failed');
    expect(failed.map(({ failure }) => failure?.advice)).toEqual([
      'Ask the operator of the service to add it. Until then, uploads are on hold; nothing is lost.',
    ]);
  });

  it('is out of reach when no one listens', async () => {
    const { baseUrl } = await openPort((server) => server.close());
    const lines = await check(baseUrl.replace('https', 'http'));
    expect(await statesOf(Promise.resolve(lines))).toEqual([
      ...online,
      'service NETWORK',
      'permission skipped',
      'clock skipped',
    ]);
    expect(lines[2]?.failure?.advice).not.toContain('automatically');
  });

  it('that takes the connection and says nothing is given up after 30 s, and nothing is left behind', async () => {
    const { baseUrl, sockets } = await openPort();
    const clock = createFakeClock();
    const lines = statesOf(check(baseUrl.replace('https', 'http'), clock));
    await expect.poll(() => sockets()).toBe(1);
    await clock.advance(30_000);
    expect(await lines).toEqual([...online, 'service API_TIMEOUT', 'permission skipped', 'clock skipped']);
    expect(clock.sleepers()).toBe(0);
  });
});

describe('the address', () => {
  it('names what the name leads to', async () => {
    const { baseUrl } = await serve(good);
    const [line] = await check(`${baseUrl.replace('127.0.0.1', 'localhost')}/v1`);
    expect(line).toMatchObject({
      state: 'ok',
      text: expect.stringMatching(/^localhost resolves to .*127\.0\.0\.1/),
    });
  });

  it('that leads nowhere makes all that follows pointless', async () => {
    const lines = await check('https://desk.invalid/v1');
    expect(await statesOf(Promise.resolve(lines))).toEqual([
      'address NETWORK',
      'tls skipped',
      'service skipped',
      'permission skipped',
      'clock skipped',
    ]);
    expect(lines[0]?.text).toContain('desk.invalid');
  });
});

describe('the certificate', () => {
  // Does what an administrator does to add the company's CA to the system's store
  const before = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...before, read('ca.crt')]));
  afterAll(() => setDefaultCACertificates(before));

  async function checkBehind(certificate: string, clock?: Clock) {
    const { baseUrl, requests } = await serve(good);
    const tls = { key: read('server.key'), cert: read(`${certificate}.crt`) };
    const front = await startFront({ onTestFinished }, { target: baseUrl, tls });
    return { lines: await check(`${front.url}/v1`, clock), requests };
  }

  it('that is good is named with its protocol, issuer and end', async () => {
    const { lines } = await checkBehind('good');
    expect(await statesOf(Promise.resolve(lines))).toEqual([
      'address ok',
      'tls ok',
      'service ok',
      'permission ok',
      'clock ok',
    ]);
    expect(lines[1]?.text).toMatch(
      /^TLSv1\.3; the certificate, issued by .+, (?:is valid until|expired on) \d{4}-\d\d-\d\d\.$/,
    );
  });

  it('that ends within two weeks is worth a word', async () => {
    const { lines } = await checkBehind('good');
    const [end = ''] = /\d{4}-\d\d-\d\d/.exec(lines[1]?.text ?? '') ?? [];
    const late = await checkBehind('good', {
      ...createSystemClock(),
      now: () => Date.parse(end) - 86_400_000,
    });
    expect(late.lines[1]).toMatchObject({ name: 'tls', state: 'warning' });
  });

  it.each([
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['wrong-name', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ])('that is %s is refused with its issuer, and the service is told nothing', async (name, code) => {
    const { lines, requests } = await checkBehind(name);
    expect(await statesOf(Promise.resolve(lines))).toEqual([
      'address ok',
      'tls TLS_REFUSED',
      'service skipped',
      'permission skipped',
      'clock skipped',
    ]);
    expect(lines[1]?.text).toContain(code);
    expect(lines[1]?.text).toMatch(/It was issued by \S.* and expire[sd] on \d{4}/);
    expect(requests).toEqual([]);
  });

  it('is not waited for longer than 30 s', async () => {
    const { baseUrl, sockets } = await openPort();
    const clock = createFakeClock();
    const lines = statesOf(check(baseUrl, clock));
    await expect.poll(() => sockets()).toBe(1);
    await clock.advance(30_000);
    expect((await lines)[1]).toBe('tls API_TIMEOUT');
    await expect.poll(() => sockets()).toBe(0);
  });

  it('is not waited for by someone who has left', async () => {
    const { baseUrl, sockets } = await openPort();
    const leaving = new AbortController();
    const lines = check(baseUrl, createSystemClock(), leaving.signal);
    await expect.poll(() => sockets()).toBe(1);
    leaving.abort();
    await lines;
    await expect.poll(() => sockets()).toBe(0);
  });
});

/** A port that accepts connections and never sends anything. */
async function openPort(before?: (server: Server) => unknown) {
  let open = 0;
  const server = createServer((socket) => {
    open += 1;
    socket.on('close', () => (open -= 1)).on('error', () => undefined);
    socket.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  if (before === undefined) onTestFinished(() => void server.close());
  else before(server);
  return { baseUrl: `https://127.0.0.1:${port}`, sockets: () => open };
}
