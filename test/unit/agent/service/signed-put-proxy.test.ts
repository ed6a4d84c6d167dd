import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createProxyRoute } from '../../../../electron/agent/service/proxy-route.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { startForwardProxy, type ProxyManners } from '../../../helpers/forward-proxy.ts';
import { named, STORAGE, trustTestAuthority } from '../../../helpers/proxy-desk.ts';
import { clock, MIB, POOL_BUFFERS, preparePuts, store } from './put-test-bed.ts';

const { listen, client, file, send, buffers } = preparePuts();
const url = new URL(`https://${STORAGE}/bucket/key?X-Amz-Signature=secret`);

beforeAll(trustTestAuthority);

/** Storage under a name that only the proxy can resolve, and a client that must reach it that way. */
async function behindProxy(listener: RequestListener, manners: Partial<ProxyManners> = {}) {
  const { port } = await listen(createHttpsServer(named, listener), 'https');
  const proxy = await startForwardProxy(
    { onTestFinished },
    { knows: { [STORAGE]: Number(port) }, ...manners },
  );
  const settings = settingsSchema.parse({ proxy: { url: proxy.url } });
  const route = createProxyRoute({ settings }, { clock, secrets: { apiKey: async () => undefined } });
  onTestFinished(() => route.stop());
  return { proxy, put: client({ route }) };
}

describe('a body through the proxy', () => {
  it('arrives whole, one after the other over one tunnel', async () => {
    const bodies: Buffer[] = [];
    const { proxy, put } = await behindProxy(store(bodies));
    const sent = [3 * MIB, 10, MIB].map((size) => randomBytes(size));
    for (const bytes of sent) expect(await send(put, url, await file(bytes))).toMatchObject({ status: 200 });
    expect(bodies.map((body, index) => body.equals(sent[index] ?? Buffer.alloc(0)))).toEqual([
      true,
      true,
      true,
    ]);
    expect(proxy.asked).toHaveLength(1);
  });

  it('that storage answers early is not sent to its end', async () => {
    const { put } = await behindProxy((request, response) => {
      request.resume();
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    });
    const source = await file(randomBytes(32 * MIB));
    const outcome = await send(put, url, source, { withCrc32: false });
    expect(outcome).toMatchObject({ kind: 'answer', status: 403 });
    expect(outcome.sentBytes).toBeLessThan(32 * MIB);
  });

  it('whose tunnel is cut is trouble of the line, which a new tunnel mends', async () => {
    const bodies: Buffer[] = [];
    const { proxy, put } = await behindProxy(store(bodies), { cutAfterBytes: 4 * MIB });
    const source = await file(randomBytes(16 * MIB));
    const outcome = await send(put, url, source);
    expect(outcome).toMatchObject({ kind: 'network' });
    expect(outcome).not.toHaveProperty('failure');
    expect(outcome.sentBytes).toBeGreaterThan(0);
    proxy.change({ cutAfterBytes: undefined });
    expect(await send(put, url, source)).toMatchObject({ kind: 'answer', status: 200 });
    expect(bodies).toHaveLength(1);
  });

  it.each([
    [407, 'PROXY_AUTH'],
    [403, 'PROXY_REFUSED'],
    [503, 'NETWORK'],
  ])('is not sent when the proxy answers %i', async (answers, code) => {
    const { proxy, put } = await behindProxy(store([]), { answers });
    expect(await send(put, url, await file(randomBytes(8 * MIB)))).toMatchObject({
      kind: 'network',
      sentBytes: 0,
      failure: { code, message: expect.stringContaining(proxy.host) },
    });
  });

  it('that is given up while the tunnel is waited for holds no buffer', async () => {
    const { proxy, put } = await behindProxy(store([]), { answers: 'never' });
    const stopping = new AbortController();
    const sending = send(put, url, await file(randomBytes(8 * MIB)), { signal: stopping.signal });
    await expect.poll(proxy.standing).toBe(1);
    stopping.abort();
    expect(await sending).toEqual({ kind: 'aborted', sentBytes: 0 });
    const signal = AbortSignal.timeout(1000);
    const held = await Promise.all(Array.from({ length: POOL_BUFFERS }, () => buffers().acquire(signal)));
    held.forEach((buffer) => buffers().release(buffer));
  });
});

describe('a store on this PC', () => {
  it('is reached without the proxy', async () => {
    const { proxy, put } = await behindProxy(store([]));
    const here = await listen(createServer(store([])));
    expect(await send(put, here, await file(Buffer.from('abc')))).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
  });
});
