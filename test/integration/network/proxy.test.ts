import { beforeAll, expect, test, vi } from 'vitest';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { basic, startForwardProxy } from '../../helpers/forward-proxy.ts';
import { startFront } from '../../helpers/front.ts';
import { local, SERVICE, STORAGE, startProxyDesk, trustTestAuthority } from '../../helpers/proxy-desk.ts';
import { long, mostlyLong } from '../../helpers/long.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });
beforeAll(trustTestAuthority);

const files = { 'Gate 4/a.avi': 200_000, 'Gate 4/b.avi': 100_000, 'Ramp/c.ts': 11_000_000 };

// S-35
mostlyLong([{ overTls: false }, { overTls: true }], 1, (some) =>
  test.concurrent.for(some)(
    'every call and every part goes through the proxy (over TLS: $overTls), over few tunnels that are used again',
    async ({ overTls }, context) => {
      const many = Array.from({ length: 20 }, (_, index) => [`Gate 5/${index}.avi`, 20_000] as const);
      const desk = { files: { ...files, ...Object.fromEntries(many) }, overTls };
      const { bench, proxy } = await startProxyDesk(context, desk);
      await bench.untilIdle();
      await bench.expectWhole();
      expect(new Set(proxy.asked.map(({ authority }) => authority))).toEqual(new Set([SERVICE, STORAGE]));
      expect(proxy.asked.map(({ status }) => status)).toEqual(proxy.asked.map(() => 200));
      expect(proxy.others).toEqual([]);
      const requests = bench.simulator.requests.all().length;
      // A PUT for each small clip and each part, plus the calls
      expect(requests).toBeGreaterThan(25);
      expect(proxy.asked.length).toBeLessThan(requests / 2);
    },
  ),
);

const SECRET = 'pr0xy-pass-word';

