import { createServer } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHttp } from '../../../../electron/agent/service/http.ts';
import {
  createProxyRoute,
  isBypassed,
  isOwnMachine,
} from '../../../../electron/agent/service/proxy-route.ts';
import { createImageCheck } from '../../../../electron/agent/service/check-image.ts';
import { checkConnection } from '../../../../electron/agent/service/check-connection.ts';
import { proxyVariables } from '../../../../electron/agent/core/settings/choose-proxy.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { startAnswerServer } from '../../../helpers/answer-server.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { basic, startForwardProxy, type ProxyManners } from '../../../helpers/forward-proxy.ts';
import { startFront } from '../../../helpers/front.ts';
import { local, named, SERVICE, trustTestAuthority } from '../../../helpers/proxy-desk.ts';

beforeAll(trustTestAuthority);

const never = new AbortController().signal;
const baseUrl = 'https://other.example.com/v1';
const secrets = (password?: () => string) => ({
  apiKey: async () => 'key-12345678',
  ...(password !== undefined && { proxyCredentials: async () => password() }),
});

interface DeskOptions {
  readonly manners?: Partial<ProxyManners>;
  readonly password?: () => string;
  readonly tls?: typeof local;
  /** The port behind the name; default: a service with its certificate. */
  readonly port?: number;
  readonly certificate?: typeof local;
  readonly timeoutMs?: number;
  /** The proxy comes from the environment instead of the settings, with these credentials. */
  readonly inEnvironment?: string;
}

/** A client of a service that only the proxy can resolve. */
async function open({
  manners,
  password,
  tls,
  port,
  certificate = named,
  timeoutMs,
  inEnvironment,
}: DeskOptions) {
  const service = await startAnswerServer((_, response) => response.end('{}'));
  onTestFinished(() => service.close());
  const front = await startFront({ onTestFinished }, { target: service.baseUrl, tls: certificate });
  const knows = { [SERVICE]: port ?? Number(new URL(front.url).port) };
  const proxy = await startForwardProxy({ onTestFinished }, { knows, ...manners }, tls);
  const url = inEnvironment === undefined ? { url: proxy.url } : {};
  const settings = settingsSchema.parse({
    baseUrl,
    proxy: url,
    ...(password !== undefined && { proxyCredentialsFile: '/etc/proxy' }),
  });
  const HTTPS_PROXY = proxy.url.replace('//', `//${inEnvironment}@`);
  const variables = proxyVariables(inEnvironment === undefined ? {} : { HTTPS_PROXY });
  const config = { settings, version: '1', proxyVariables: variables };
  const clock = createFakeClock();
  const route = createProxyRoute(config, { clock, secrets: secrets(password) }, timeoutMs);
  const http = createHttp({ baseUrl, auth: settings.auth, userAgent: 'test', route }, secrets());
  onTestFinished(() => {
    http.stop();
    route.stop();
  });
  const post = (signal = never) =>
    http.call({ endpoint: 'createUser', body: { name: 'x'.repeat(100) } }, signal);
  return { proxy, service, clock, route, post, config };
}

