import { createHash, randomBytes } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { crc32 } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { createBufferPool } from '../../../../electron/agent/service/signed-put-body.ts';
import { createRateLimit } from '../../../../electron/agent/service/rate-limit.ts';
import { clock, MIB, POOL_BUFFERS, preparePuts, store } from './put-test-bed.ts';
import { testCertificate } from './test-certificate.ts';

const { listen, serve, raw, client, file, send, buffers } = preparePuts();

describe('a signed PUT', () => {
  it.each([
    [0, 0, 0],
    [1, 0, 1],
    [100 * 1024, 0, 100 * 1024],
    [MIB, 0, MIB],
    [MIB + 1, 0, MIB + 1],
    [5 * MIB + 3, 0, 5 * MIB + 3],
    [5 * MIB + 3, 2 * MIB + 1, 3 * MIB + 2],
    [5 * MIB + 3, 17, 4],
  ])('sends from a file of %i bytes those from %i on, %i in number', async (sizeBytes, offset, length) => {
    const bytes = randomBytes(sizeBytes);
    const bodies: Buffer[] = [];
    const url = await serve(store(bodies));
    let reported = 0;
    const onBytes = (count: number): void => void (reported += count);
    const outcome = await send(client(), url, await file(bytes), { offset, length, onBytes });
    const wanted = bytes.subarray(offset, offset + length);
    expect(bodies[0]?.equals(wanted)).toBe(true);
    expect(outcome).toMatchObject({
      kind: 'answer',
      status: 200,
      etag: `"${createHash('md5').update(wanted).digest('hex')}"`,
      requestIds: [{ name: 'x-amz-request-id', value: 'tx01' }],
      text: '',
      sentBytes: length,
      crc32: crc32(wanted),
    });
    expect(outcome.kind === 'answer' && Math.abs((outcome.dateMs ?? 0) - Date.now())).toBeLessThan(5_000);
    expect(reported).toBe(length);
  });

  it('sends a length and nothing that the signature does not cover', async () => {
    const requests: IncomingMessage[] = [];
    const url = await serve(store([], requests));
    await send(client(), url, await file(Buffer.from('abc')));
    const [request] = requests;
    expect(request?.method).toBe('PUT');
    expect(request?.url).toBe('/bucket/key?X-Amz-Signature=secret');
    expect(request?.headers).toEqual({ host: url.host, 'content-length': '3', connection: 'keep-alive' });
  });

  it('makes no sum of what it sends when none is wanted', async () => {
    const bytes = randomBytes(100 * 1024);
    const outcome = await send(client(), await serve(store([])), await file(bytes), { withCrc32: false });
    expect(outcome).toMatchObject({ status: 200 });
    expect(outcome).not.toHaveProperty('crc32');
  });

  it('uses one connection for one PUT after the other', async () => {
    const server = createHttpServer(store([]));
    let connections = 0;
    server.on('connection', () => connections++);
    const url = await listen(server);
    const put = client();
    const source = await file(randomBytes(2 * MIB));
    for (let count = 0; count < 5; count++)
      expect(await send(put, url, source)).toMatchObject({ status: 200 });
    expect(connections).toBe(1);
  });

  it('gets by with one buffer for several bodies at once', async () => {
    const bytes = randomBytes(3 * MIB);
    const bodies: Buffer[] = [];
    const url = await serve(store(bodies));
    const small = createBufferPool(clock, 1);
    const put = client();
    const source = await file(bytes);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => send(put, url, source, { pool: small })));
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['answer', 'answer', 'answer', 'answer']);
    expect(bodies.every((body) => body.equals(bytes))).toBe(true);
    small.stop();
  });

  it('keeps to the limit', async () => {
    const url = await serve(store([]));
    const source = await file(randomBytes(200_000));
    const startedAt = clock.monotonic();
    const outcome = await send(client(), url, source, { limiter: createRateLimit(clock, 400_000) });
    expect(outcome).toMatchObject({ kind: 'answer', sentBytes: 200_000 });
    expect(clock.monotonic() - startedAt).toBeGreaterThan(380);
  });
});

