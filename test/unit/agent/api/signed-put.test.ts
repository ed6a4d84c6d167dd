import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createSignedPut,
  type PutOutcome,
  type PutRequest,
  type SignedPut,
  type SignedPutOptions,
} from '../../../../electron/agent/api/signed-put.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { createBufferPool, type BufferPool } from '../../../../electron/agent/upload/buffer-pool.ts';
import { openEvidence, type EvidenceFile } from '../../../../electron/agent/upload/evidence-file.ts';
import { createRateLimit } from '../../../../electron/agent/upload/rate-limit.ts';
import { testCertificate } from './test-certificate.ts';

const MIB = 1024 * 1024;
const POOL_BUFFERS = 4;
const clock = createSystemClock();
const limiter = createRateLimit(clock, null);
const cleanups: (() => unknown)[] = [];
let folder = '';
let pool: BufferPool;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signed-put-'));
  cleanups.push(() => rm(folder, { recursive: true }));
  pool = createBufferPool(clock, POOL_BUFFERS);
});

afterEach(async () => {
  // Whatever happened, every buffer has come back
  const buffers = await Promise.all(
    Array.from({ length: POOL_BUFFERS }, () => pool.acquire(AbortSignal.timeout(2_000))),
  );
  buffers.forEach((buffer) => pool.release(buffer));
  pool.stop();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server | TcpServer, scheme = 'http'): Promise<URL> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(async () => {
    sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  });
  return new URL(
    `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/key?X-Amz-Signature=secret`,
  );
}

const serve = (listener: RequestListener): Promise<URL> => listen(createHttpServer(listener));

function client(options: Partial<SignedPutOptions> = {}): SignedPut {
  const put = createSignedPut({ clock, maxSockets: 8, ...options });
  cleanups.push(() => put.stop());
  return put;
}

async function file(bytes: Buffer): Promise<EvidenceFile> {
  const path = join(folder, `${randomBytes(4).toString('hex')}.mp4`);
  await writeFile(path, bytes);
  const opened = await openEvidence(path, undefined, folder);
  if (!opened.ok) throw new Error(opened.error.message);
  cleanups.push(() => opened.value.close());
  return opened.value;
}

type Details = Partial<Omit<PutRequest, 'url' | 'source'>>;

