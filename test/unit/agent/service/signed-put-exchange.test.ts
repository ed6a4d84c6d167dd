import { randomBytes } from 'node:crypto';
import { truncate } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createRateLimit } from '../../../../electron/agent/service/rate-limit.ts';
import { clock, MIB, preparePuts, store } from './put-test-bed.ts';

const { serve, raw, client, file, send } = preparePuts();

describe('trouble', () => {
  it('with a refused connection is a network outcome without the query', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = new URL(`http://127.0.0.1:${port}/k?X-Amz-Signature=secret`);
    const outcome = await send(client(), url, await file(Buffer.from('abc')));
    expect(outcome).toMatchObject({ kind: 'network', code: 'ECONNREFUSED', sentBytes: 0, wasReused: false });
    expect(JSON.stringify(outcome)).not.toContain('secret');
  });

  it('with a connection that storage closes between two PUTs is told apart', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: "a"\r\n\r\n');
      socket.once('data', () => socket.resetAndDestroy());
    });
    const put = client();
    const source = await file(Buffer.from('abc'));
    expect(await send(put, url, source)).toMatchObject({ kind: 'answer', status: 200 });
    expect(await send(put, url, source)).toMatchObject({
      kind: 'network',
      code: 'ECONNRESET',
      wasReused: true,
    });
  });

  it('with a reset in the middle of the body is a network outcome', async () => {
    const url = await raw((socket) => socket.resetAndDestroy());
    const outcome = await send(client(), url, await file(randomBytes(32 * MIB)), { withCrc32: false });
    expect(outcome.kind).toBe('network');
    expect(outcome.sentBytes).toBeLessThan(32 * MIB);
  });

  it('with a server that takes no bytes ends after the idle time', async () => {
    const url = await raw((socket) => socket.pause());
    const put = client({ idleTimeoutMs: 300 });
    expect(await send(put, url, await file(randomBytes(64 * MIB)), { withCrc32: false })).toMatchObject({
      kind: 'network',
      code: 'ETIMEDOUT',
    });
  });

  it('with a server that never answers ends after the idle time', async () => {
    const url = await raw(() => undefined);
    const put = client({ idleTimeoutMs: 300 });
    expect(await send(put, url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      code: 'ETIMEDOUT',
    });
  });

  it('with a handshake that does not end is a connection that did not come about', async () => {
    const url = await raw(() => undefined);
    url.protocol = 'https:';
    const put = client({ connectTimeoutMs: 300 });
    expect(await send(put, url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      code: 'CONNECT_TIMEOUT',
    });
  });

  it('with the file is known before storage hears of it', async () => {
    const requests: IncomingMessage[] = [];
    const url = await serve(store([], requests));
    const source = await file(Buffer.from('abcdef'));
    await truncate(source.name, 3);
    expect(await send(client(), url, source)).toMatchObject({
      kind: 'source',
      failure: { code: 'FILE_CHANGED' },
    });
    expect(requests).toEqual([]);
  });

  it('with a file that becomes shorter on the way leaves nothing stored', async () => {
    const bodies: Buffer[] = [];
    const url = await serve(store(bodies));
    const source = await file(randomBytes(16 * MIB));
    let isCut = false;
    const outcome = await send(client(), url, source, {
      limiter: {
        ...createRateLimit(clock, null),
        chunkBytes: MIB,
        async take() {
          if (!isCut) await truncate(source.name, 5 * MIB + 1);
          isCut = true;
        },
      },
    });
    expect(outcome).toMatchObject({ kind: 'source', failure: { code: 'FILE_CHANGED' } });
    expect(bodies).toEqual([]);
  });

  it('never comes from headers whose value is not known', async () => {
    const requests: IncomingMessage[] = [];
    const url = await serve(store([], requests));
    const source = await file(Buffer.from('abc'));
    const put = client();
    url.searchParams.set('X-Amz-SignedHeaders', 'content-length;host');
    expect(await send(put, url, source)).toMatchObject({ kind: 'answer', status: 200 });
    url.searchParams.set('X-Amz-SignedHeaders', 'content-type;host;x-amz-acl');
    expect(await send(put, url, source)).toMatchObject({
      kind: 'refused',
      failure: { code: 'URL_REFUSED', message: expect.stringContaining('content-type, x-amz-acl') },
    });
    expect(requests.length).toBe(1);
  });
});