describe('an abort', () => {
  it('before the start sends nothing', async () => {
    const requests: IncomingMessage[] = [];
    const url = await serve(store([], requests));
    const outcome = await send(client(), url, await file(Buffer.from('abc')), {
      signal: AbortSignal.abort(),
    });
    expect(outcome).toEqual({ kind: 'aborted', sentBytes: 0 });
    expect(requests).toEqual([]);
  });

  it('in the middle of the body closes the connection at once', async () => {
    const bodies: Buffer[] = [];
    const requests: IncomingMessage[] = [];
    const url = await serve(store(bodies, requests));
    const stopping = new AbortController();
    const outcome = await send(client(), url, await file(randomBytes(32 * MIB)), {
      signal: stopping.signal,
      onBytes: () => stopping.abort(),
    });
    expect(outcome.kind).toBe('aborted');
    await expect.poll(() => requests[0]?.destroyed).toBe(true);
    expect(bodies).toEqual([]);
  });

  it('while waiting for the answer ends the wait', async () => {
    const stopping = new AbortController();
    const url = await raw(() => stopping.abort());
    const outcome = await send(client(), url, await file(Buffer.from('abc')), { signal: stopping.signal });
    expect(outcome.kind).toBe('aborted');
  });

  it('while waiting for a buffer ends the wait', async () => {
    const held = await Promise.all(Array.from({ length: POOL_BUFFERS }, () => buffers().acquire()));
    const stopping = new AbortController();
    const sending = send(client(), await serve(store([])), await file(Buffer.from('abc')), {
      signal: stopping.signal,
    });
    stopping.abort();
    expect(await sending).toEqual({ kind: 'aborted', sentBytes: 0 });
    held.forEach((buffer) => buffers().release(buffer));
  });
});

describe('TLS', () => {
  const secure = (options: object, bodies: Buffer[] = []): Promise<URL> =>
    listen(createHttpsServer({ ...testCertificate, ...options }, store(bodies)), 'https');

  it('carries a body to a server whose certificate is trusted', async () => {
    const bytes = randomBytes(3 * MIB);
    const bodies: Buffer[] = [];
    const put = client({ ca: [testCertificate.cert] });
    expect(await send(put, await secure({}, bodies), await file(bytes))).toMatchObject({
      kind: 'answer',
      status: 200,
      sentBytes: 3 * MIB,
      crc32: crc32(bytes),
    });
    expect(bodies[0]?.equals(bytes)).toBe(true);
  });

  it('reads an early answer too', async () => {
    const server = createHttpsServer(testCertificate, (_request, response) => {
      response.writeHead(403, { connection: 'close' }).end('<Error><Code>AccessDenied</Code></Error>');
    });
    const url = await listen(server, 'https');
    const put = client({ ca: [testCertificate.cert] });
    const source = await file(randomBytes(32 * MIB));
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await send(put, url, source, { withCrc32: false })).toMatchObject({
        kind: 'answer',
        status: 403,
      });
    }
  });

  it('refuses a certificate that nobody vouches for, whatever the environment says', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    const bodies: Buffer[] = [];
    const outcome = await send(client(), await secure({}, bodies), await file(Buffer.from('abc')));
    vi.unstubAllEnvs();
    expect(outcome).toMatchObject({ kind: 'network', code: 'DEPTH_ZERO_SELF_SIGNED_CERT', sentBytes: 0 });
    expect(bodies).toEqual([]);
  });

  it('refuses a certificate for another name', async () => {
    const url = await secure({});
    url.hostname = 'other.example';
    const put = client({
      ca: [testCertificate.cert],
      lookup: (_hostname, options, callback) =>
        options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
    });
    expect(await send(put, url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
    });
  });

  it('refuses versions before 1.2', async () => {
    const url = await secure({ maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
    const put = client({ ca: [testCertificate.cert] });
    expect(await send(put, url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      sentBytes: 0,
    });
  });
});