function send(put: SignedPut, url: URL, source: EvidenceFile, details: Details = {}): Promise<PutOutcome> {
  const length = source.version.sizeBytes;
  const signal = new AbortController().signal;
  return put.put({ url, source, offset: 0, length, pool, limiter, signal, ...details });
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A store that keeps bodies and answers as S3 does. */
function store(bodies: Buffer[], requests: IncomingMessage[] = []): RequestListener {
  return async (request, response) => {
    requests.push(request);
    const body = await bodyOf(request).catch(() => undefined);
    if (body === undefined) return;
    bodies.push(body);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    response.writeHead(200, { etag, 'x-amz-request-id': 'tx01' }).end();
  };
}

/** A server below HTTP: for each connection what to do with its first bytes. */
function raw(onFirstBytes: (socket: Socket, count: number) => void): Promise<URL> {
  let count = 0;
  return listen(
    createTcpServer((socket) => {
      const mine = ++count;
      socket.on('data', () => undefined);
      socket.once('data', () => onFirstBytes(socket, mine));
    }),
  );
}

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
      requestId: 'tx01',
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

  it('hashes a small body on its way when asked to', async () => {
    const bytes = randomBytes(100 * 1024);
    const outcome = await send(client(), await serve(store([])), await file(bytes), {
      withHashes: true,
      withCrc32: false,
    });
    expect(outcome).toMatchObject({
      hashes: {
        sha256: createHash('sha256').update(bytes).digest('hex'),
        md5: createHash('md5').update(bytes).digest('hex'),
      },
    });
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

describe('an answer that comes before the body was sent', () => {
  const denied =
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';
  const head = `HTTP/1.1 403 Forbidden\r\nContent-Type: application/xml\r\nContent-Length: ${denied.length}\r\n`;

  it('is read ten times out of ten when the server closes with unread data', async () => {
    const url = await raw((socket) => {
      socket.pause();
      socket.end(`${head}Connection: close\r\n\r\n${denied}`, () => setImmediate(() => socket.destroy()));
    });
    const source = await file(randomBytes(64 * MIB));
    const put = client();
    for (let attempt = 0; attempt < 10; attempt++) {
      const outcome = await send(put, url, source, { withCrc32: false });
      expect(outcome).toMatchObject({
        kind: 'answer',
        status: 403,
        xmlCode: 'AccessDenied',
        text: 'Request has expired',
      });
      expect(outcome.sentBytes).toBeLessThan(64 * MIB);
    }
  });

  it('is read when the server resets right after it', async () => {
    const url = await raw((socket) => socket.write(`${head}\r\n${denied}`, () => socket.resetAndDestroy()));
    const source = await file(randomBytes(64 * MIB));
    const outcome = await send(client(), url, source, { withCrc32: false });
    expect(outcome).toMatchObject({ kind: 'answer', status: 403 });
  });

  it('ends the sending when the server keeps the connection open', async () => {
    const url = await raw((socket) => {
      socket.pause();
      socket.write(`${head}\r\n${denied}`);
    });
    const outcome = await send(client(), url, await file(randomBytes(64 * MIB)), { withCrc32: false });
    expect(outcome).toMatchObject({ kind: 'answer', status: 403, xmlCode: 'AccessDenied' });
    expect(outcome.sentBytes).toBeLessThan(64 * MIB);
  });

  it('counts bytes, so that an early 200 is not taken for stored', async () => {
    const url = await raw((socket) => {
      socket.pause();
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: "a"\r\n\r\n');
    });
    const outcome = await send(client(), url, await file(randomBytes(64 * MIB)));
    expect(outcome).toMatchObject({ kind: 'answer', status: 200 });
    expect(outcome.sentBytes).toBeLessThan(64 * MIB);
  });
});

describe('what storage says', () => {
  const answering = (status: number, headers: Record<string, string>, body: string): Promise<URL> =>
    serve((request, response) => {
      request.resume().on('end', () => response.writeHead(status, headers).end(body));
    });

  it('is read from its error document, without its secrets', async () => {
    const body =
      '<Error><Code>SignatureDoesNotMatch</Code><Message>See\n https://h.example/k?X-Amz-Signature=abc</Message>' +
      '<AWSAccessKeyId>AKIAX</AWSAccessKeyId></Error>';
    const url = await answering(403, { 'retry-after': '7' }, body);
    const outcome = await send(client(), url, await file(Buffer.from('abc')));
    expect(outcome).toMatchObject({
      kind: 'answer',
      status: 403,
      xmlCode: 'SignatureDoesNotMatch',
      retryAfter: '7',
    });
    expect(JSON.stringify(outcome)).not.toMatch(/abc"|AKIAX/);
  });

  it.each([
    ['<html><body>Blocked</body></html>', '<html><body>Blocked</body></html>'],
    ['x'.repeat(5_000), 'x'.repeat(200)],
    ['<Error><Code>Access Denied; drop</Code></Error>', ''],
    ['<Error><Code>AccessDenied</Code><Message></Message></Error>', ''],
  ])('of %s keeps "%s"', async (body, text) => {
    const outcome = await send(client(), await answering(403, {}, body), await file(Buffer.from('abc')));
    expect(outcome).toMatchObject({ kind: 'answer', status: 403, text });
  });

  it('is cut when it does not end', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(500);
        const timer = setInterval(() => response.write(Buffer.alloc(16 * 1024, 'x')), 1);
        response.on('close', () => clearInterval(timer));
      });
    });
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'answer',
      status: 500,
    });
  });

  it('is dropped when its headers are too large', async () => {
    const url = await raw((socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(64 * 1024)}\r\n\r\n`));
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      code: 'HPE_HEADER_OVERFLOW',
    });
  });

  it('is not waited for without end when it drips', async () => {
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX: ');
      const timer = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const put = client({ answerTimeoutMs: 300 });
    expect(await send(put, url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      code: 'ETIMEDOUT',
    });
  });

  it('is no success when it breaks off', async () => {
    const url = await raw((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nETag: "a"\r\nContent-Length: 10\r\n\r\nabc'),
    );
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({ kind: 'network' });
  });

  it.each([301, 302, 303, 307, 308])('is never followed elsewhere (%i)', async (status) => {
    const visits: IncomingMessage[] = [];
    const elsewhere = await serve(store([], visits));
    const url = await answering(status, { location: elsewhere.href }, '');
    expect(await send(client(), url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'answer',
      status,
    });
    expect(visits).toEqual([]);
  });

  it.each([
    ['"d41d8cd98f00b204e9800998ecf8427e"', 'answer'],
    ['d41d8cd98f00b204e9800998ecf8427e', 'answer'],
    ['"d41d8cd98f00b204e9800998ecf8427e-12"', 'answer'],
    ['""abc""', 'answer'],
    ['W/"abc"', 'answer'],
    ['"a b"', 'refused'],
    ['"ü"', 'refused'],
    ['""', 'refused'],
    ['a"b', 'refused'],
    ['x'.repeat(513), 'refused'],
  ])('with the etag %s is taken as %s', async (etag, kind) => {
    const outcome = await send(client(), await answering(200, { etag }, ''), await file(Buffer.from('abc')));
    expect(outcome).toMatchObject(
      kind === 'answer' ? { kind, etag } : { kind, failure: { code: 'API_ETAG' } },
    );
  });

  it('may lack an etag', async () => {
    const outcome = await send(client(), await answering(200, {}, ''), await file(Buffer.from('abc')));
    expect(outcome).toMatchObject({ kind: 'answer', status: 200 });
    expect(outcome).not.toHaveProperty('etag');
  });
});

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
    await truncate(source.path, 3);
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
          if (!isCut) await truncate(source.path, 5 * MIB + 1);
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
    await vi.waitFor(() => expect(requests[0]?.destroyed).toBe(true));
    expect(bodies).toEqual([]);
  });

  it('while waiting for the answer ends the wait', async () => {
    const stopping = new AbortController();
    const url = await raw(() => stopping.abort());
    const outcome = await send(client(), url, await file(Buffer.from('abc')), { signal: stopping.signal });
    expect(outcome.kind).toBe('aborted');
  });

  it('while waiting for a buffer ends the wait', async () => {
    const held = await Promise.all(Array.from({ length: POOL_BUFFERS }, () => pool.acquire()));
    const stopping = new AbortController();
    const sending = send(client(), await serve(store([])), await file(Buffer.from('abc')), {
      signal: stopping.signal,
    });
    stopping.abort();
    expect(await sending).toEqual({ kind: 'aborted', sentBytes: 0 });
    held.forEach((buffer) => pool.release(buffer));
  });
});

describe('TLS', () => {
  const secure = (options: object, bodies: Buffer[] = []): Promise<URL> =>
    listen(createHttpsServer({ ...testCertificate, ...options }, store(bodies)), 'https');

  it('carries a body to a server whose certificate is trusted', async () => {
    const bytes = randomBytes(3 * MIB);
    const bodies: Buffer[] = [];
    const put = client({ ca: testCertificate.cert });
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
    const put = client({ ca: testCertificate.cert });
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
      ca: testCertificate.cert,
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
    const put = client({ ca: testCertificate.cert });
    expect(await send(put, url, await file(Buffer.from('abc')))).toMatchObject({
      kind: 'network',
      sentBytes: 0,
    });
  });
});