describe('a call through the proxy', () => {
  it('uses the tunnel of the one before', async () => {
    const { proxy, service, post } = await open({});
    for (let calls = 0; calls < 3; calls += 1) expect(await post()).toMatchObject({ ok: true });
    expect(service.requests).toHaveLength(3);
    expect(proxy.asked).toHaveLength(1);
    proxy.cutAll();
    // The first call may still use the cut tunnel; on a busy machine the poll has time for just one more
    await expect.poll(async () => (await post()).ok, { timeout: 20_000 }).toBe(true);
    expect(proxy.asked).toHaveLength(2);
  });

  it('goes over TLS to the proxy and over TLS through it', async () => {
    const { proxy, post } = await open({ tls: local });
    expect(await post()).toMatchObject({ ok: true });
    expect(proxy.asked).toHaveLength(1);
  });

  it('takes name and password of the environment, or those of the file, which win', async () => {
    const ofEnvironment = await open({ manners: { credentials: 'desk:p@ss' }, inEnvironment: 'desk:p%40ss' });
    expect(await ofEnvironment.post()).toMatchObject({ ok: true });
    const ofFile = await open({
      manners: { credentials: 'a:b' },
      inEnvironment: 'desk:x',
      password: () => 'a:b',
    });
    expect(await ofFile.post()).toMatchObject({ ok: true });
    expect(ofFile.proxy.asked.map(({ authorization }) => authorization)).toEqual([basic('a:b')]);
  });

  it('that the proxy refuses was not sent, so nothing can have happened', async () => {
    for (const answers of [407, 403, 502]) {
      const { post, service } = await open({ manners: { answers } });
      const answer = await post();
      expect(answer).toMatchObject({ ok: false });
      expect(answer.ok ? {} : answer.error).not.toHaveProperty('mayHaveHappened');
      expect(service.requests).toEqual([]);
    }
  });

  it.each([
    [
      'the service',
      { certificate: local },
      'The certificate of other.example.com was refused (ERR_TLS_CERT_ALTNAME_INVALID).',
    ],
    [
      'the proxy',
      { tls: named },
      /^The certificate of the proxy 127\.0\.0\.1:\d+ was refused \(ERR_TLS_CERT_ALTNAME_INVALID\)\.$/,
    ],
  ])('is not made when the certificate of %s is another one', async (_, options, message) => {
    const { post, proxy, service } = await open(options);
    const answer = await post();
    expect(answer).toMatchObject({ ok: false, error: { code: 'TLS_REFUSED' } });
    expect(answer.ok ? {} : answer.error).not.toHaveProperty('mayHaveHappened');
    expect(answer.ok ? '' : answer.error.message).toMatch(message);
    expect(service.requests).toEqual([]);
    await expect.poll(proxy.standing).toBe(0);
  });

  it('that finds something else than TLS behind the proxy names both', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const { post, proxy } = await open({ port: typeof address === 'object' ? (address?.port ?? 0) : 0 });
    const answer = await post();
    expect(answer).toMatchObject({ ok: false, error: { code: 'NETWORK' } });
    expect(answer.ok ? '' : answer.error.message).toMatch(
      `The connection to other.example.com:443 through the proxy ${proxy.host} dropped (`,
    );
  });

  it('that the proxy never answers ends in time, and leaves nothing behind', async () => {
    const { post, proxy } = await open({ manners: { answers: 'never' }, timeoutMs: 300 });
    expect(await post()).toMatchObject({
      ok: false,
      error: {
        code: 'NETWORK',
        message: `No connection to other.example.com:443 through the proxy ${proxy.host} within 0 s.`,
      },
    });
    await expect.poll(proxy.standing).toBe(0);
  });

  it('is broken off with the client, tunnel and all', async () => {
    const { post, proxy, route } = await open({ manners: { answers: 'never' } });
    const answer = post();
    await expect.poll(proxy.standing).toBe(1);
    route.stop();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'NETWORK' } });
    await expect.poll(proxy.standing).toBe(0);
  });
});

describe('name and password that were refused', () => {
  it('are not shown to the proxy again for ten minutes, unless they are others', async () => {
    let password = 'desk:wrong';
    const { post, proxy, clock } = await open({
      manners: { credentials: 'desk:right' },
      password: () => password,
    });
    const refused = { ok: false, error: { code: 'PROXY_AUTH' } };
    for (let calls = 0; calls < 3; calls += 1) expect(await post()).toMatchObject(refused);
    expect(proxy.asked).toHaveLength(1);
    await clock.advance(601_000);
    expect(await post()).toMatchObject(refused);
    expect(proxy.asked).toHaveLength(2);
    password = 'desk:right';
    expect(await post()).toMatchObject({ ok: true });
  });
});

describe('the look at an image', () => {
  it('goes through the proxy, and addresses of the local network are kept from it', async () => {
    const { proxy, route, clock } = await open({});
    const check = createImageCheck({ clock, route, allowLoopback: false, userAgent: 'test' });
    const look = (url: string) => check({ url, type: 'png' }, never);
    // The answer there is not an image, so its bytes were seen
    expect(await look('https://other.example.com/a.png')).toMatchObject({ kind: 'refused' });
    expect(proxy.asked.length).toBeGreaterThan(0);
    const asked = proxy.asked.length;
    expect(await look('https://10.0.0.1/a.png')).toMatchObject({ kind: 'unchecked' });
    expect(proxy.asked).toHaveLength(asked);
  });
});