test.concurrent('name and password are read from their file, sent from the first tunnel on, and told to nobody', async (context) => {
  const credentials = `desk:${SECRET}`;
  const { bench, proxy } = await startProxyDesk(context, {
    files: { 'Gate 4/a.avi': 200_000 },
    manners: { credentials },
    settings: { proxyCredentialsFile: '/etc/desk/proxy' },
    passwords: () => credentials,
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(proxy.asked.map(({ authorization }) => authorization)).toEqual(
    proxy.asked.map(() => basic(credentials)),
  );
  const told = [
    bench.events,
    bench.logs,
    await bench.call('settings.get', {}),
    await bench.call('health.get', {}),
    await bench.call('health.bundle', {}),
    await bench.call('connection.check', {}),
    bench.simulator.requests.all(),
  ];
  for (const text of told.map((each) => JSON.stringify(each))) {
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(Buffer.from(credentials).toString('base64').slice(0, 12));
  }
});

// Pitfall 37
test.concurrent('a wrong password pauses the desk with the name of the proxy, fails no clip, and the right one counts at once', async (context) => {
  let password = `desk:old-${SECRET}`;
  const { bench, proxy } = await startProxyDesk(context, {
    files,
    manners: { credentials: `desk:${SECRET}` },
    settings: { proxyCredentialsFile: '/etc/desk/proxy' },
    passwords: () => password,
  });
  await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
  const [pause] = bench.of('circuit.paused');
  expect(pause).toMatchObject({ circuit: 'service', code: 'PROXY_AUTH' });
  expect(pause?.message).toBe(`The proxy ${proxy.host} rejected the user name and password (HTTP 407).`);
  expect(pause?.advice).toContain('proxyCredentialsFile');
  expect(bench.simulator.requests.all()).toEqual([]);
  password = `desk:${SECRET}`;
  bench.skip(20_000);
  await bench.untilIdle();
  await bench.expectWhole();
  expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
});

mostlyLong(
  [
    {
      what: 'wants a password that nobody gave',
      manners: { credentials: 'a:b' },
      code: 'PROXY_AUTH',
      says: 'requires a user name and password (HTTP 407)',
    },
    {
      what: 'signs in with NTLM only',
      manners: { answers: 407, schemes: 'NTLM, Negotiate' },
      code: 'PROXY_AUTH',
      says: '(HTTP 407: NTLM, Negotiate)',
    },
    {
      what: 'blocks the host',
      manners: { answers: 403 },
      code: 'PROXY_REFUSED',
      says: `did not connect to ${SERVICE} (HTTP 403)`,
    },
    {
      what: 'cannot get through',
      manners: { answers: 502 },
      code: 'NETWORK',
      says: `could not connect to ${SERVICE} (HTTP 502)`,
    },
  ] as const,
  2,
  (some) =>
    test.concurrent.for(some)(
      'a proxy that $what pauses the desk for that reason, until it lets it through',
      async ({ manners, code, says }, context) => {
        const { bench, proxy } = await startProxyDesk(context, {
          files: { 'Gate 4/a.avi': 200_000 },
          manners,
        });
        await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
        const [pause] = bench.of('circuit.paused');
        expect(pause).toMatchObject({ circuit: 'service', code });
        expect(pause?.message).toContain(`The proxy ${proxy.host} `);
        expect(pause?.message).toContain(says);
        proxy.change({ answers: undefined, credentials: undefined });
        bench.skip(60_000);
        await bench.untilIdle();
        await bench.expectWhole();
        expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
      },
    ),
);

test.concurrent(
  'storage that the proxy blocks pauses uploads, not the clip, and names both',
  long(),
  async (context) => {
    const { bench, proxy } = await startProxyDesk(context, {
      files,
      before: () => undefined,
      manners: { blocks: [STORAGE] },
    });
    await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
    const [pause] = bench.of('circuit.paused');
    expect(pause).toMatchObject({ circuit: 'storage', code: 'PROXY_REFUSED' });
    expect(pause?.message).toBe(`The proxy ${proxy.host} did not connect to ${STORAGE} (HTTP 403).`);
    proxy.change({ blocks: [] });
    bench.skip(60_000);
    await bench.untilIdle();
    await bench.expectWhole();
    expect([...bench.of('clip.failed'), ...bench.of('clip.retrying')]).toEqual([]);
  },
);

test.concurrent(
  'tunnels that are cut in the middle of parts cost those parts alone',
  long(),
  async (context) => {
    const { bench, proxy } = await startProxyDesk(context, {
      files: { 'Ramp/c.ts': 21_000_000 },
      manners: { cutAfterBytes: 8_000_000 },
      settings: { upload: { concurrentParts: 1 } },
    });
    await bench.untilIdle();
    await bench.expectWhole();
    expect(bench.of('clip.failed')).toEqual([]);
    expect(proxy.asked.filter(({ authority }) => authority === STORAGE).length).toBeGreaterThan(2);
    const { requests } = bench.simulator;
    expect(requests.of('createMultipartUpload')).toHaveLength(1);
  },
);

test.concurrent(
  'a proxy that is not there is trouble of the network that names it',
  long(),
  async (context) => {
    const { bench, proxy } = await startProxyDesk(context, {
      files: { 'Gate 4/a.avi': 200_000 },
      proxy: { url: 'http://127.0.0.1:9' },
    });
    await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
    const [pause] = bench.of('circuit.paused');
    expect(pause).toMatchObject({ circuit: 'service', code: 'NETWORK' });
    expect(pause?.message).toBe('No usable connection to the proxy 127.0.0.1:9 (ECONNREFUSED).');
    expect(proxy.asked).toEqual([]);
  },
);

test.concurrent('hosts that are named for it are reached without the proxy', async (context) => {
  const { bench, proxy } = await startProxyDesk(context, {
    files: { 'Gate 4/a.avi': 200_000 },
    proxy: { bypass: ['.example.com'] },
  });
  await bench.until(() => bench.of('circuit.paused').length > 0, 'the pause');
  // Only the proxy can resolve its name
  expect(bench.of('circuit.paused')[0]?.message).toMatch(/^No connection to other\.example\.com \(/);
  expect(proxy.asked).toEqual([]);
});

test.concurrent('a service on this PC is never reached through the proxy', async (context) => {
  const proxy = await startForwardProxy(context, { knows: {} });
  const bench = await startBench(context, {
    files: { 'Gate 4/a.avi': 200_000 },
    settings: { proxy: { url: proxy.url } },
    baseUrl: async (simulator) => {
      const target = new URL(simulator.baseUrl).origin;
      return `${(await startFront(context, { target, tls: local })).url}/v1`;
    },
  });
  await bench.untilIdle();
  await bench.expectWhole();
  expect(proxy.asked).toEqual([]);
});
