import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  createSignedPut,
  type SignedPut,
  type SignedPutOptions,
} from '../../../../electron/agent/service/signed-put.ts';
import { type PutOutcome } from '../../../../electron/agent/service/signed-put-answer.ts';
import {
  type PutRequest,
  createBufferPool,
  type BufferPool,
} from '../../../../electron/agent/service/signed-put-body.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { openFile, type OpenedFile } from '../../../../electron/agent/files/opened-file.ts';
import { createRateLimit } from '../../../../electron/agent/service/rate-limit.ts';

export const MIB = 1024 * 1024;
export const POOL_BUFFERS = 4;
export const clock = createSystemClock();

type Details = Partial<Omit<PutRequest, 'url' | 'source'>>;

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A store that keeps bodies and answers like S3. */
export function store(bodies: Buffer[], requests: IncomingMessage[] = []): RequestListener {
  return (request, response) => {
    requests.push(request);
    bodyOf(request).then(
      (body) => {
        bodies.push(body);
        const etag = `"${createHash('md5').update(body).digest('hex')}"`;
        response.writeHead(200, { etag, 'x-amz-request-id': 'tx01' }).end();
      },
      // The sender has disconnected: there is nothing to keep
      () => undefined,
    );
  };
}

/** Servers, files and clients for the tests of one file; removed after each test, when every buffer must be back. */
export function preparePuts() {
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
    // Whatever happened, every buffer must be back
    const buffers = await Promise.all(
      Array.from({ length: POOL_BUFFERS }, () => pool.acquire(AbortSignal.timeout(2_000))),
    );
    buffers.forEach((buffer) => pool.release(buffer));
    pool.stop();
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
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
    const put = createSignedPut({ clock, ...options });
    cleanups.push(() => put.stop());
    return put;
  }

  async function file(bytes: Buffer): Promise<OpenedFile> {
    const path = join(folder, `${randomBytes(4).toString('hex')}.mp4`);
    await writeFile(path, bytes);
    const opened = await openFile(path, undefined, folder);
    if (!opened.ok) throw new Error(opened.error.message);
    cleanups.push(() => opened.value.close());
    return opened.value;
  }

  function send(put: SignedPut, url: URL, source: OpenedFile, details: Details = {}): Promise<PutOutcome> {
    const length = source.version.sizeBytes;
    const signal = new AbortController().signal;
    return put.put({ url, source, offset: 0, length, pool, limiter, signal, ...details });
  }

  /** A server below HTTP; the callback decides what happens to the first bytes of each connection. */
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

  return { listen, serve, raw, client, file, send, buffers: () => pool };
}