describe('the test of the connection', () => {
  const textsOf = async ({ config }: Pick<Awaited<ReturnType<typeof open>>, 'config'>) =>
    (await checkConnection(config, { clock: createSystemClock(), secrets: secrets() })).map(
      ({ name, state, text }) => `${name} ${state}: ${text}`,
    );

  it('looks through the proxy, which is named', async () => {
    const desk = await open({});
    const [address, tls, service] = await textsOf(desk);
    expect(address).toBe(
      `address ok: other.example.com is reached through the proxy ${desk.proxy.host}, which resolves the name.`,
    );
    expect(tls).toMatch(/^tls ok: TLSv1\.3; the certificate, issued by .*, is valid until/);
    expect(service).toMatch(/^service ok/);
  });

  it('names no lookup when the service is at an IP address', async () => {
    const { config, proxy } = await open({});
    const settings = { ...config.settings, baseUrl: 'https://192.0.2.1/v1' };
    const [address] = await textsOf({ config: { ...config, settings } });
    expect(address).toBe(`address ok: 192.0.2.1 is reached through the proxy ${proxy.host}.`);
  });

  it('says what the proxy refused', async () => {
    const desk = await open({ manners: { answers: 403 } });
    expect((await textsOf(desk)).slice(1)).toEqual([
      `tls failed: The proxy ${desk.proxy.host} did not connect to other.example.com:443 (HTTP 403).`,
      expect.stringMatching(/^service skipped/),
      expect.stringMatching(/^permission skipped/),
      expect.stringMatching(/^clock skipped/),
    ]);
  });

  it('says that the variable cannot be used', async () => {
    const config = {
      settings: settingsSchema.parse({ baseUrl }),
      version: '1',
      proxyVariables: proxyVariables({ HTTPS_PROXY: 'socks5://a.example' }),
    };
    const lines = await checkConnection(config, { clock: createSystemClock(), secrets: secrets() });
    expect(lines[0]).toMatchObject({ state: 'failed', failure: { code: 'CONFIG_PROXY' } });
    expect(lines.slice(1).map(({ state }) => state)).toEqual(Array(4).fill('skipped'));
  });
});

describe('isBypassed', () => {
  it.each([
    ['api.example.com', 443, 'api.example.com', true],
    ['api.example.com', 443, 'example.com', true],
    ['api.example.com', 443, '.example.com', true],
    ['api.example.com', 443, '*.example.com', true],
    ['example.com', 443, '.example.com', true],
    ['API.Example.com.', 443, 'example.COM', true],
    ['badexample.com', 443, 'example.com', false],
    ['example.com.evil', 443, 'example.com', false],
    ['api.example.com', 443, '*', true],
    ['api.example.com', 8443, 'api.example.com:8443', true],
    ['api.example.com', 443, 'api.example.com:8443', false],
    ['api.example.com', 443, '10.0.0.0/8', false],
    ['10.1.2.3', 443, '10.0.0.0/8', true],
    ['11.1.2.3', 443, '10.0.0.0/8', false],
    ['10.1.2.3', 443, '10.1.2.3', true],
    ['10.1.2.3', 443, '10.1.2.3:443', true],
    ['10.1.2.3', 443, '.3', false],
    ['10.1.2.3', 443, '10.0.0.0/40', false],
    ['fd00::1', 443, 'fd00::/8', true],
    ['fd00::1', 443, '[fd00:0::1]:443', true],
    ['fd00::1', 443, 'fd00::1', true],
    ['fe00::1', 443, 'fd00::/8', false],
    ['api.example.com', 443, '', false],
    ['api.example.com', 443, '.', false],
    ['api.example.com', 443, 'http://api.example.com', false],
  ] as const)('%s:%i by "%s" is %s', (hostname, port, entry, expected) => {
    expect(isBypassed({ hostname, port }, ['other.example', entry])).toBe(expected);
  });
});

describe('isOwnMachine', () => {
  it.each([
    ['localhost', true],
    ['LOCALHOST.', true],
    ['desk.localhost', true],
    ['127.0.0.1', true],
    ['127.8.9.10', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['localhost.example.com', false],
    ['127.0.0.1.example.com', false],
    ['10.0.0.1', false],
  ])('%s is %s', (hostname, expected) => {
    expect(isOwnMachine({ hostname })).toBe(expected);
  });
});
